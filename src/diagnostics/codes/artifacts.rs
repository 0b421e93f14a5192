//! Codes of artifacts: writing, staleness, loading an IR (contract sections 6 to 8), and of
//! faults of the compiler itself.

super::codes! {
    ARTIFACT_TOO_LARGE = "RB0601", Error, "artifact too large",
    "`rulebook.ir.json` or `Rulebook.rego` would have more than 16 MiB. Nothing is written.

Engines load a package whole and check it before the first decision, and people read it in a
review. A file of this size serves neither. The message names the flow that takes the most room.

A flow grows with its branches, and `if`s that stand one behind the other multiply them. This
one has eight:

```co
define flow transfers
  if $express
    execute mark_express
  if $foreign
    execute convert_currency
  if $joint_account
    execute notify_holders
  execute transfer
```

Let each flow check one thing and end with `stop` or `return` where it is decided, put what holds
for every tool into a guard flow, and give tools that have nothing in common rulebooks of their
own.";

    CONDITION_TOO_DEEP = "RB0602", Error, "condition nested too deeply for Rego",
    "A condition nests `or` inside `and` inside `or`, and so on, so often and with so many parts
that no short chain of rules can say it. Nothing is written.

In Rego each `or` is a rule, and an `or` inside it is a rule that the first one names. Engines
evaluate such chains by recursion, so the compiler keeps them short: it multiplies inner `or`s out
where that stays small. This condition is too large for that; some hundreds of names are needed to
get here.

Split the condition into `if`s that stand in one another:

```co
define flow refunds
  if $order_paid or $order_shipped
    if $customer_known or $amount <= 10
      execute refund_card
```

instead of one `if` with both conditions joined by `and`.";

    IR_NOT_JSON = "RB0620", Error, "compiled rulebook is no JSON",
    "A file whose first character is `{` is read as a compiled rulebook, `rulebook.ir.json`. This one is no JSON text: something is missing or unknown at the line that the message names, or a key stands twice in one object, where readers would disagree on which one counts.\n\nThe file is generated. Emit it again from its source:\n\n```\nRulebookTranslator emit policy.co\n```";
    IR_OTHER_FORMAT = "RB0621", Error, "compiled rulebook of another format",
    "A compiled rulebook names its format, `\"format\": \"rulebook-ir/1\"`. This file names another one or none, so what its keys mean is not known, and it is refused rather than guessed at.\n\nEmit the rulebook again with this version, or read it with the version that wrote it:\n\n```\nRulebookTranslator emit policy.co\n```";
    IR_SHAPE = "RB0622", Error, "compiled rulebook with an unknown or missing key",
    "The keys of a compiled rulebook and the kinds of their values are fixed by its JSON Schema, `schema/rulebook-ir-1.schema.json`. A key that is unknown may be meant to decide something; a file with one is refused, since leaving the key out could let a call through.\n\nThe file is generated. Emit it again from its source:\n\n```\nRulebookTranslator emit policy.co\n```";
    IR_INVARIANT = "RB0623", Error, "compiled rulebook that no source gives",
    "Everything that the checks guarantee of a compiled rulebook is checked again when it is loaded: ids count up, the paths of a flow form a decision tree with every way listed, complements fit their conditions, names have one type, no tool runs behind a refusal, and so on. This file breaks the rule that the message names, at the place it names, so nobody can rely on what it decides.\n\nThe file was edited or damaged. Emit it again from its source, and make changes there:\n\n```\nRulebookTranslator emit policy.co\n```";
    IR_TOO_LARGE = "RB0624", Error, "compiled rulebook is larger than 16 MiB",
    "An artifact has at most 16 MiB, so that every tool that reads it needs bounded time and memory; no source that checks gives a larger one.\n\nSplit the rulebook into several, each with its own package:\n\n```text\nRulebookTranslator emit refunds.co --out-dir opa/refunds\nRulebookTranslator emit transfers.co --out-dir opa/transfers\n```";
    CANNOT_WRITE = "RB0640", Error, "file or folder cannot be written",
    "An artifact, its folder, or an answer could not be written; the message gives the system's reason. Whatever was there before is still there: both artifacts are written beside the old ones first, and replace them only when all bytes are on the disk.\n\nCheck the folder's permissions and the free space, or name another folder:\n\n```text\nRulebookTranslator emit policy.co --out-dir build/policy\n```";
    STALE = "RB0641", Error, "artifact is stale",
    "The artifact was emitted from another text of the source: the hash of the source that it records is not the hash of the source as it is now. A gate that loads it enforces an older version of the rulebook.\n\nEmit again, and commit source and artifacts together:\n\n```text\nRulebookTranslator emit policy.co --out-dir opa\n```";
    OTHER_TRANSLATOR = "RB0642", Error, "artifact is from another version of the translator",
    "The artifact's header names another version than the one that checks it. The source is the same, but another version may write other bytes, so that a comparison says nothing.\n\nCheck with the version that emitted, or emit again with this one and commit what it writes:\n\n```text\nRulebookTranslator emit policy.co --out-dir opa\n```";
    HAND_EDITED = "RB0643", Error, "artifact was edited by hand",
    "The artifact says that it was emitted from this source by this version, but its bytes are not those that the source gives. Someone, or some tool, changed it behind the translator: what the gate enforces is no longer what the rulebook says.\n\nMove the change into the rulebook and emit again. Formatters and line-end conversion must leave artifacts alone; in a `.gitattributes`:\n\n```text\nRulebook*.rego    -text\nrulebook.ir.json  -text\n```";
    MISSING = "RB0644", Error, "artifact is missing",
    "The folder does not have a file that these options write.\n\nEmit, or name the folder that has it with `--out-dir`. With `--target ir` only `rulebook.ir.json` is expected:\n\n```text\nRulebookTranslator emit policy.co --out-dir opa --target ir --check\n```";
    EXTRA = "RB0645", Error, "file beside the artifacts that should not be there",
    "Either another `.rego` file in the folder declares the package of the rulebook, so that OPA would load both and let the other one add or change decisions; or the folder has an artifact that these options would not write.\n\n```rego\n# helper.rego beside Rulebook.rego: one line like this one opens every tool\npackage stalwart.policy\n\ndecision := {\"decision\": \"allow\", \"rule\": \"\"}\n```\n\nMove the file to another folder, or give it another package.";
    OTHER_RULEBOOK = "RB0646", Error, "folder holds the artifacts of another rulebook",
    "The artifacts in the folder name another source file or another package. They are not overwritten, since a gate may load them.\n\nGive every rulebook a folder of its own; if the source or the package was renamed, delete the old artifacts first:\n\n```text\nRulebookTranslator emit refunds.co --out-dir opa/refunds\nRulebookTranslator emit returns.co --out-dir opa/returns\n```";
    NO_PACKAGE = "RB0647", Error, "file name gives no package name",
    "The Rego package is named after the source file: `policy.co` becomes `stalwart.policy`. That needs a name of ASCII letters, digits and `_` that starts with no digit, is no word of Rego, not `input` or `data`, and does not end in `_test`.\n\nRename the file, or give the whole package name; nothing is added to it:\n\n```text\nRulebookTranslator emit my-rules.co --package shop.my_rules\n```";
    BAD_PACKAGE = "RB0648", Error, "not a package name",
    "`--package` takes the whole name of a Rego package: parts joined by dots, each of ASCII letters, digits and `_`, starting with no digit, no word of Rego, not `input` or `data`; the last part does not end in `_test`.\n\n```text\nRulebookTranslator emit my-rules.co --package shop.my_rules\n```";
    NOT_OURS = "RB0649", Error, "file was not written by this translator",
    "The folder has a file with the name of an artifact that does not look like one: a `Rulebook.rego` whose header is missing or damaged, a `rulebook.ir.json` that does not say which source it is of. It is not overwritten, since it may be somebody's own work.\n\nMove or delete it, or name another folder:\n\n```text\nRulebookTranslator emit policy.co --out-dir build/policy\n```";
    OTHER_PAIR = "RB0650", Error, "IR would stand beside a Rego package of another IR",
    "`--target ir` writes `rulebook.ir.json` alone. The folder has a `Rulebook.rego` that was emitted from another IR, so the two would no longer be a pair, and whoever evaluates the one would decide otherwise than whoever loads the other.\n\nEmit both, which is the default, or write the IR to another folder:\n\n```text\nRulebookTranslator emit policy.co --target ir --out-dir build/ir\n```";
    NO_SOURCES = "RB0651", Error, "folder has no rulebook",
    "`check DIR` and `fmt DIR` read every file below the folder whose name ends in `.co`; there is none. That is an error and not a success, so that a mistyped path in a script is found. Folders whose names begin with a dot, such as `.git`, are passed over.\n\nName the folder that has the rulebooks, or one file:\n\n```text\nRulebookTranslator check policies/\nRulebookTranslator check policies/refunds.co\n```";
    BAD_INPUT = "RB0652", Error, "input of a decision is not JSON",
    "`eval` reads a context as JSON, and an `--input` as JSON lines: one object a line, with `tool` and `context`. The message says where the JSON ends to be JSON. Any JSON will do, however deep: a decision looks only at what the rulebook names.\n\n```text\nRulebookTranslator eval policy.co --tool refund_card --context '{\"order_paid\": true}'\necho '{\"tool\": \"refund_card\", \"context\": {\"order_paid\": true}}' |\n  RulebookTranslator eval policy.co --input -\n```\n\nA line that is no JSON object is answered by `{\"error\": …}` at its place, and the command ends with exit code 2.\n\n`conformance` reads files of the format `rulebook-vectors/1` in the same way.";
    UNKNOWN_CODE = "RB0653", Error, "no such code",
    "`explain` was asked for a code that does not exist. Without a code it lists all of them:\n\n```text\nRulebookTranslator explain\nRulebookTranslator explain RB0301\n```";
    OPTION_WITHOUT_EFFECT = "RB0654", Error, "option that would do nothing here",
    "`--with-tests` and `--adapter` of `emit` write files that belong to the Rego package: tests of it, and packages that ask it. With `--target ir` there is no package to stand beside. `--deny-silent` says how adapters answer, and does nothing where none is asked for, on the command line or in `rulebook.toml`. Nothing was written.\n\nLeave out the option that was not meant:\n\n```text\nRulebookTranslator emit policy.co --with-tests\nRulebookTranslator emit policy.co --adapter kong --deny-silent\nRulebookTranslator emit policy.co --target ir\n```";
    LEFT_BEHIND = "RB0655", Note, "file of an older text beside the artifacts",
    "`emit` wrote the artifacts, and a file beside them that an earlier `emit` wrote was not asked for this time: tests for `opa test`, or an adapter. It is of another text of the rulebook, or of another version of it, so it may fail, or speak for what is no longer so. It was left as it is; `emit --check` calls it extra, and `verify` calls the chain broken.\n\nWrite it again with the option that the message names, or delete it. A project says once and for all what it wants beside its packages:\n\n```toml\n[defaults]\nwith-tests = true\nadapters = [\"kong\"]\n```";
    LOOSER_ADAPTER = "RB0656", Error, "adapter that would let more pass",
    "An adapter is there that was written with `--deny-silent`, so that a call of which no rule speaks is denied. These options would replace it by one that lets such calls pass. That opens the gate for every tool that the rulebook does not name, so it does not happen by leaving out an option: nothing was written.\n\nGive the option again, or delete the old file first if that is what you want. A project says it once and for all:\n\n```toml\n[defaults]\nadapters = [\"kong\"]\ndeny-silent = true\n```";
}
