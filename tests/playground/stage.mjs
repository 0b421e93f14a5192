// A page of the playground in a real browser: a small server for its folder, and what it must not
// do, whatever is tested.
//
// STALWART_PLAYGROUND is the folder of the page, STALWART_PLAYGROUND_MODULES the node_modules with
// playwright-core, STALWART_BROWSER the browser.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { mkdtemp, rm } from 'node:fs/promises';
import { extname, join } from 'node:path';

const { STALWART_PLAYGROUND: folder, STALWART_PLAYGROUND_MODULES: modules, STALWART_BROWSER: browser } = process.env;
const { chromium } = createRequire(join(modules, 'tests.cjs'))('playwright-core');

const TYPES = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm',
  '.txt': 'text/plain',
};

/** The path that the page is served under: it works below any. */
export const PATH = '/some/where/';

export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

/** Serves the folder; gives the page's address and how to stop. */
export async function serve() {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const name = pathname.slice(PATH.length) || 'index.html';
    try {
      if (!pathname.startsWith(PATH) || !/^[a-z.]+$/.test(name)) throw new Error('no such file');
      const bytes = await readFile(join(folder, name));
      response.writeHead(200, { 'content-type': TYPES[extname(name)] ?? 'application/octet-stream' });
      response.end(bytes);
    } catch {
      response.writeHead(404);
      response.end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${server.address().port}${PATH}`,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** Starts the browser with a profile of its own, which is gone when it is closed. */
export async function launch() {
  const profile = await mkdtemp(join(tmpdir(), 'stalwart-browser-'));
  const args = [
    '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync',
  ];
  const process = await chromium.launch({ executablePath: browser, args, env: { ...globalThis.process.env, HOME: profile } });
  return {
    process,
    stop: async () => {
      await process.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}

/** A page at `address`; `faults` gets what a page must not do; `before` prepares it. */
export async function open(launched, address, { viewport = DESKTOP, faults = [], before, ...options } = {}) {
  const context = await launched.process.newContext({ viewport, permissions: ['clipboard-read', 'clipboard-write'], ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`error: ${error}`));
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(new URL(PATH, address).href) && !/^(data|blob):/.test(url)) faults.push(`request: ${url}`);
  });
  await before?.(page);
  await page.goto(address);
  return page;
}

/** Waits until the compiler has answered. */
export const answered = (page) =>
  page.waitForFunction(() => !document.getElementById('state').textContent.startsWith('Loading'));
