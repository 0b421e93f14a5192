//! Codes of analyses of the decision (contract section 5).

super::codes! {
    FAILS_OPEN = "RB0401", Warning, "fails open",
    "A call is allowed because the host did not send a name, or sent something that is not `true`: with the name true and all else the same, the call would not be allowed. The message shows the smallest such context.

```co
define flow transfers
  if not $blocked          # absent: not blocked, as far as the gate knows
    execute transfer
```

Write the comparison that needs a value:

```co
define flow transfers
  if $blocked == False     # absent: nothing is decided, and the call is refused
    execute transfer
```";

    ALWAYS_TRUE = "RB0402", Warning, "a condition that is always true",
    "Whenever this condition is met, what was tested before makes it true. Arms below it are never reached.

```co
define flow refunds
  if $amount > 100
    bot refuse amount
    stop
  else if $amount <= 100
    execute refund_card
```

Write `else`, or leave the `if` out:

```co
define flow refunds
  if $amount > 100
    bot refuse amount
    stop
  else
    execute refund_card
```";

    ALWAYS_FALSE = "RB0403", Warning, "a condition that is never true",
    "No context satisfies this condition together with what was tested before, so its arm never runs.

```co
define flow refunds
  if $amount > 100
    bot refuse amount
    stop
  if $amount > 500         # never: larger amounts stopped above
    bot ask for approval
  else
    execute refund_card
```

Correct one of the two conditions, or delete the arm:

```co
define flow refunds
  if $amount > 500
    bot refuse amount
    stop
  if $amount > 100
    bot ask for approval
  else
    execute refund_card
```";

    UNREACHABLE_ARM = "RB0404", Warning, "an arm that no context reaches",
    "The conditions above it leave no context over. A comparison that lacks its value does not lead to `else`: it decides nothing.

```co
define flow refunds
  if $vip == True or $vip == False
    execute refund_card
  else
    bot refuse refund
```

Delete it, or correct one of the conditions:

```co
define flow refunds
  if $vip == True
    execute refund_card
  else
    bot refuse refund
```";

    NEVER_ALLOWED = "RB0405", Warning, "a tool that is never allowed",
    "A flow runs the tool, but no context allows the call: the conditions contradict one another, or a guard or another flow refuses whenever this one allows.

```co
define flow refunds
  if $amount > 100
    bot refuse amount
    stop
  if $amount > 500
    execute refund_card
```

Correct one of the conditions:

```co
define flow refunds
  if $amount > 500
    bot refuse amount
    stop
  if $amount > 100
    execute refund_card
```";

    ALWAYS_ALLOWED = "RB0406", Note, "a tool that is always allowed",
    "The call is allowed in every context. That may be meant; a tool that no flow executes would be `silent`, which is not an allow.

```co
define flow orders
  user ask order
  execute get_order
```

To allow it in some contexts only, put it under a condition:

```co
define flow orders
  user ask order
  if $customer_known
    execute get_order
```";

    ONLY_ASKED = "RB0407", Note, "a tool that runs only behind a question",
    "Every run of the tool waits for an answer, so the gate never answers `allow`: it answers `clarify` with the question. Whoever calls the gate asks the person, and goes on by itself.

```co
define flow refunds
  bot ask for approval
  user approve
  execute refund_card
```

Where some calls need no question, write a path without one:

```co
define flow refunds
  if $amount <= 100
    execute refund_card
  else
    bot ask for approval
    user approve
    execute refund_card
```";

    SEVERAL_FLOWS = "RB0408", Note, "several flows on one tool",
    "Several flows execute the tool. Their words are combined: the first refusal in source order wins, else the first question, else the first allow. So an `else` with `bot refuse …` in one flow vetoes what another flow allows.

```co
define flow refunds
  if $order_paid
    execute refund_card

define flow returns
  if $order_returned
    execute refund_card
  else
    bot refuse refund
```

That may be meant. Where one reason is enough, write one flow:

```co
define flow refunds
  if $order_paid or $order_returned
    execute refund_card
  else
    bot refuse refund
```";

    GUARD_NEVER_FIRES = "RB0410", Warning, "a guard that never fires",
    "No context leads to a `stop` of this guard flow, so it guards nothing.

```co
define flow large amounts
  user ...
  if $amount > 500 and $amount < 300
    bot refuse amount
    stop
```

Correct the condition:

```co
define flow large amounts
  user ...
  if $amount > 500 or $amount < 0
    bot refuse amount
    stop
```";

    GUARD_REFUSES_BY_DEFAULT = "RB0411", Note, "a guard that refuses every call by default",
    "With an empty context the guard refuses, or decides nothing, which refuses too. So every call of every tool is refused unless the host sends the names it reads.

```co
define flow frozen accounts
  user ...
  if $account_frozen == True
    bot refuse frozen account
    stop
```

That is what a careful guard does; it is said because input and output rails of NeMo Guardrails read as guards, and these are not meant for tool calls. A guard for one tool names it first, so that it has no word on other calls:

```co
define flow frozen accounts
  user ...
  if $tool_name == \"transfer\"
    if $account_frozen == True
      bot refuse frozen account
      stop
```";

    NOT_DECIDED = "RB0490", Note, "not found out within the bound",
    "The analyses are exact, and their work is bounded. For this question the bound was reached, so nothing is claimed either way.

Fewer flows on one tool, and fewer names in its conditions, make the question smaller:

```co
define flow refunds
  if $order_paid and $account_ok
    execute refund_card
  else
    bot refuse refund
```";
}
