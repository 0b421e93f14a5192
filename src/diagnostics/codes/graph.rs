//! Codes of pictures.

super::codes! {
    UNKNOWN_FLOW = "RB0680", Error, "no such flow to draw",
    "`graph --flow NAME` draws one flow. The rulebook has none of this name, so there is nothing to
draw. Names are compared as they are written, and a subflow has no picture of its own: it is drawn
inside of each flow that says `do`.

A name of several words is quoted for the shell:

```text
RulebookTranslator graph policy.co --flow \"low rated sellers\"
```

An anonymous flow is called `flow` and its number among the file's flows: `\"flow 3\"`.";

    UNKNOWN_TOOL = "RB0681", Error, "no such tool to draw",
    "`graph --tool TOOL` draws what speaks on one tool: the flows that have an `execute` of it, and
the guards that can stop it. No flow of the rulebook runs a tool of this name, so the rulebook has
no permission to draw.

```co
define flow refunds
  if $order_paid
    execute refund_card
```

governs `refund_card`, which is drawn by:

```text
RulebookTranslator graph policy.co --tool refund_card
```";
}
