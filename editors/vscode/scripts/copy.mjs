// Copies what the extension shares with other editors into its folder, where the package needs it.
import { copyFileSync, mkdirSync } from "node:fs";

mkdirSync("syntaxes", { recursive: true });
copyFileSync("../textmate/rulebook.tmLanguage.json", "syntaxes/rulebook.tmLanguage.json");
copyFileSync("../../LICENSE", "LICENSE");
