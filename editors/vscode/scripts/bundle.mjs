// Bundles the extension into dist/extension.js, with the licences of all that is in it beside it.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const { metafile } = await build({
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
  bundle: true,
  external: ["vscode"],
  format: "cjs",
  platform: "node",
  target: "node18",
  minify: true,
  legalComments: "none",
  logLevel: "warning",
  metafile: true,
});

const folders = Object.keys(metafile.inputs).flatMap(
  (input) => input.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0] ?? [],
);
const notices = [...new Set(folders)].sort().map((folder) => {
  const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  const file = ["LICENSE", "License.txt", "LICENSE.md", "license"].find((candidate) =>
    existsSync(`${folder}/${candidate}`),
  );
  if (file === undefined) {
    throw new Error(`${name} has no licence that could be passed on`);
  }
  return `${name} ${version}\n\n${readFileSync(`${folder}/${file}`, "utf8").trim()}\n`;
});
writeFileSync("dist/THIRD-PARTY.txt", notices.join(`\n${"-".repeat(80)}\n\n`));
