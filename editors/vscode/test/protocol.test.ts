// The server before the protocol's own library, as VS Code speaks to it, down to the bytes.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import {
  createProtocolConnection,
  DidChangeTextDocumentNotification,
  DidOpenTextDocumentNotification,
  ExitNotification,
  HoverRequest,
  InitializedNotification,
  InitializeRequest,
  type InitializeResult,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
  type PublishDiagnosticsParams,
  RenameRequest,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver-protocol/node.js";
import { end, start, until } from "./support/extension.ts";
import { validFixtures } from "./support/fixtures.ts";
import { mistaken, shop } from "./support/shop.ts";

const server = process.env.RULEBOOK_SERVER ?? "";
const recorded = join(import.meta.dirname, "support/capabilities.json");

/** A conversation with a server of its own. */
interface Talk {
  process: ChildProcess;
  connection: ProtocolConnection;
  offered: InitializeResult;
  findings: Map<string, PublishDiagnosticsParams>;
  ended: Promise<number | null>;
}

async function talk(): Promise<Talk> {
  const child = spawn(server, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise<number | null>((settle) => child.on("exit", settle));
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  const findings = new Map<string, PublishDiagnosticsParams>();
  connection.onNotification(PublishDiagnosticsNotification.type, (sent) => {
    findings.set(sent.uri, sent);
  });
  connection.listen();
  const offered = await connection.sendRequest(InitializeRequest.type, {
    processId: process.pid,
    clientInfo: { name: "Visual Studio Code", version: "1.100.0" },
    rootUri: null,
    workspaceFolders: null,
    capabilities: JSON.parse(readFileSync(recorded, "utf8")),
  });
  await connection.sendNotification(InitializedNotification.type, {});
  return { process: child, connection, offered, findings, ended };
}

async function close({ connection, ended }: Talk): Promise<void> {
  await connection.sendRequest(ShutdownRequest.type);
  await connection.sendNotification(ExitNotification.type);
  assert.equal(await ended, 0);
  connection.dispose();
}

function document(uri: string, text: string) {
  return { textDocument: { uri, languageId: "rulebook", version: 1, text } };
}

test("the recorded capabilities are those that the client library sends", async () => {
  const folder = mkdtempSync(join(tmpdir(), "rulebook-"));
  const [between, heard] = [join(folder, "between"), join(folder, "heard")];
  writeFileSync(between, `#!/bin/sh\ntee '${heard}' | '${server}' lsp\n`, { mode: 0o755 });
  await start({ "rulebook.server.path": between });
  await end();
  const sent = readFileSync(heard, "utf8").match(/\r\n\r\n(\{.*?\})Content-Length/)?.[1];
  assert.ok(sent, "the client sent nothing");
  const capabilities = `${JSON.stringify(JSON.parse(sent).params.capabilities, undefined, 1)}\n`;
  if (process.env.UPDATE_SNAPSHOTS === "1") {
    writeFileSync(recorded, capabilities);
  }
  assert.equal(readFileSync(recorded, "utf8"), capabilities);
});

test("a server is initialized, shut down and ends", async () => {
  const one = await talk();
  assert.equal(one.offered.capabilities.positionEncoding ?? "utf-16", "utf-16");
  assert.equal(one.offered.serverInfo?.name, "RulebookTranslator");
  await close(one);
  const other = await talk();
  await other.connection.sendNotification(ExitNotification.type);
  assert.equal(await other.ended, 1, "an exit without a shutdown is a failure");
});

test("typing character by character leads to the findings of the whole text", async () => {
  const one = await talk();
  const whole = "untitled:whole.co";
  const typed = "untitled:typed.co";
  await one.connection.sendNotification(
    DidOpenTextDocumentNotification.type,
    document(whole, mistaken),
  );
  await one.connection.sendNotification(DidOpenTextDocumentNotification.type, document(typed, ""));
  let version = 1;
  let [line, character] = [0, 0];
  for (const unit of mistaken) {
    version += 1;
    const at = { line, character };
    await one.connection.sendNotification(DidChangeTextDocumentNotification.type, {
      textDocument: { uri: typed, version },
      contentChanges: [{ range: { start: at, end: at }, text: unit }],
    });
    [line, character] = unit === "\n" ? [line + 1, 0] : [line, character + unit.length];
  }
  const expected = await until("the findings of the whole", () => one.findings.get(whole));
  assert.equal(expected.diagnostics.length, 1);
  const found = await until("the findings of what was typed", () => {
    const sent = one.findings.get(typed);
    return sent?.version === version && sent.diagnostics.length > 0 ? sent : undefined;
  });
  const plain = (sent: PublishDiagnosticsParams) =>
    JSON.parse(JSON.stringify(sent.diagnostics).replaceAll(typed, whole));
  assert.deepEqual(plain(found), plain(expected));
  await close(one);
});

test("every valid fixture opens without an error", async () => {
  const one = await talk();
  const fixtures = validFixtures();
  for (const { name, text } of fixtures) {
    await one.connection.sendNotification(
      DidOpenTextDocumentNotification.type,
      document(`untitled:${encodeURI(name)}`, text),
    );
  }
  await until("findings of all", () => one.findings.size === fixtures.length);
  await close(one);
});

test("columns count UTF-16 code units behind a character of two", async () => {
  const one = await talk();
  const uri = "untitled:shop.co";
  await one.connection.sendNotification(DidOpenTextDocumentNotification.type, document(uri, shop));
  const lines = shop.split("\n");
  const line = lines.findIndex((text) => text.includes("refund_card"));
  const character = lines[line]?.indexOf("order_id") ?? -1;
  const position = { line, character };
  const hover = await one.connection.sendRequest(HoverRequest.type, {
    textDocument: { uri },
    position,
  });
  // The name of a value is hovered over with its `$`.
  assert.equal(hover?.range?.start.character, character - 1);
  const edit = await one.connection.sendRequest(RenameRequest.type, {
    textDocument: { uri },
    position,
    newName: "number",
  });
  const edits =
    edit?.changes?.[uri] ??
    edit?.documentChanges?.flatMap((change) => ("edits" in change ? change.edits : []));
  const range = {
    start: { line, character },
    end: { line, character: character + "order_id".length },
  };
  assert.deepEqual(
    edits?.map(({ range: place }) => place.end),
    [range.end],
  );
  await close(one);
});
