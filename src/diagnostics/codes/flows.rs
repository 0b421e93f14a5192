//! Codes of what a flow does: paths, words, and what the gate cannot see (contract sections 3
//! and 4).

super::codes! {
    REFUSED_THEN_RUN = "RB0301", Error, "a tool runs behind a refusal",
    "A path says `bot refuse …` and runs a tool behind it. Saying no does not end a path, so Colang would run the tool.\n\n```\nif $order_paid == False\n  bot refuse refund\n  stop                 # without this, the tool runs\nexecute refund_card\n```\n\nEnd the path with `stop`, or move the `execute` into an `else`.";
    ASKED_THEN_RUN = "RB0302", Error, "a tool runs without waiting for the answer",
    "A path says `bot ask …` or `bot clarify …` and runs a tool behind it, with no turn of the person between: the answer cannot matter.\n\n```\nbot ask for approval\nuser approve\nexecute refund_card\n```";
    TURN_WITHOUT_QUESTION = "RB0303", Error, "a tool runs behind a turn that answers no question",
    "A turn that is not the first step of its path answers the last message before it. This one has no message since the turn before it, so nobody knows what the person said yes to.\n\nSay what is asked before the turn.";
    UNREACHABLE_STEP = "RB0304", Error, "steps that no path reaches",
    "Every way through the statement before ends, by `stop`, `abort` or `return`, so this never happens. Conditions that are always true or false are not looked at here.\n\nDelete it, or move it.";
    TOO_MANY_BRANCHES = "RB0305", Error, "too many branches",
    "A flow may have at most 1,000 branches, a rulebook 20,000. `if`s one behind the other multiply them: ten that each go on both ways make 1,024.\n\nEnd arms with `stop`, or join conditions with `and` and `or`.";
    TOO_MUCH_INLINED = "RB0306", Error, "too much to inline",
    "A chain of `do` may be 64 long, blocks may nest 64 deep once subflows are inlined, and a rulebook may have 100,000 statements once subflows are inlined. A subflow that is done twice counts twice, and so does the body of a `while`.";
    GOTO = "RB0307", Error, "`goto` in a flow that decides",
    "A flow that governs or guards tools is read as a tree of paths; `goto` would make it a graph that a reader, and the gate, cannot follow.\n\nWrite out what follows, or put it in a subflow and `do` it.";
    UNSEEN_VALUE = "RB0310", Error, "a decision depends on a value the gate cannot see",
    "The value is the result of a tool, is filled in by a language model, or is computed. The gate decides before anything runs, from the context that the host passes, so it cannot know the value, and what the flow says on a tool depends on it.\n\n```\n$ok = execute check_account     # the gate cannot see the result\nif $ok\n  execute transfer\n```\n\nLet the host call `check_account` itself and pass the answer as a context value:\n\n```\nif $account_ok\n  execute transfer\n```\n\nWhere every way through leads to the same words, such a value is accepted, with a note.";
    UNSEEN_WAY = "RB0311", Error, "a decision depends on a way the gate cannot see",
    "`when`, `while`, `any`, `goto` and an `event` behind the first step depend on what happens later. The gate decides before, from the context that the host passes.\n\nLet the host pass the answer as a context value, and branch on it with `if`. Where every way through leads to the same words, such a statement is accepted, with a note.";
    UNREADABLE_CONDITION = "RB0312", Error, "a decision depends on a condition the gate cannot read",
    "Conditions that decide are made of names, `not`, `and`, `or`, comparisons of a name with a literal or a constant, and `in` with a list of literals. Anything else that Colang allows is accepted only where no word depends on it.\n\n```\nif len($text) > 1000        # a call\nif $a < $b                  # two names\nif 10 < $amount < 50        # a chain: write `$amount > 10 and $amount < 50`\n```";
    ASSIGNED_ON_SOME_PATHS = "RB0313", Error, "a name assigned on some paths only",
    "On some paths that lead to the condition the flow has assigned the name, on others it still has the host's value, and what the flow says depends on it.\n\nAssign it on every path before the `if`, or use another name.";
    SEVERAL_VALUES = "RB0314", Error, "a name assigned more than one value",
    "A constant has one value in a flow. This name is assigned a second, different one, and what the flow says depends on a condition that reads it.\n\nUse a name of its own for each value.";
    UNSEEN_MESSAGE = "RB0315", Error, "a decision depends on a message the gate cannot see",
    "`bot $x`, `bot ...` and a text with a `$name` in it are worded when they are said. A refusal or a question goes by the message's name, so the name must stand in the rulebook.\n\n```\ndefine bot refuse refund\n  \"Order $order_id cannot be refunded.\"\n\ndefine flow refunds\n  if $order_paid\n    execute refund_card\n  else\n    bot refuse refund\n```";
    TOO_MANY_WAYS = "RB0316", Error, "too many ways through what the gate cannot see",
    "Whether the words are the same on every way is found out exactly, within a bound. This flow passes it.\n\nTake what the host can find out beforehand out of the flow.";
    GUARDS_NOTHING = "RB0330", Warning, "a flow that looks like a guard and guards nothing",
    "The flow refuses or stops under a condition, but it runs no tool and it waits for a certain turn, so it speaks on no call: it is dialogue. A guard flow has no `execute`, no turn other than `user ...`, and a path that ends in `stop`.\n\n```\ndefine flow frozen accounts\n  user ...\n  if $account_frozen == True\n    bot refuse frozen account\n    stop\n```";
    LEFT_OUT = "RB0340", Note, "what the gate leaves out",
    "The statement is Colang that the gate cannot see or does not need. No word depends on it, so it is left out of the decision.";
    FORGOTTEN_EXECUTE = "RB0341", Warning, "a call without `execute`",
    "`$r = t(…)` is an expression in Colang, and calls no tool.\n\nWrite `$r = execute t(…)`.";
}
