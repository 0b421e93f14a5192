// Answers requests with the page's own compiler: node driver.mjs FOLDER
//
// FOLDER is the page. Each line of standard input is an object with `request` and `path`, the file
// of the rulebook; each is answered by a line.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Compiler } from '../../playground/page/source/compiler.js';

const compiler = await Compiler.of(new WebAssembly.Module(readFileSync(join(process.argv[2], 'playground.wasm'))));
for await (const line of createInterface({ input: process.stdin })) {
  const { request, path } = JSON.parse(line);
  process.stdout.write(`${compiler.ask(request, readFileSync(path))}\n`);
}
