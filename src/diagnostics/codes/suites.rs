//! Codes of tests: the tests file, what fails, and what is not covered.

super::codes! {
    NO_TESTS = "RB0520", Error, "no tests",
    "There is no case to run: the tests file has none, or none has a name that `--filter` asks for.
A run of nothing is no success, since a slip in a path or a filter would make it green for ever.

```yaml
rulebook: policy.co
cases: []
```

Write at least one case:

```yaml
cases:
  - name: a paid order is refunded
    tool: refund_card
    context: {order_paid: true}
    want: allow
```

`RulebookTranslator test policy.co --suggest` writes a first file for you to judge.";

    DUPLICATE_CASE = "RB0521", Error, "two cases of one name",
    "Two cases of one group, or two groups beside each other, have the same name. A report could not
tell which of them failed, and the second is often a copy that was meant to be changed.

```yaml
cases:
  - name: a paid order
    tool: refund_card
    context: {order_paid: true}
    want: allow
  - name: a paid order
    tool: refund_card
    context: {order_paid: false}
    want: refuse
```

Say in the name what is special about the case: `an unpaid order`.";

    BAD_WANT = "RB0522", Error, "no such decision",
    "`want` says what a case must get: `allow`, `clarify`, `refuse` or `silent`; or a mapping with the
`decision` and the `rule`, which is the message said, `stop`, or `no_match`. An allowed or silent call
has no rule.

```yaml
cases:
  - name: an unpaid order
    tool: refund_card
    want: deny
```

```yaml
cases:
  - name: an unpaid order
    tool: refund_card
    context: {order_paid: false}
    want: {decision: refuse, rule: refuse unpaid order}
```";

    BAD_CONTEXT = "RB0523", Error, "context that contradicts itself",
    "A context has a value at a name and other values below it, or a name that `absent` takes away
stands in the same context, or `absent` has a word that is no context name.

```yaml
context: {customer: gold, customer.age: 30}
absent: [customer.age]
```

`customer.age` means `age` in the object `customer`: `{customer: {age: 30}}`. `absent` takes away what
a group or the file around the case says:

```yaml
context: {order_paid: true, amount: 40}
cases:
  - name: the amount is missing
    tool: refund_card
    absent: [amount]
    want: refuse
```";

    OTHER_RULEBOOK = "RB0524", Error, "tests of another rulebook",
    "The tests file says by `rulebook:` which rulebook it is for, as a path from its own folder, and
it is run against another one.

```yaml
rulebook: refunds.co
cases:
  - name: a paid order
    tool: refund_card
    context: {order_paid: true}
    want: allow
```

```text
RulebookTranslator test transfers.co --tests refunds.test.yaml
```

Name the right file with `--tests`, or correct the line.";

    UNREAD_NAME = "RB0525", Warning, "context name that the rulebook never reads",
    "A case sets a name in its context that no condition of the rulebook reads and that is not
declared. If it is a slip, the name that was meant is absent, and the case may pass for the wrong
reason: an absent name mostly refuses.

```yaml
cases:
  - name: an unpaid order
    tool: refund_card
    context: {order_payed: false}
    want: refuse
```

Correct the name. Where a host sends names that only others read, they need not stand in a test.";

    UNKNOWN_TOOL = "RB0526", Warning, "tool that no flow governs",
    "A case calls a tool that no flow of the rulebook executes and no guard names. The decision is
`silent`, or what the guards say. That may be what the case is about; if it is a slip, the tool that was
meant is not tested.

```yaml
cases:
  - name: an unpaid order
    tool: refund_crad
    want: silent
```

Correct the name. A case that is about no tool in particular calls `any_tool`, of which nothing is
said.";

    LOOKS_BOOLEAN = "RB0527", Warning, "text that looks like a boolean",
    "`yes`, `no`, `on` and `off` without quotes are text in YAML 1.2, as they are here; readers of
YAML 1.1 take them for booleans. In a context, a condition such as `$order_paid` holds of `true` only,
so `yes` makes it false. Where the rulebook compares the name with text, nothing is said.

```yaml
cases:
  - name: a paid order
    tool: refund_card
    context: {order_paid: yes}
    want: refuse
```

Write `true` or `false`; where text is meant, put it in quotes:

```yaml
context: {order_paid: true, answer: \"yes\"}
```";

    CASE_FAILED = "RB0530", Error, "a case failed",
    "The rulebook decides a case otherwise than the case wants. The place is the `want`; the help says
which flow and which line of the rulebook decided, what each condition on the way was, and what is
the smallest change of the context that would allow the call.

```yaml
cases:
  - name: an unpaid order is refunded
    tool: refund_card
    context: {order_paid: false}
    want: allow
```

Either the rulebook is wrong or the case is. A comparison that *lacks a value* refuses: look whether
the context has every name that the conditions read, with a value of the right kind.";

    BELOW_THRESHOLD = "RB0531", Error, "coverage below the threshold",
    "`--threshold` asks for more than the cases cover. Branches, outcomes of conditions and tools are
counted apart, and each has to reach it; what no context can reach is not counted. The comparison is
exact: 199 of 200 is less than 99.6 percent, and only all of them are 100.

```text
RulebookTranslator test policy.co --coverage --threshold 100
```

The report names what no case reaches, each with the smallest context that does.
`RulebookTranslator test policy.co --suggest` writes these as cases for you to judge.";
}
