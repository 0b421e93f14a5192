//! Codes of definitions, names and types (contract section 2).

super::codes! {
    SECOND_CONTEXT = "RB0201", Error, "a second `define context`",
    "A rulebook declares the names its host supplies in one place.\n\nMove the names of the second `define context` into the first.";
    DECLARED_TWICE = "RB0202", Error, "a context name is declared twice",
    "A context name has one type, so it is declared once.\n\nDelete one of the two lines.";
    FLOW_DEFINED_TWICE = "RB0203", Error, "two flows of one name",
    "Two flows, two subflows, or a flow and a subflow have one name. Colang would drop one of them silently.\n\nGive one another name, or join their statements in one flow.";
    UNKNOWN_SUBFLOW = "RB0204", Error, "no subflow of this name",
    "`do` inlines a subflow, and no subflow of this name is defined in the file.\n\n```\ndefine subflow check account\n  if $account_frozen == True\n    bot refuse frozen account\n    stop\n\ndefine flow refunds\n  do check account\n  execute refund_card\n```";
    DO_OF_FLOW = "RB0205", Error, "`do` of a flow",
    "`do` inlines subflows. A flow begins by itself and cannot be inlined.\n\nDefine it with `define subflow` if it is only a part of other flows.";
    RECURSION = "RB0206", Error, "a subflow that inlines itself",
    "Subflows are inlined, so a subflow that ends up in itself would never end. The place is the `do` that closes the circle, seen from the subflow that is defined first.\n\nA rulebook has no loops: let the host pass what the rounds would find out as a context value.";
    UNDECLARED_NAME = "RB0210", Error, "a name that is not declared",
    "With a `define context`, every name that a condition reads must be declared, so that a misspelt name cannot fail silently: an absent value is false, and decides nothing in a comparison.\n\n```\ndefine context\n  $order_paid: bool\n\ndefine flow refunds\n  if $order_paid\n    execute refund_card\n```\n\nNames that are used only as arguments of `execute` need no declaration.";
    TWO_TYPES = "RB0211", Error, "a name used at two types",
    "A name has one type: a condition of the name alone reads a boolean, a comparison reads a value of its literal's type. A value of another type is like an absent one, so a name used at two types can never satisfy both.\n\nThe place is the first use of the later type; with a declaration, the first use at another type than the declared one.\n\n```\nif $amount            # a boolean\n  ...\nif $amount <= 100     # a number\n```";
    NAME_AND_PART = "RB0212", Error, "a name beside its own part",
    "`$a` is read as a value and `$a.b` as a part of an object, and no value is both.\n\nRead parts only: `$customer.known` and `$customer.tier`.";
    ASSIGNS_DECLARED = "RB0213", Error, "a declared name is assigned",
    "A declared context name is the host's: a flow that assigns it would hide the host's value.\n\nUse another name for what the flow assigns.";
    TOOL_NAME = "RB0214", Error, "`$tool_name` outside a guard flow",
    "In a guard flow, and in subflows that only guard flows inline, `$tool_name` is the name of the tool called. It can be neither declared nor assigned, has no parts, and has no meaning anywhere else: a flow with `execute` speaks on its own tools.\n\n```\ndefine flow nothing on Sundays\n  if $tool_name == \"deploy\" and $is_sunday == True\n    bot refuse on sundays\n    stop\n```";
    MISSPELT_NAME = "RB0220", Warning, "a name that looks misspelt",
    "Without a `define context`, a name is whatever conditions say it is. This one is one or two letters away from a name that is used more often. If it is misspelt, the host never supplies it, and it is always absent.\n\nNames of less than four letters, and names that differ in digits only, are not compared. A `define context` makes every misspelt name an error.";
    UNUSED_NAME = "RB0221", Warning, "a declared name is never used",
    "No condition reads the name and no `execute` passes it.\n\nDelete the declaration, or use the name.";
    UNUSED_SUBFLOW = "RB0222", Warning, "a subflow is never used",
    "No flow inlines the subflow, so nothing in it decides anything.\n\nWrite `do <name>` where it is meant to be checked, or delete it.";
    UNDEFINED_MESSAGE = "RB0223", Note, "a message without a definition",
    "A flow says a message that no `define bot` words. Its own name is then its wording.\n\n```\ndefine bot refuse refund\n  \"An order that is not paid cannot be refunded.\"\n```";
    UNDEFINED_TURN = "RB0224", Note, "a turn without a definition",
    "A flow waits for a turn that no `define user` gives samples of. The gate needs none.";
}
