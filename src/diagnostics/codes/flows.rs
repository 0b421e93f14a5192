//! Codes of what a flow does: paths, words, and what the gate cannot see (contract sections 3
//! and 4).

super::codes! {
    REFUSED_THEN_RUN = "RB0301", Error, "a tool runs behind a refusal",
    "A path says `bot refuse …` and runs a tool behind it. Saying no does not end a path, so Colang would run the tool.

```co
define flow refunds
  if $order_paid == False
    bot refuse refund
  execute refund_card
```

End the path with `stop`, or move the `execute` into an `else`:

```co
define flow refunds
  if $order_paid == False
    bot refuse refund
    stop
  execute refund_card
```";

    ASKED_THEN_RUN = "RB0302", Error, "a tool runs without waiting for the answer",
    "A path says `bot ask …` or `bot clarify …` and runs a tool behind it, with no turn of the person between: the answer cannot matter.

```co
define flow refunds
  bot ask for approval
  execute refund_card
```

Write the turn that answers between the two:

```co
define flow refunds
  bot ask for approval
  user approve
  execute refund_card
```";

    TURN_WITHOUT_QUESTION = "RB0303", Error, "a tool runs behind a turn that answers no question",
    "A turn that is not the first step of its path answers the last message before it. This one has no message since the turn before it, so nobody knows what the person said yes to.

```co
define flow refunds
  user ask refund
  user approve
  execute refund_card
```

Say what is asked before the turn:

```co
define flow refunds
  user ask refund
  bot ask for approval
  user approve
  execute refund_card
```";

    UNREACHABLE_STEP = "RB0304", Error, "steps that no path reaches",
    "Every way through the statement before ends, by `stop`, `abort` or `return`, so this never happens. Conditions that are always true or false are not looked at here.

```co
define flow refunds
  if $order_paid
    execute refund_card
  else
    stop
    bot refuse refund
```

Delete it, or move it:

```co
define flow refunds
  if $order_paid
    execute refund_card
  else
    bot refuse refund
    stop
```";

    TOO_MANY_BRANCHES = "RB0305", Error, "too many branches",
    "A flow may have at most 1,000 branches, a rulebook 20,000. `if`s one behind the other multiply them: ten that each go on both ways make 1,024.

```co
define flow transfers
  if $a
    execute note_a
  if $b
    execute note_b
  if $c
    execute note_c
  if $d
    execute note_d
  if $e
    execute note_e
  if $f
    execute note_f
  if $g
    execute note_g
  if $h
    execute note_h
  if $i
    execute note_i
  if $j
    execute note_j
  execute transfer
```

Give what does not depend on one another flows of its own, end arms with `stop`, or join conditions with `and` and `or`:

```co
define flow note a
  if $a
    execute note_a

define flow note b
  if $b
    execute note_b

define flow transfers
  execute transfer
```";

    TOO_MUCH_INLINED = "RB0306", Error, "too much to inline",
    "A chain of `do` may be 64 long, blocks may nest 64 deep once subflows are inlined, and a rulebook may have 100,000 statements once subflows are inlined. A subflow that is done twice counts twice, and in a flow that governs or guards so does the body of a `while`: twenty subflows that each do the next one twice are a million statements.

Do a subflow once, before the ways part:

```co
define subflow check account
  if $account_frozen == True
    bot refuse frozen account
    stop

define flow refunds
  do check account
  if $order_paid
    execute refund_card
  else
    execute refund_voucher
```";

    GOTO = "RB0307", Error, "`goto` in a flow that decides",
    "A flow that governs or guards tools is read as a tree of paths; `goto` would make it a graph that a reader, and the gate, cannot follow.

```co
define flow refunds
  label again
  if $order_paid
    execute refund_card
  else
    bot hello
    goto again
```

Write out what follows, or put it in a subflow and `do` it:

```co
define flow refunds
  if $order_paid
    execute refund_card
  else
    bot refuse refund
```";

    UNSEEN_VALUE = "RB0310", Error, "a decision depends on a value the gate cannot see",
    "The value is the result of a tool, is filled in by a language model, or is computed. The gate decides before anything runs, from the context that the host passes, so it cannot know the value, and what the flow says on a tool depends on it.

```co
define flow transfers
  $ok = execute check_account     # the gate cannot see the result
  if $ok
    execute transfer
```

Let the host call `check_account` itself and pass the answer as a context value:

```co
define flow transfers
  if $account_ok
    execute transfer
```

Where every way through leads to the same words, such a value is accepted, with a note.";

    UNSEEN_WAY = "RB0311", Error, "a decision depends on a way the gate cannot see",
    "`when`, `while`, `any`, `goto` and an `event` behind the first step depend on what happens later. The gate decides before, from the context that the host passes.

```co
define flow refunds
  bot confirm refund
  when user agree
    execute refund_card
  else when user disagree
    bot goodbye
```

Let the host pass the answer as a context value, and branch on it with `if`; or ask, and go on behind the turn:

```co
define flow refunds
  bot ask for approval
  user agree
  execute refund_card
```

Where every way through leads to the same words, such a statement is accepted, with a note.";

    UNREADABLE_CONDITION = "RB0312", Error, "a decision depends on a condition the gate cannot read",
    "Conditions that decide are made of names, `not`, `and`, `or`, comparisons of a name with a literal or a constant, and `in` with a list of literals. Anything else that Colang allows is accepted only where no word depends on it.

```co
define flow refunds
  if 10 < $amount < 50            # a chain
    execute refund_card
  else if len($reason) > 1000     # a call
    execute refund_voucher
  else if $amount < $limit        # two names
    execute send_receipt
```

Write a chain as two comparisons, and let the host pass what has to be computed:

```co
define flow refunds
  if $amount > 10 and $amount < 50
    execute refund_card
  else if $reason_length > 1000
    execute refund_voucher
  else if $below_limit == True
    execute send_receipt
```";

    ASSIGNED_ON_SOME_PATHS = "RB0313", Error, "a name assigned on some paths only",
    "On some paths that lead to the condition the flow has assigned the name, on others it still has the host's value, and what the flow says depends on it.

```co
define flow refunds
  if $vip == True
    $limit = 1000
  if $amount <= $limit
    execute refund_card
```

Assign it on every path before the `if`, or write the two cases out:

```co
define flow refunds
  if $vip == True
    if $amount <= 1000
      execute refund_card
  else if $amount <= 100
    execute refund_card
```";

    SEVERAL_VALUES = "RB0314", Error, "a name assigned more than one value",
    "A constant has one value in a flow. This name is assigned a second, different one, and what the flow says depends on a condition that reads it.

```co
define flow refunds
  if $vip == True
    $limit = 1000
  else
    $limit = 100
  if $amount <= $limit
    execute refund_card
```

Use a name of its own for each value:

```co
define flow refunds
  $vip_limit = 1000
  $limit = 100
  if $vip == True
    if $amount <= $vip_limit
      execute refund_card
  else if $amount <= $limit
    execute refund_card
```";

    UNSEEN_MESSAGE = "RB0315", Error, "a decision depends on a message the gate cannot see",
    "`bot $x`, `bot ...` and a text with a `$name` in it are worded when they are said. A refusal or a question goes by the message's name, so the name must stand in the rulebook.

```co
define flow refunds
  if $order_paid
    execute refund_card
  else
    bot \"Order $order_id cannot be refunded.\"
```

Name the message, and word it in a `define bot`:

```co
define bot refuse refund
  \"Order $order_id cannot be refunded.\"

define flow refunds
  if $order_paid
    execute refund_card
  else
    bot refuse refund
```";

    TOO_MANY_WAYS = "RB0316", Error, "too many ways through what the gate cannot see",
    "Whether the words are the same on every way is found out exactly, within a bound. This flow passes it: it has many values or ways that the gate cannot see, one behind the other.

Take what the host can find out beforehand out of the flow, and read its answer from the context:

```co
define flow refunds
  if $account_ok and $order_ok
    execute refund_card
```";

    GUARDS_NOTHING = "RB0330", Warning, "a flow that looks like a guard and guards nothing",
    "The flow refuses or stops under a condition, but it runs no tool and it waits for a certain turn, so it speaks on no call: it is dialogue.

```co
define flow frozen accounts
  user ask refund
  if $account_frozen == True
    bot refuse frozen account
    stop
```

A guard flow has no `execute`, no turn other than `user ...`, and a path that ends in `stop`:

```co
define flow frozen accounts
  user ...
  if $account_frozen == True
    bot refuse frozen account
    stop
```";

    LEFT_OUT = "RB0340", Note, "what the gate leaves out",
    "The statement is Colang that the gate cannot see or does not need. No word depends on it, so it is left out of the decision.

```co
define flow refunds
  $receipt = execute refund_card
  if $receipt
    bot show receipt
```

Nothing has to be changed. What is left out can also be deleted:

```co
define flow refunds
  execute refund_card
```";

    FORGOTTEN_EXECUTE = "RB0341", Warning, "a call without `execute`",
    "`$r = t(…)` is an expression in Colang, and calls no tool.

```co
define flow refunds
  $receipt = refund_card($order_id)
  execute send_receipt
```

Write `execute`:

```co
define flow refunds
  $receipt = execute refund_card(order_id=$order_id)
  execute send_receipt
```";
}
