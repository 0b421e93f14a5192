// The compiler's module, and the protocol of its memory: playground/src/lib.rs says what it is.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Compiler {
  /** Makes a compiler of a compiled module. */
  static async of(module) {
    const instance = await WebAssembly.instantiate(module, {});
    return new Compiler(instance.exports);
  }

  constructor(exports) {
    this.exports = exports;
  }

  /** Asks for `request`, an object, about `source`, a string or bytes; gives the answer as text. */
  ask(request, source) {
    const line = encoder.encode(`${JSON.stringify(request)}\n`);
    const bytes = typeof source === 'string' ? encoder.encode(source) : source;
    const start = this.exports.request(line.length + bytes.length) >>> 0;
    // Memory may have grown, and with it moved.
    const room = new Uint8Array(this.exports.memory.buffer, start, line.length + bytes.length);
    room.set(line);
    room.set(bytes, line.length);
    const answer = this.exports.answer() >>> 0;
    const memory = this.exports.memory.buffer;
    const length = new DataView(memory).getUint32(answer, true);
    const text = decoder.decode(new Uint8Array(memory, answer + 4, length));
    this.exports.release();
    return text;
  }
}
