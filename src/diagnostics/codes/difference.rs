//! Codes of comparing two versions of a rulebook, and of decision tables.

super::codes! {
    NO_GIT = "RB0670", Error, "git cannot be asked",
    "`diff --git REV PATH` reads the old version of a file from the Git repository that the file is in, by running `git`. Either there is no `git` program on the search path, or it could not be started, or the file's folder is in no repository; the message gives the reason.

Without Git, compare two files:

```text
RulebookTranslator diff old/policy.co policy.co
```";
    NO_REVISION = "RB0671", Error, "no such revision",
    "The revision that `--git` names is not known to the repository that the file is in. A revision is anything that `git rev-parse` understands: a branch, a tag, `HEAD~1`, a hash.

In a build job the repository is often a shallow copy that has only the last commit. Have it fetch the branch that is compared with:

```text
git fetch --depth 1 origin main
RulebookTranslator diff --git origin/main policy.co
```";
    UNKNOWN_TOOL = "RB0672", Error, "no version names this tool",
    "`--tool` was given a tool that no flow runs and that no guard compares with `$tool_name`. That is an error and not an empty answer, so that a mistyped name is found.

Without `--tool` all tools are told:

```text
RulebookTranslator diff old.co policy.co
RulebookTranslator table policy.co
```";
    OLD_HAS_ERRORS = "RB0673", Error, "old version has errors",
    "The old version does not check, so what it decides is not known and nothing can be compared. Its errors stand before this one. An older release of the translator may have accepted it; what a gate enforces for it is what is in its artifacts.

Compare with the IR that was emitted for it, which is checked in beside the Rego package:

```text
RulebookTranslator diff --git main opa/rulebook.ir.json
RulebookTranslator diff old/rulebook.ir.json policy.co
```

Or correct the old version first, in a change of its own.";
    TOO_LARGE_TO_SHOW = "RB0674", Error, "decision table too large",
    "The decisions on a tool depend on so many names in so many ways that they cannot be cut into the rows of a table within the bounds. `diff` compares such tools by samples and says so; a table of samples would show what it does not know.

Ask for the other tools one by one with `--tool`, and split the flows of this one: what holds for every tool belongs into a guard, and one flow should check one thing.

```text
RulebookTranslator table policy.co --tool refund_card
```";
}
