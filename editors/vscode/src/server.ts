import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join, resolve } from "node:path";

/** The program that has the language server in it. */
export const PROGRAM = "RulebookTranslator";

/** What the server is looked for with. */
export interface Surroundings {
  /** The first folder of the workspace, if one is open. */
  folder: string | undefined;
  /** The environment's `PATH`. */
  path: string | undefined;
  /** The endings that programs have, on Windows. */
  endings: string[];
}

/** The surroundings of this process. */
export function surroundings(folder: string | undefined): Surroundings {
  const { PATH, PATHEXT } = process.env;
  const windows = process.platform === "win32";
  return {
    folder,
    path: PATH,
    endings: windows ? ["", ...(PATHEXT ?? ".EXE").split(";")] : [""],
  };
}

/**
 * The path of the server, or nothing where there is no such program. `setting` is a path or a name;
 * empty, it is the name `RulebookTranslator`. A name is looked for on the `PATH`, a relative path in
 * the first folder of the workspace.
 */
export function findServer(setting: string, around: Surroundings): string | undefined {
  const wanted = setting.trim() === "" ? PROGRAM : setting.trim();
  if (/[\\/]/.test(wanted)) {
    const path = wanted.startsWith("~/") ? join(homedir(), wanted.slice(2)) : wanted;
    const whole = isAbsolute(path) ? path : around.folder && resolve(around.folder, path);
    return whole === undefined ? undefined : program(whole, around.endings);
  }
  for (const folder of (around.path ?? "").split(delimiter)) {
    // An empty entry is the folder that the editor was started in, which nobody means.
    const found = folder === "" ? undefined : program(join(folder, wanted), around.endings);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

/** What a person is told who has no server. */
export function missingServer(setting: string): string {
  return setting.trim() === ""
    ? `No ${PROGRAM} on the PATH. Install Stalwart, or set rulebook.server.path to the program.`
    : `There is no program "${setting.trim()}". Correct rulebook.server.path, or empty it to use the ${PROGRAM} on the PATH.`;
}

function program(path: string, endings: string[]): string | undefined {
  return endings.map((ending) => path + ending).find(runs);
}

function runs(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
