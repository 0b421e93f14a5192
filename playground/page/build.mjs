// Makes the page: node build.mjs MODULES WASM FOLDER
//
// MODULES is the node_modules that scripts/playground installed, WASM the compiled compiler,
// FOLDER where the page is written. The same input gives the same bytes.

import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [modules, wasm, folder] = process.argv.slice(2);
const page = dirname(fileURLToPath(import.meta.url));
const { build } = createRequire(join(modules, 'playground.cjs'))('esbuild');

/** Rulebooks of the menu, in its order. */
const EXAMPLES = [
  ['shop', 'Shop: refunds', 'shop/policy.co'],
  ['bank', 'Bank: transfers', 'bank/transfers.co'],
  ['clinic', 'Clinic: patient records', 'clinic/patient_records.co'],
  ['marketplace', 'Marketplace', 'marketplace/marketplace.co'],
  ['deployments', 'Deployments', 'deployments/deployments.co'],
  ['telecom', 'Telecom (Portuguese)', 'telecom/mudanca_de_plano.co'],
];

const examples = {
  name: 'examples',
  setup(bundle) {
    bundle.onResolve({ filter: /^stalwart:examples$/ }, () => ({ path: 'examples', namespace: 'stalwart' }));
    bundle.onLoad({ filter: /.*/, namespace: 'stalwart' }, () => ({
      loader: 'json',
      contents: JSON.stringify(EXAMPLES.map(([id, title, file]) => ({
        id, title, name: file.split('/').at(-1), text: readFileSync(join(page, '../../fixtures', file), 'utf8'),
      }))),
    }));
  },
};

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const { metafile } = await build({
  entryPoints: { playground: join(page, 'source/main.js'), worker: join(page, 'source/worker.js') },
  outdir: folder,
  bundle: true,
  format: 'esm',
  minify: true,
  target: ['es2022'],
  metafile: true,
  nodePaths: [modules],
  plugins: [examples],
  logLevel: 'warning',
});
for (const file of ['index.html', 'start.js', 'style.css', 'palette.css']) cpSync(join(page, file), join(folder, file));
cpSync(wasm, join(folder, 'playground.wasm'));

// The licences of what is bundled ask to go with it.
const bundled = Object.keys(metafile.inputs).map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]);
const licences = [...new Set(bundled.filter(Boolean))].sort().map((name) => {
  const file = join(modules, name, 'LICENSE');
  if (!existsSync(file)) throw new Error(`${name} has no LICENSE to go with it`);
  return `${name}\n\n${readFileSync(file, 'utf8').trim()}\n`;
});
writeFileSync(join(folder, 'licences.txt'), licences.join('\n---\n\n'));
