import { commands, type ExtensionContext, type OutputChannel, window, workspace } from "vscode";
import {
  LanguageClient,
  type LanguageClientOptions,
  type ServerOptions,
} from "vscode-languageclient/node";
import { findServer, missingServer, surroundings } from "./server";

/** How often a server that ends by itself is started again within three minutes. */
const RESTARTS = 3;

const OPEN_SETTINGS = "Open Settings";

let client: LanguageClient | undefined;
let channel: OutputChannel | undefined;
/** Starts and stops happen one behind the other, however quickly they are asked for. */
let turn: Promise<void> = Promise.resolve();

/** Starts the server for the first rulebook that is opened. */
export async function activate(context: ExtensionContext): Promise<void> {
  channel = window.createOutputChannel("Rulebook");
  context.subscriptions.push(
    channel,
    commands.registerCommand("rulebook.restartServer", restart),
    workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("rulebook.server")) {
        await restart();
      }
    }),
    workspace.onDidGrantWorkspaceTrust(restart),
  );
  await restart();
}

/** Ends the server. */
export async function deactivate(): Promise<void> {
  await queue(stop);
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
  try {
    await ending?.dispose();
  } catch (error) {
    // A server that has failed cannot be stopped once more.
    channel?.appendLine(String(error));
  }
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
  const starting = new LanguageClient("rulebook", "Rulebook", server, options());
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
    connectionOptions: { maxRestartCount: RESTARTS },
    // The one message about a server that does not start is ours.
    initializationFailedHandler: () => false,
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
