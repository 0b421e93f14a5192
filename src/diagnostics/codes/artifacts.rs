//! Codes of artifacts: writing, staleness, loading an IR (contract sections 6 to 8), and of
//! faults of the compiler itself.

super::codes! {
    ARTIFACT_TOO_LARGE = "RB0601", Error, "artifact too large",
    "`rulebook.ir.json` or `Rulebook.rego` would have more than 16 MiB. Nothing is written.

Engines load a package whole and check it before the first decision, and people read it in a
review. A file of this size serves neither. The message names the flow that takes the most room.

A flow grows with its branches, and `if`s that stand one behind the other multiply them. This
one has eight:

```colang
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

```colang
define flow refunds
  if $order_paid or $order_shipped
    if $customer_known or $amount <= 10
      execute refund_card
```

instead of one `if` with both conditions joined by `and`.";

    PACKAGE_NAME = "RB0603", Error, "package name that Rego cannot read",
    "The Rego package is named after the source file, `stalwart.` and the file's name without its
extension, or by `--package`. This name is none that Rego can read.

Each part between dots is made of letters, digits and `_` and begins with a letter or `_`; it is
none of Rego's own words such as `default`, `in` or `not`, and not `input` or `data`; and the last
part does not end in `_test`, which marks a package of tests.

Name the whole package on the command line:

```sh
RulebookTranslator emit 2026-refunds.co --package stalwart.refunds
```";

    INTERNAL = "RB0901", Error, "fault of the compiler",
    "The compiler found that it contradicts itself. Nothing was written.\n\nPlease report it with the rulebook, or the smallest part of it that shows the fault.";
}
