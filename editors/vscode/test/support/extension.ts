// The bundled extension, with the stub in the place of the module `vscode`.
import { createRequire, registerHooks } from "node:module";
import { join } from "node:path";
import { stage, workspace } from "./vscode.ts";

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "vscode"
      ? { url: new URL("./vscode.ts", import.meta.url).href, shortCircuit: true }
      : next(specifier, context),
});

/** What the editor calls. */
interface Extension {
  activate(context: { subscriptions: { dispose(): unknown }[] }): Promise<void>;
  deactivate(): Promise<void>;
}

const bundle = join(import.meta.dirname, "../../dist/extension.js");
const extension: Extension = createRequire(import.meta.url)(bundle);
let subscriptions: { dispose(): unknown }[] = [];

/** Starts the extension with these settings. */
export async function start(settings: Record<string, unknown>): Promise<void> {
  stage.settings = new Map(Object.entries(settings));
  stage.messages = [];
  stage.output = [];
  stage.run = [];
  subscriptions = [];
  await extension.activate({ subscriptions });
}

/** Ends the extension as the editor does. */
export async function end(): Promise<void> {
  await extension.deactivate();
  for (const one of subscriptions) {
    one.dispose();
  }
  workspace.textDocuments.length = 0;
}

/** Changes settings as a person does. */
export function configure(settings: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(settings)) {
    stage.settings.set(name, value);
  }
  const affectsConfiguration = (section: string) =>
    Object.keys(settings).some((name) => name.startsWith(section));
  stage.configured.fire({ affectsConfiguration });
}

/** Waits until something holds; fails with what was shown if it does not within ten seconds. */
export async function until<T>(what: string, found: () => T | undefined | false): Promise<T> {
  for (let tries = 0; tries < 500; tries += 1) {
    const value = found();
    if (value !== undefined && value !== false) {
      return value;
    }
    await new Promise((go) => setTimeout(go, 20));
  }
  const said = [...stage.messages, ...stage.output].join("\n");
  throw new Error(`${what} does not come to hold; shown so far:\n${said}`);
}
