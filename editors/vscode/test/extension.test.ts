// The extension's own work: finding the server, starting it, and what happens when it cannot.
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, test } from "node:test";
import { findServer, missingServer } from "../src/server.ts";
import { configure, end, start, until } from "./support/extension.ts";
import { open, stage } from "./support/vscode.ts";

const folder = mkdtempSync(join(tmpdir(), "rulebook-"));
let used = 0;

/** A program that is a Node script; it appends a line to a file when it starts. */
function program(body: string): { path: string; starts: () => number } {
  used += 1;
  const path = join(folder, `server-${used}`);
  const log = join(folder, `starts-${used}`);
  writeFileSync(log, "");
  const note = `require("node:fs").appendFileSync(${JSON.stringify(log)}, "start\\n");`;
  writeFileSync(path, `#!${process.execPath}\n${note}\n${body}\n`);
  chmodSync(path, 0o755);
  return { path, starts: () => readFileSync(log, "utf8").split("\n").length - 1 };
}

/** A server that answers `initialize` and `shutdown`, and then does `more`. */
function server(more = ""): { path: string; starts: () => number } {
  return program(`
let input = "";
const send = (value) => {
  const text = JSON.stringify({ jsonrpc: "2.0", ...value });
  process.stdout.write("Content-Length: " + Buffer.byteLength(text) + "\\r\\n\\r\\n" + text);
};
process.stdin.on("data", (data) => {
  input += data;
  for (;;) {
    const head = input.match(/^Content-Length: (\\d+)\\r\\n\\r\\n/);
    if (!head || input.length < head[0].length + Number(head[1])) return;
    const message = JSON.parse(input.slice(head[0].length, head[0].length + Number(head[1])));
    input = input.slice(head[0].length + Number(head[1]));
    if (message.method === "initialize") send({ id: message.id, result: { capabilities: {} } });
    if (message.method === "shutdown") send({ id: message.id, result: null });
    if (message.method === "exit") process.exit(0);
    ${more}
  }
});`);
}

afterEach(end);

test("a name is looked for on the PATH, a path where it leads", () => {
  const bin = join(folder, "bin");
  mkdirSync(join(bin, "other"), { recursive: true });
  mkdirSync(join(bin, "RulebookTranslator.d"));
  writeFileSync(join(bin, "RulebookTranslator"), "");
  writeFileSync(join(bin, "other", "RulebookTranslator"), "");
  chmodSync(join(bin, "other", "RulebookTranslator"), 0o755);
  const around = {
    folder: bin,
    path: ["", bin, join(bin, "other"), "/nowhere"].join(delimiter),
    endings: [""],
  };
  // The first of that name on the PATH is no program.
  assert.equal(findServer("", around), join(bin, "other", "RulebookTranslator"));
  assert.equal(findServer("  ", around), join(bin, "other", "RulebookTranslator"));
  assert.equal(
    findServer("./other/RulebookTranslator", around),
    join(bin, "other/RulebookTranslator"),
  );
  assert.equal(findServer(join(bin, "other"), around), undefined, "a folder is no program");
  assert.equal(findServer("other", { ...around, path: undefined }), undefined);
  assert.equal(
    findServer("./other/RulebookTranslator", { ...around, folder: undefined }),
    undefined,
  );
  chmodSync(join(bin, "RulebookTranslator"), 0o755);
  const windows = { folder: undefined, path: bin, endings: ["", "Translator"] };
  assert.equal(findServer("Rulebook", windows), join(bin, "RulebookTranslator"));
});

test("a missing server is one message, which says what to do and leads to the setting", async () => {
  stage.answer = "Open Settings";
  await start({ "rulebook.server.path": "/nowhere/RulebookTranslator" });
  open("untitled:a", "define flow a\n");
  assert.deepEqual(stage.messages, [missingServer("/nowhere/RulebookTranslator")]);
  await until("the settings opened", () => stage.run.length > 0);
  assert.deepEqual(stage.run, [["workbench.action.openSettings", "rulebook.server"]]);
  stage.answer = undefined;
  assert.match(missingServer(""), /Install Stalwart, or set rulebook\.server\.path/);
});

test("a server is started, restarted on command and on a changed setting, and ended", async () => {
  const first = server();
  const second = server();
  await start({ "rulebook.server.path": first.path });
  assert.equal(first.starts(), 1);
  await stage.commands.get("rulebook.restartServer")?.();
  assert.equal(first.starts(), 2);
  configure({ "rulebook.trace.server": "verbose" });
  configure({ "rulebook.server.path": second.path });
  await until("the other server started", () => second.starts() === 1);
  assert.equal(first.starts(), 2);
  // Many wishes at once are one behind the other.
  await Promise.all([1, 2, 3].map(() => stage.commands.get("rulebook.restartServer")?.()));
  assert.equal(second.starts(), 4);
  assert.deepEqual(stage.messages, []);
});

test("a server that cannot start is one message", async () => {
  const broken = program("process.exit(3)");
  await start({ "rulebook.server.path": broken.path, "rulebook.server.arguments": ["lsp", "-x"] });
  assert.equal(stage.messages.length, 1, stage.messages.join("\n"));
  assert.match(stage.messages[0] ?? "", /server-\d+ lsp -x does not start: /);
  // The command tries again, and a correct setting helps.
  const working = server();
  configure({ "rulebook.server.path": working.path });
  await until("the working server started", () => working.starts() === 1);
});

test("a server that keeps ending is restarted a few times and no more", async () => {
  const ending = server('if (message.method === "initialized") process.exit(1);');
  await start({ "rulebook.server.path": ending.path });
  const given = /^The server has ended by itself 4 times/;
  await until("the client gave up", () => stage.messages.some((text) => given.test(text)));
  await new Promise((go) => setTimeout(go, 300));
  assert.equal(ending.starts(), 4);
  assert.equal(stage.messages.length, 1, stage.messages.join("\n"));
  // A person may try again.
  await stage.commands.get("rulebook.restartServer")?.();
  await until("it was tried again", () => ending.starts() > 4);
});
