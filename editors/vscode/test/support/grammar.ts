// The grammar as VS Code reads it: its own library, with its own engine of regular expressions.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import oniguruma from "vscode-oniguruma";
import textmate from "vscode-textmate";
import { root } from "./fixtures.ts";

/** A piece of a line with its scopes, the innermost last. */
export interface Token {
  text: string;
  scopes: string[];
}

const engine = createRequire(import.meta.url).resolve("vscode-oniguruma/release/onig.wasm");
await oniguruma.loadWASM(readFileSync(engine));
const path = join(root, "editors/textmate/rulebook.tmLanguage.json");
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async () => textmate.parseRawGrammar(readFileSync(path, "utf8"), path),
});
const grammar = await registry.loadGrammar("source.rulebook");
if (grammar === null) {
  throw new Error("there is no grammar");
}
const rulebooks = grammar;

/** The tokens of each line of a text. */
export function tokens(text: string): Token[][] {
  let state = textmate.INITIAL;
  return text.split(/\r?\n/).map((line) => {
    const read = rulebooks.tokenizeLine(line, state, 1000);
    if (read.stoppedEarly) {
      throw new Error(`the grammar takes more than a second for ${line}`);
    }
    state = read.ruleStack;
    return read.tokens.map(({ startIndex, endIndex, scopes }) => ({
      text: line.slice(startIndex, endIndex),
      scopes,
    }));
  });
}

/** The innermost scope that says what a token is, or nothing. */
export function kind(token: Token): string | undefined {
  const said = token.scopes.filter(
    (scope) => scope !== "source.rulebook" && !scope.startsWith("meta."),
  );
  const innermost =
    said.at(-1) ?? token.scopes.find((scope) => /^meta\.(ignored|text)/.test(scope));
  return innermost?.split(" ")[0]?.replace(/\.rulebook$/, "");
}
