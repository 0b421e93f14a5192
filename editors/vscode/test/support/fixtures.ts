// The rulebooks of the repository, and which of them the compiler takes.
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** The repository. The tests also run in a copy of this folder, which names it. */
export const root = resolve(process.env.RULEBOOK_ROOT ?? join(import.meta.dirname, "../../../.."));

/** A rulebook of the fixtures. */
export interface Fixture {
  name: string;
  text: string;
}

/** All rulebooks below `fixtures/`, in order, but those that are no text or have an error. */
export function validFixtures(): Fixture[] {
  const names = readdirSync(join(root, "fixtures"), { recursive: true, encoding: "utf8" });
  const rulebooks = names.filter((name) => name.endsWith(".co")).sort();
  const valid = rulebooks.filter((name) => !name.startsWith("diagnostics"));
  return valid.map((name) => ({
    name,
    text: readFileSync(join(root, "fixtures", name), "utf8"),
  }));
}
