//! Codes of definitions, names and types (contract section 2).

super::codes! {
    SECOND_CONTEXT = "RB0201", Error, "a second `define context`",
    "A rulebook declares the names its host supplies in one place.

```co
define context
  $order_paid: bool

define context
  $amount: number

define flow refunds
  if $order_paid and $amount <= 100
    execute refund_card
```

Move the names of the second `define context` into the first:

```co
define context
  $order_paid: bool
  $amount: number

define flow refunds
  if $order_paid and $amount <= 100
    execute refund_card
```";

    DECLARED_TWICE = "RB0202", Error, "a context name is declared twice",
    "A context name has one type, so it is declared once.

```co
define context
  $amount: number
  $order_paid: bool
  $amount: string

define flow refunds
  if $order_paid and $amount <= 100
    execute refund_card
```

Delete one of the two lines:

```co
define context
  $amount: number
  $order_paid: bool

define flow refunds
  if $order_paid and $amount <= 100
    execute refund_card
```";

    FLOW_DEFINED_TWICE = "RB0203", Error, "two flows of one name",
    "Two flows, two subflows, or a flow and a subflow have one name. Colang would drop one of them silently.

```co
define flow refunds
  if $order_paid
    execute refund_card

define flow refunds
  if $order_returned
    execute refund_voucher
```

Give one another name, or join their statements in one flow:

```co
define flow refunds to the card
  if $order_paid
    execute refund_card

define flow refunds by voucher
  if $order_returned
    execute refund_voucher
```";

    UNKNOWN_SUBFLOW = "RB0204", Error, "no subflow of this name",
    "`do` inlines a subflow, and no subflow of this name is defined in the file.

```co
define flow refunds
  do check account
  execute refund_card
```

Correct the name, or define the subflow:

```co
define subflow check account
  if $account_frozen == True
    bot refuse frozen account
    stop

define flow refunds
  do check account
  execute refund_card
```";

    DO_OF_FLOW = "RB0205", Error, "`do` of a flow",
    "`do` inlines subflows. A flow begins by itself and cannot be inlined.

```co
define flow check account
  if $account_frozen == True
    bot refuse frozen account
    stop

define flow refunds
  do check account
  execute refund_card
```

Define it with `define subflow` if it is only a part of other flows:

```co
define subflow check account
  if $account_frozen == True
    bot refuse frozen account
    stop

define flow refunds
  do check account
  execute refund_card
```";

    RECURSION = "RB0206", Error, "a subflow that inlines itself",
    "Subflows are inlined, so a subflow that ends up in itself would never end. The place is the `do` that closes the circle, seen from the subflow that is defined first.

```co
define subflow check order
  do check account

define subflow check account
  do check order

define flow refunds
  do check order
  execute refund_card
```

A rulebook has no loops. Let the host pass what the rounds would find out as a context value:

```co
define flow refunds
  if $order_and_account_checked
    execute refund_card
```";

    UNDECLARED_NAME = "RB0210", Error, "a name that is not declared",
    "With a `define context`, every name that a condition reads must be declared, so that a misspelt name cannot fail silently: an absent value is false, and decides nothing in a comparison.

```co
define context
  $order_paid: bool

define flow refunds
  if $order_payed
    execute refund_card
```

Correct the name, or declare it:

```co
define context
  $order_paid: bool

define flow refunds
  if $order_paid
    execute refund_card(order_id=$order_id)
```

Names that are used only as arguments of `execute`, like `$order_id`, need no declaration.";

    TWO_TYPES = "RB0211", Error, "a name used at two types",
    "A name has one type: a condition of the name alone reads a boolean, a comparison reads a value of its literal's type. A value of another type is like an absent one, so a name used at two types can never satisfy both.

The place is the first use of the later type; with a declaration, the first use at another type than the declared one.

```co
define flow refunds
  if $amount                 # a boolean
    execute refund_card
  else if $amount <= 100     # a number
    execute refund_voucher
```

Use one type, and another name for what is of another type:

```co
define flow refunds
  if $amount > 100
    execute refund_card
  else
    execute refund_voucher
```";

    NAME_AND_PART = "RB0212", Error, "a name beside its own part",
    "`$a` is read as a value and `$a.b` as a part of an object, and no value is both.

```co
define flow refunds
  if $customer
    execute refund_card
  else if $customer.tier == \"gold\"
    execute refund_voucher
```

Read parts only:

```co
define flow refunds
  if $customer.known
    execute refund_card
  else if $customer.tier == \"gold\"
    execute refund_voucher
```";

    ASSIGNS_DECLARED = "RB0213", Error, "a declared name is assigned",
    "A declared context name is the host's: a flow that assigns it would hide the host's value.

```co
define context
  $limit: number
  $amount: number

define flow refunds
  $limit = 100
  if $amount <= $limit
    execute refund_card
```

Use another name for what the flow assigns, or do not declare it:

```co
define context
  $amount: number

define flow refunds
  $limit = 100
  if $amount <= $limit
    execute refund_card
```";

    TOOL_NAME = "RB0214", Error, "`$tool_name` outside a guard flow",
    "In a guard flow, and in subflows that only guard flows inline, `$tool_name` is the name of the tool called. It can be neither declared nor assigned, has no parts, and has no meaning anywhere else: a flow with `execute` speaks on its own tools.

```co
define flow deployments
  if $tool_name == \"deploy\" and $is_sunday == False
    execute deploy
```

Leave it out there, or write a guard flow:

```co
define flow nothing on Sundays
  if $tool_name == \"deploy\" and $is_sunday == True
    bot refuse on sundays
    stop
```";

    MISSPELT_NAME = "RB0220", Warning, "a name that looks misspelt",
    "Without a `define context`, a name is whatever conditions say it is. This one is one or two letters away from a name that is used more often. If it is misspelt, the host never supplies it, and it is always absent.

```co
define flow refunds
  if $order_paid
    execute refund_card

define flow vouchers
  if $order_paid
    execute refund_voucher

define flow receipts
  if $order_payed
    execute send_receipt
```

Correct it. A `define context` makes every misspelt name an error:

```co
define context
  $order_paid: bool

define flow receipts
  if $order_paid
    execute send_receipt
```

Names of less than four letters, and names that differ in digits only, are not compared.";

    UNUSED_NAME = "RB0221", Warning, "a declared name is never used",
    "No condition reads the name and no `execute` passes it.

```co
define context
  $order_paid: bool
  $amount: number

define flow refunds
  if $order_paid
    execute refund_card
```

Delete the declaration, or use the name:

```co
define context
  $order_paid: bool
  $amount: number

define flow refunds
  if $order_paid and $amount <= 100
    execute refund_card
```";

    UNUSED_SUBFLOW = "RB0222", Warning, "a subflow is never used",
    "No flow inlines the subflow, so nothing in it decides anything.

```co
define subflow check account
  if $account_frozen == True
    bot refuse frozen account
    stop

define flow refunds
  if $order_paid
    execute refund_card
```

Write `do` and its name where it is meant to be checked, or delete it:

```co
define subflow check account
  if $account_frozen == True
    bot refuse frozen account
    stop

define flow refunds
  do check account
  if $order_paid
    execute refund_card
```";

    UNDEFINED_MESSAGE = "RB0223", Note, "a message without a definition",
    "A flow says a message that no `define bot` words. Its own name is then its wording.

```co
define flow refunds
  if $order_paid
    execute refund_card
  else
    bot refuse refund
```

That may be meant. To word it:

```co
define bot refuse refund
  \"An order that is not paid cannot be refunded.\"

define flow refunds
  if $order_paid
    execute refund_card
  else
    bot refuse refund
```";

    UNDEFINED_TURN = "RB0224", Note, "a turn without a definition",
    "A flow waits for a turn that no `define user` gives samples of.

```co
define flow refunds
  user ask refund
  if $order_paid
    execute refund_card
```

The gate needs none. Colang does, to recognise the turn:

```co
define user ask refund
  \"I want my money back\"

define flow refunds
  user ask refund
  if $order_paid
    execute refund_card
```";
}
