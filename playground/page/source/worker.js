// Runs the compiler beside the page, so that typing never waits for it.

import { Compiler } from './compiler.js';

let compiler;

self.onmessage = async ({ data }) => {
  if (data.module) {
    compiler = Compiler.of(data.module);
    compiler.catch(() => {}); // said with the first answer
    return;
  }
  try {
    const text = (await compiler).ask(data.request, data.source);
    self.postMessage({ answer: JSON.parse(text) });
  } catch (error) {
    self.postMessage({ trap: String(error) });
  }
};
