// The colours: what the grammar says of every fixture. The words are in grammar/words.co.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { validFixtures } from "./support/fixtures.ts";
import { kind, tokens } from "./support/grammar.ts";

test("every word of every valid fixture has a scope, and none is invalid", () => {
  const fixtures = validFixtures();
  assert.ok(fixtures.length > 50, `only ${fixtures.length} fixtures were found`);
  const wrong = fixtures.flatMap(({ name, text }) =>
    tokens(text).flatMap((line, index) =>
      line
        .filter((token) => token.text.trim() !== "")
        .filter((token) => /^(invalid.*|meta\.text)$/.test(kind(token) ?? "invalid"))
        .map((token) => `${name}:${index + 1}: ${token.text}  ${token.scopes.join(" ")}`),
    ),
  );
  assert.deepEqual(wrong, []);
});

test("the example looks as it did", () => {
  const shown = validFixtures()
    .filter(({ name }) => /^shop\//.test(name))
    .flatMap(({ name, text }) => [`== ${name}`, ...tokens(text).flatMap(show), ""])
    .join("\n");
  const path = join(import.meta.dirname, "grammar/shop.snap");
  if (process.env.UPDATE_SNAPSHOTS === "1") {
    writeFileSync(path, shown);
  }
  assert.equal(shown, readFileSync(path, "utf8"));
});

test("a line with a mistake does not change the lines behind it", () => {
  const below = 'define flow doors\n  if $badge == "staff"\n    execute open_door(level=2)\n';
  const expected = tokens(below);
  for (const mistake of [
    'bot "unclosed',
    "if ($a",
    "execute pay(to=[",
    "define",
    "define user ask \\",
    "define bot",
    "$x = execute",
  ]) {
    const text = `define flow x\n  ${mistake}\n\n${below}`;
    assert.deepEqual(tokens(text).slice(3), expected, mistake);
  }
});

test("hostile lines are read in time", () => {
  const pieces = [
    "(",
    "[",
    '"',
    "\\",
    "$a.",
    "else ",
    "bot ",
    ": ",
    "and ",
    " ",
    "define flow ",
    "'",
  ];
  for (const piece of pieces) {
    tokens(`define flow x\n  ${piece.repeat(1024 / piece.length)}\n`);
    tokens(`${piece.repeat(1024 / piece.length)}\n`);
    tokens(`define flow x\n  if ${piece.repeat(1000 / piece.length)}\n`);
  }
});

function show(line: { text: string; scopes: string[] }[]): string[] {
  const words = line.filter((token) => token.text.trim() !== "");
  const said = words.map((token) => `  ${token.text.trim()}  ${kind(token)}`);
  return words.length === 0 ? [] : [line.map(({ text }) => text).join(""), ...said];
}
