// The extension with the real server: what a person sees in the editor.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { configure, end, start, until } from "./support/extension.ts";
import { mistaken, shop, untidy } from "./support/shop.ts";
import {
  CancellationTokenSource,
  type Document,
  open,
  Range,
  stage,
  type,
} from "./support/vscode.ts";

// biome-ignore lint/suspicious/noExplicitAny: providers are called as the editor calls them
type Any = any;

const server = process.env.RULEBOOK_SERVER ?? "";
const { token } = new CancellationTokenSource();
let opened = 0;

before(() => start({ "rulebook.server.path": server }));
after(end);

function opening(text: string): Document {
  opened += 1;
  return open(`untitled:shop-${opened}.co`, text);
}

/** The provider that was registered under this name. */
function provider(kind: string): Any {
  const found = stage.providers.get(kind);
  assert.ok(found, `the server offers no ${kind}`);
  return found;
}

function whole(document: Document): Range {
  return new Range(document.positionAt(0), document.positionAt(document.text.length));
}

function diagnostics(document: Document) {
  return stage.diagnostics.get(document.uri.toString());
}

/** The one edit of a workspace edit, made in the document. */
function made(document: Document, edit: Any): string {
  assert.deepEqual([...edit.changes.keys()], [document.uri.toString()]);
  return document.edited(edit.changes.get(document.uri.toString()));
}

test("findings come, change with the text and go with it", async () => {
  const document = opening(mistaken);
  const found = await until("a finding", () => diagnostics(document)?.[0]);
  assert.equal(found.severity, 0);
  assert.match(JSON.stringify(found.code), /RB0\d\d\d/);
  assert.deepEqual(found.range.start, document.find("exit"));
  type(document, document.find("exit"), "exit".length, "stop");
  await until("no finding", () => diagnostics(document)?.length === 0);
  type(document, document.find("💶"), 2, '"');
  await until("a finding about a text", () =>
    diagnostics(document)?.some(({ severity }) => severity === 0),
  );
  stage.closed.fire(document);
  await until("no findings of a closed document", () => (diagnostics(document) ?? []).length === 0);
});

test("hover says what a branch decides, and what a name is", async () => {
  const document = opening(shop);
  const hovers = provider("HoverProvider");
  const tool = await hovers.provideHover(document, document.find("refund_card"), token);
  assert.match(JSON.stringify(tool.contents), /refund_card/);
  const name = await hovers.provideHover(document, document.find("$order_paid", 1), token);
  assert.match(JSON.stringify(name.contents), /bool/);
  const message = await hovers.provideHover(document, document.find("refuse order", 1), token);
  assert.match(JSON.stringify(message.contents), /No\./);
});

test("definition, references and highlights are of the same name", async () => {
  const document = opening(shop);
  const use = document.find("check amount", 1);
  const definitions = await provider("DefinitionProvider").provideDefinition(document, use, token);
  assert.deepEqual(
    [definitions]
      .flat()
      .map((place: Any) => (place.targetSelectionRange ?? place.range).start.line),
    [document.find("check amount").line],
  );
  const references = await provider("ReferenceProvider").provideReferences(
    document,
    document.find("refuse order"),
    { includeDeclaration: true },
    token,
  );
  assert.deepEqual(
    references
      .map((place: Any) => document.offsetAt(place.range.start))
      .sort((a: number, b: number) => a - b),
    [0, 1, 2].map((nth) => document.offsetAt(document.find("refuse order", nth))),
  );
  const marked = await provider("DocumentHighlightProvider").provideDocumentHighlights(
    document,
    document.find("$amount"),
    token,
  );
  assert.equal(marked.length, 2);
});

test("renaming changes every use, and refuses what is no name", async () => {
  const document = opening(shop);
  const renaming = provider("RenameProvider");
  const at = document.find("$amount", 1);
  const range = await renaming.prepareRename(document, at, token);
  assert.match(JSON.stringify(range), /line/);
  const edit = await renaming.provideRenameEdits(document, at, "total", token);
  assert.equal(made(document, edit), shop.replaceAll("$amount", "$total"));
  const words = await renaming.provideRenameEdits(
    document,
    document.find("refuse order", 1),
    "refuse sale",
    token,
  );
  assert.equal(made(document, words), shop.replaceAll("refuse order", "refuse sale"));
  await assert.rejects(async () => renaming.provideRenameEdits(document, at, "a b", token));
  await assert.rejects(async () => renaming.prepareRename(document, document.find("else"), token));
});

test("completion offers names, messages, subflows and words where they fit", async () => {
  const document = opening(`${shop}\ndefine flow exchanges\n  do \n  if $\n    bot \n    `);
  const completion = provider("CompletionItemProvider");
  const offered = async (line: number, character: number) => {
    const answer = await completion.provideCompletionItems(
      document,
      { line, character },
      token,
      {},
    );
    return (answer.items ?? answer).map((item: Any) => item.label.label ?? item.label);
  };
  const first = document.find("define flow exchanges").line;
  assert.ok((await offered(first + 1, 5)).includes("check amount"));
  assert.ok((await offered(first + 2, 6)).includes("order_paid"));
  assert.ok((await offered(first + 3, 8)).includes("refuse order"));
  assert.ok((await offered(first + 4, 4)).includes("execute"));
});

test("formatting writes the one style", async () => {
  const document = opening(untidy);
  const edits = await provider("DocumentFormattingEditProvider").provideDocumentFormattingEdits(
    document,
    { tabSize: 2, insertSpaces: true },
    token,
  );
  assert.equal(document.edited(edits), shop);
});

test("a finding has a quick fix, which mends it", async () => {
  const document = opening(mistaken);
  await until("a finding", () => diagnostics(document)?.length);
  const at = document.find("exit");
  const actions = await provider("CodeActionsProvider").provideCodeActions(
    document,
    new Range(at, at),
    { diagnostics: diagnostics(document), only: undefined, triggerKind: 1 },
    token,
  );
  const fix = actions.find(({ kind }: Any) => kind?.value === "quickfix");
  assert.ok(fix, JSON.stringify(actions));
  const resolved =
    fix.edit ?? (await provider("CodeActionsProvider").resolveCodeAction(fix, token)).edit;
  assert.equal(made(document, resolved), shop);
});

test("symbols, folding, selections, tokens and hints cover the document", async () => {
  const document = opening(shop);
  const symbols = await provider("DocumentSymbolProvider").provideDocumentSymbols(document, token);
  const names = symbols.map(({ name }: Any) => name).join("\n");
  for (const name of ["check amount", "refunds", "refuse order", "ask refund"]) {
    assert.ok(names.includes(name), names);
  }
  const folds = await provider("FoldingRangeProvider").provideFoldingRanges(document, {}, token);
  assert.ok(folds.some(({ start }: Any) => start === document.find("define flow refunds").line));
  const selections = await provider("SelectionRangeProvider").provideSelectionRanges(
    document,
    [document.find("refund_card")],
    token,
  );
  assert.ok(selections[0].parent);
  const tokens = await provider("DocumentSemanticTokensProvider").provideDocumentSemanticTokens(
    document,
    token,
  );
  assert.ok(tokens.data.length > 50 && tokens.data.length % 5 === 0);
  const hints = await provider("InlayHintsProvider").provideInlayHints(
    document,
    whole(document),
    token,
  );
  assert.ok(
    hints.some(({ position }: Any) => position.line >= document.find("define flow refunds").line),
  );
  const found = await provider("WorkspaceSymbolProvider").provideWorkspaceSymbols("refunds", token);
  assert.ok(found.some(({ name }: Any) => name.includes("refunds")));
});

test("a restarted server knows the open documents", async () => {
  const document = opening(mistaken);
  await until("a finding", () => diagnostics(document)?.length);
  stage.diagnostics.clear();
  configure({ "rulebook.server.arguments": ["lsp"] });
  await until("the finding again", () => diagnostics(document)?.length);
  assert.deepEqual(stage.messages, []);
});
