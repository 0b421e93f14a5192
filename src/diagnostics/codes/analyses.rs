//! Codes of analyses of the decision (contract section 5).

super::codes! {
    FAILS_OPEN = "RB0401", Warning, "fails open",
    "A call is allowed because the host did not send a name, or sent something that is not `true`: with the name true and all else the same, the call would not be allowed. The message shows the smallest such context.\n\n```\nif not $blocked          # absent: not blocked, as far as the gate knows\n  execute transfer\n```\n\nWrite the comparison that needs a value:\n\n```\nif $blocked == False     # absent: nothing is decided, and the call is refused\n  execute transfer\n```";
    ALWAYS_TRUE = "RB0402", Warning, "a condition that is always true",
    "Whenever this condition is met, what was tested before makes it true. Arms below it are never reached.\n\nWrite `else`, or leave the `if` out.";
    ALWAYS_FALSE = "RB0403", Warning, "a condition that is never true",
    "No context satisfies this condition together with what was tested before, so its arm never runs.\n\n```\nif $amount > 100\n  bot refuse amount\n  stop\nif $amount > 500         # never: larger amounts stopped above\n  bot ask for approval\n```";
    UNREACHABLE_ARM = "RB0404", Warning, "an arm that no context reaches",
    "The conditions above it leave no context over.\n\nDelete it, or correct one of the conditions.";
    NEVER_ALLOWED = "RB0405", Warning, "a tool that is never allowed",
    "A flow runs the tool, but no context allows the call: the conditions contradict one another, or a guard or another flow refuses whenever this one allows.";
    ALWAYS_ALLOWED = "RB0406", Note, "a tool that is always allowed",
    "The call is allowed in every context. That may be meant; a tool that no flow executes would be `silent`, which is not an allow.";
    ONLY_ASKED = "RB0407", Note, "a tool that runs only behind a question",
    "Every run of the tool waits for an answer, so the gate never answers `allow`: it answers `clarify` with the question. Whoever calls the gate asks the person, and goes on by itself.";
    SEVERAL_FLOWS = "RB0408", Note, "several flows on one tool",
    "Several flows execute the tool. Their words are combined: the first refusal in source order wins, else the first question, else the first allow. So an `else` with `bot refuse …` in one flow vetoes what another flow allows.";
    GUARD_NEVER_FIRES = "RB0410", Warning, "a guard that never fires",
    "No context leads to a `stop` of this guard flow.";
    GUARD_REFUSES_BY_DEFAULT = "RB0411", Note, "a guard that refuses every call by default",
    "With an empty context the guard refuses, or decides nothing, which refuses too. So every call of every tool is refused unless the host sends the names it reads. That is what a careful guard does; it is said because input and output rails of NeMo Guardrails read as guards, and these are not meant for tool calls.";
    NOT_DECIDED = "RB0490", Note, "not found out within the bound",
    "The analyses are exact, and their work is bounded. For this question the bound was reached, so nothing is claimed either way.";
}
