// A link that holds the rulebook and the call. It stands behind `#`, which no browser sends.

const VERSION = '1.';
/** Most characters of a link's fragment, and most bytes of what it holds. */
const MOST_CHARACTERS = 100_000;
const MOST_BYTES = 1_000_000;

const through = (stream, bytes) => new Blob([bytes]).stream().pipeThrough(stream);

/** The fragment for a state; fails in words where it is too large. */
export async function pack(state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  const packed = await new Response(through(new CompressionStream('deflate-raw'), bytes)).arrayBuffer();
  let binary = '';
  for (const byte of new Uint8Array(packed)) binary += String.fromCharCode(byte);
  const text = VERSION + btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  if (text.length > MOST_CHARACTERS || bytes.length > MOST_BYTES) throw new Error('the rulebook is too large for a link');
  return text;
}

/** The state of a fragment; fails in words where it holds none. */
export async function unpack(fragment) {
  if (fragment.length > MOST_CHARACTERS) throw new Error('the link is too long');
  if (!fragment.startsWith(VERSION)) throw new Error('the link is not one of this page');
  let bytes;
  try {
    const text = fragment.slice(VERSION.length).replaceAll('-', '+').replaceAll('_', '/');
    bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    throw new Error('the link is damaged: some of its characters are missing or changed');
  }
  const chunks = [];
  let length = 0;
  try {
    for await (const chunk of chunksOf(through(new DecompressionStream('deflate-raw'), bytes))) {
      length += chunk.length;
      if (length > MOST_BYTES) break; // what is left of it is never unpacked
      chunks.push(chunk);
    }
  } catch {
    throw new Error('the link is damaged: what it holds cannot be unpacked');
  }
  if (length > MOST_BYTES) throw new Error('the link holds more than this page takes');
  let state;
  try {
    state = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(await new Blob(chunks).arrayBuffer()));
  } catch {
    throw new Error('the link is damaged: what it holds is not a rulebook');
  }
  return checked(state);
}

async function* chunksOf(stream) {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** A state of the shape that `pack` was given, or a failure. */
function checked(state) {
  const isText = (value, most) => typeof value === 'string' && value.length <= most;
  const { name, text, tool, values } = Object(state);
  const fits = isText(name, 200) && isText(text, MOST_BYTES) && (tool === null || isText(tool, 1000))
    && values !== null && typeof values === 'object' && !Array.isArray(values)
    && Object.values(values).every((value) => typeof value === 'boolean' || isText(value, 10_000));
  if (!fits) throw new Error('the link is damaged: what it holds is not a rulebook');
  return { name, text, tool, values };
}
