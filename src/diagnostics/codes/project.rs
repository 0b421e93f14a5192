//! Codes of projects: `rulebook.toml`, and what commands do with it.

super::codes! {
    NOT_TOML = "RB0801", Error, "`rulebook.toml` is no TOML",
    "A project's file is written in TOML: lines of `key = value`, tables in brackets, comments behind `#`. The message says what stands in the way at this place; what is behind it was not read.

```toml
[defaults]
deny = [\"warnings\"]

[[rulebook]]
path = \"policies/refunds.co\"
```";

    UNKNOWN_KEY = "RB0802", Error, "no such key in `rulebook.toml`",
    "A key that nobody reads would be a setting that holds for nothing, so each must be known. Most often it is misspelt, or stands in another table than its own: what is written below a `[[rulebook]]` belongs to that rulebook, up to the next table.

```toml
exclude = [\"drafts\"]           # above the first table

[defaults]                     # what holds for all rulebooks
deny = [\"warnings\"]

[[rulebook]]                   # what holds for one
path = \"policies/refunds.co\"
out-dir = \"opa/refunds\"
```

[docs/projects.md](projects.md) lists all keys.";

    WRONG_TYPE = "RB0803", Error, "value in `rulebook.toml` has another type",
    "Every key has values of one type: a string between quotes, a list in brackets, a whole number.

```toml
[defaults]
deny = [\"warnings\"]            # a list, also of one
proof-points = 50000           # a number, without quotes

[[rulebook]]                   # two brackets: there may be many
path = \"policies/refunds.co\"
```";

    MISSING_KEY = "RB0804", Error, "rulebook of a project without a path",
    "Each `[[rulebook]]` says with `path` which file it is.

```toml
[[rulebook]]
path = \"policies/refunds.co\"
```";

    BAD_VALUE = "RB0805", Error, "value in `rulebook.toml` is none of those that are possible",
    "A number is outside of its range, `format` names a format that this translator does not read, `adapters` names a proxy that there is no adapter for, or `deny-silent` stands where there are no adapters that could deny. A percentage is a number from 0 to 100, a proof evaluates at least one call, the format is `rulebook-toml/1`, and the adapters are `kong`, `envoy`, `agentgateway` and `http`.

```toml
format = \"rulebook-toml/1\"

[defaults]
coverage-threshold = 90
adapters = [\"kong\"]
deny-silent = true
```";

    BAD_DENY = "RB0806", Error, "nothing that could be denied",
    "`deny` lists what ends a command with 1 though it is no error: `warnings` for all of them, or the codes of warnings and notes. Errors always do. A code that does not exist would deny nothing, in silence.

```toml
[defaults]
deny = [\"RB0401\", \"RB0405\"]
```

`RulebookTranslator explain` lists all codes with their severity.";

    BAD_PATH = "RB0807", Error, "path that a project cannot have",
    "Paths in `rulebook.toml` are relative to its folder, written with `/` on every system, and stay inside of that folder, so that they mean the same files on every machine. In `out-dir`, `package` and `tests`, `{stem}` is the source's name without its extension; other braces mean nothing.

```toml
[[rulebook]]
path = \"policies/*.co\"
out-dir = \"opa/{stem}\"
```";

    NO_SUCH_FILE = "RB0808", Error, "path in `rulebook.toml` that leads to no file",
    "A `path` or a test names a file that does not exist, or a pattern fits none. A project whose files are gone must not look as if all were well with them.

`*` stands for any part of a name, `**` for any folders. Names that begin with a dot are passed over, and a `path` passes over what `exclude` names.

```toml
[[rulebook]]
path = \"policies/**/*.co\"
out-dir = \"opa/{stem}\"
```";

    LISTED_TWICE = "RB0809", Error, "a file is two rulebooks of a project",
    "Two entries mean one file, and may say different things of it. A file that an entry names itself is not taken by patterns of other entries; two names, or two patterns that fit, are a mistake.

```toml
[[rulebook]]
path = \"policies/*.co\"         # all of them, but for refunds.co
out-dir = \"opa/{stem}\"

[[rulebook]]
path = \"policies/refunds.co\"
package = \"shop.refunds\"
out-dir = \"opa/shop\"
```";

    SHARED_FOLDER = "RB0810", Error, "two rulebooks of a project would be written into one folder",
    "`rulebook.ir.json` and `Rulebook.rego` are the files of one rulebook. Of two with one `out-dir`, the second would be refused, or replace the first. Without `out-dir` a rulebook's folder is that of its source.

```toml
[[rulebook]]
path = \"policies/*.co\"
out-dir = \"opa/{stem}\"         # opa/refunds, opa/transfers, …
```";

    SHARED_PACKAGE = "RB0811", Error, "two rulebooks of a project have one package",
    "An engine that loads two files of one package takes them for one: their rules would be mixed, and decisions be in conflict. Without `package` a rulebook's package is `stalwart.` and its file's name without extension, whatever the folder.

```toml
[[rulebook]]
path = \"shop/policy.co\"
package = \"shop.gate\"

[[rulebook]]
path = \"bank/policy.co\"
package = \"bank.gate\"
```";

    NO_RULEBOOKS = "RB0812", Error, "project has no rulebook",
    "A `rulebook.toml` without a `[[rulebook]]` gives the commands nothing to look at. That is an error and no success, so that nobody takes it for one.

```toml
[[rulebook]]
path = \"policies/refunds.co\"
```";

    NO_PROJECT = "RB0813", Error, "no file is named, and there is no project",
    "A command without a FILE, or with `--all`, looks at the rulebooks of the project: those that the nearest `rulebook.toml` lists. There is none in this folder, nor in those above it.

Name a file, or write a `rulebook.toml` into the root of the repository:

```toml
[[rulebook]]
path = \"policies/*.co\"
out-dir = \"opa/{stem}\"
```";

    UNLISTED = "RB0814", Warning, "file is no rulebook of the project",
    "A `.co` file lies in the project's folder, and no `[[rulebook]]` means it. `emit`, `check --all` and `test --all` pass over it: its artifacts may be stale, or it may never have been checked. Most often it is new.

List it, or say that it is none of the project's rulebooks:

```toml
exclude = [\"drafts\", \"**/examples\"]

[[rulebook]]
path = \"policies/*.co\"
out-dir = \"opa/{stem}\"
```";

    CANNOT_WATCH = "RB0815", Error, "nothing can be watched",
    "`--watch` runs a command again whenever one of its files changes. Standard input does not change, and a project that cannot be found has no files.

```text
RulebookTranslator check policy.co --watch
```";
}
