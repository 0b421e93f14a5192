//! Codes of artifacts: writing, staleness, loading an IR (contract sections 6 to 8), and of
//! faults of the compiler itself.

super::codes! {
    IR_NOT_JSON = "RB0620", Error, "compiled rulebook is no JSON",
    "A file whose first character is `{` is read as a compiled rulebook, `rulebook.ir.json`. This one is no JSON text: something is missing or unknown at the line that the message names, or a key stands twice in one object, where readers would disagree on which one counts.\n\nThe file is generated. Emit it again from its source:\n\n```\nRulebookTranslator emit policy.co\n```";
    IR_OTHER_FORMAT = "RB0621", Error, "compiled rulebook of another format",
    "A compiled rulebook names its format, `\"format\": \"rulebook-ir/1\"`. This file names another one or none, so what its keys mean is not known, and it is refused rather than guessed at.\n\nEmit the rulebook again with this version, or read it with the version that wrote it:\n\n```\nRulebookTranslator emit policy.co\n```";
    IR_SHAPE = "RB0622", Error, "compiled rulebook with an unknown or missing key",
    "The keys of a compiled rulebook and the kinds of their values are fixed by its JSON Schema, `schema/rulebook-ir-1.schema.json`. A key that is unknown may be meant to decide something; a file with one is refused, since leaving the key out could let a call through.\n\nThe file is generated. Emit it again from its source:\n\n```\nRulebookTranslator emit policy.co\n```";
    IR_INVARIANT = "RB0623", Error, "compiled rulebook that no source gives",
    "Everything that the checks guarantee of a compiled rulebook is checked again when it is loaded: ids count up, the paths of a flow form a decision tree with every way listed, complements fit their conditions, names have one type, no tool runs behind a refusal, and so on. This file breaks the rule that the message names, at the place it names, so nobody can rely on what it decides.\n\nThe file was edited or damaged. Emit it again from its source, and make changes there:\n\n```\nRulebookTranslator emit policy.co\n```";
    IR_TOO_LARGE = "RB0624", Error, "compiled rulebook is larger than 16 MiB",
    "An artifact has at most 16 MiB, so that every tool that reads it needs bounded time and memory; no source that checks gives a larger one.\n\nSplit the rulebook into several, each with its own package.";
    INTERNAL = "RB0901", Error, "fault of the compiler",
    "The compiler found that it contradicts itself. Nothing was written.\n\nPlease report it with the rulebook, or the smallest part of it that shows the fault.";
}
