import { commands, type ExtensionContext, type OutputChannel, window, workspace } from "vscode";
import type { LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";
import { Client } from "./client";
import { findServer, missingServer, surroundings } from "./server";

/** How often a server that ends by itself is started again within `PERIOD` milliseconds. */
const RESTARTS = 3;

const PERIOD = 3 * 60 * 1000;

const OPEN_SETTINGS = "Open Settings";

let client: Client | undefined;
/** When the server ended by itself. */
let endings: number[] = [];
let channel: OutputChannel | undefined;
/** Starts and stops happen one behind the other, however quickly they are asked for. */
let turn: Promise<void> = Promise.resolve();

/** Starts the server for the first rulebook that is opened. */
export async function activate(context: ExtensionContext): Promise<void> {
  channel = window.createOutputChannel("Rulebook");
  context.subscriptions.push(
    channel,
    commands.registerCommand("rulebook.restartServer", begin),
    workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("rulebook.server")) {
        await begin();
      }
    }),
    workspace.onDidGrantWorkspaceTrust(begin),
  );
  await begin();
}

/** Ends the server. */
export async function deactivate(): Promise<void> {
  await queue(stop);
}

/** Starts the server because a person wants it: all that went wrong before is forgotten. */
function begin(): Promise<void> {
  endings = [];
  return restart();
}

/** Goes on when the server has ended by itself. */
function ended(which: Client): void {
  if (which !== client) {
    return;
  }
  const now = Date.now();
  endings = [...endings.filter((ending) => now - ending < PERIOD), now];
  if (endings.length > RESTARTS) {
    void tell(
      `The server has ended by itself ${endings.length} times within three minutes and is not started again. The output "Rulebook" says more.`,
    );
    return;
  }
  channel?.appendLine("The server has ended by itself and is started again.");
  void restart();
}

function restart(): Promise<void> {
  return queue(async () => {
    await stop();
    await start();
  });
}

function queue(step: () => Promise<void>): Promise<void> {
  turn = turn.then(step, step);
  return turn;
}

async function stop(): Promise<void> {
  const ending = client;
  client = undefined;
  await ending?.dispose();
}

async function start(): Promise<void> {
  const settings = workspace.getConfiguration("rulebook.server");
  const setting = settings.get<string>("path", "");
  const folder = workspace.workspaceFolders?.[0]?.uri;
  const command = findServer(
    setting,
    surroundings(folder?.scheme === "file" ? folder.fsPath : undefined),
  );
  if (command === undefined) {
    // Not awaited: the answer may never come.
    void tell(missingServer(setting));
    return;
  }
  const server: ServerOptions = { command, args: settings.get<string[]>("arguments", ["lsp"]) };
  const starting: Client = new Client(server, options(), () => ended(starting));
  client = starting;
  try {
    await starting.start();
  } catch (error) {
    client = undefined;
    channel?.appendLine(String(error));
    void tell(`${command} ${(server.args ?? []).join(" ")} does not start: ${reason(error)}`);
  }
}

function options(): LanguageClientOptions {
  return {
    documentSelector: [
      { language: "rulebook", scheme: "file" },
      { language: "rulebook", scheme: "untitled" },
    ],
    outputChannel: channel,
    synchronize: { fileEvents: workspace.createFileSystemWatcher("**/rulebook.toml") },
  };
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function tell(message: string): Promise<void> {
  const answer = await window.showErrorMessage(message, OPEN_SETTINGS);
  if (answer === OPEN_SETTINGS) {
    await commands.executeCommand("workbench.action.openSettings", "rulebook.server");
  }
}
