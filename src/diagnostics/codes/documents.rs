//! Codes of YAML documents: tests files, and configuration that is read in the same way.

super::codes! {
    STRUCTURE = "RB0501", Error, "not YAML",
    "The file is read as YAML 1.2, and at this place its structure cannot be followed: a quote or a
bracket is not closed, a line is indented like none of those around it, a `:` stands where no key
can be. What stands behind the place is not looked at.

```yaml
cases:
  - name: a paid order
   tool: refund_card          # one blank too few
```

Keys of one mapping begin in one column, and so do the `-` of one list:

```yaml
cases:
  - name: a paid order
    tool: refund_card
```

Text that has `: ` or ` #` in it, or begins with a special character, stands in quotes.";

    TAB = "RB0502", Error, "tab in a YAML file",
    "YAML counts blanks to see what belongs together, and a tab has no width that all editors agree
on. So a tab cannot stand in the indentation, nor between a key and its value where lines are
counted.

```yaml
cases:
	- name: a paid order       # a tab before the `-`
```

Indent with blanks; most editors can be told to write them when the tab key is pressed:

```yaml
cases:
  - name: a paid order
```";

    DUPLICATE_KEY = "RB0503", Error, "key stands twice in one mapping",
    "A mapping has each key once. Readers of YAML differ on which of two counts, so that a file with
both may be read in two ways; neither is guessed at.

```yaml
context:
  order_paid: true
  amount: 40
  order_paid: false
```

Keep the one that is meant. In a `context`, `customer.tier: gold` and a `tier` below `customer:` are
the same key.

```yaml
context:
  order_paid: false
  amount: 40
```";

    NOT_SUPPORTED = "RB0504", Error, "part of YAML that is not read",
    "Anchors (`&name`), aliases (`*name`), tags (`!name`), merge keys (`<<`) and directives (`%`) are
not read here. With them a few lines can stand for gigabytes, and a value may be something else than
it looks like. Every file that is read says what it means where it says it.

```yaml
cases:
  - name: paid
    tool: refund_card
    context: &paid {order_paid: true}
    want: allow
```

Write the values out. What several test cases have in common goes into the `context` of their group:

```yaml
groups:
  - name: paid orders
    context: {order_paid: true}
    cases:
      - name: are refunded
        tool: refund_card
        want: allow
```

Text that begins with `&`, `*`, `!` or `%` stands in quotes.";

    SEVERAL_DOCUMENTS = "RB0505", Error, "several documents in one file",
    "A line `---` begins a second YAML document in the same file. One file has one document here, so
that nothing behind the first is passed over.

```yaml
cases: []
---
cases: []
```

Move the second document to a file of its own; `--tests` may be given several times:

```text
RulebookTranslator test policy.co --tests refunds.test.yaml --tests limits.test.yaml
```";

    TOO_DEEP = "RB0506", Error, "YAML nested too deeply",
    "Lists and mappings nest at most 64 deep. No context name of a rulebook that people read has so
many parts, and no group of tests so many groups around it.

```yaml
context: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]
```

Flatten the document.";

    UNCLEAR_NUMBER = "RB0507", Error, "word that may be a number",
    "Without quotes, `0x10`, `0o17`, `007`, `1_000`, `+5`, `.5`, `5.`, `.inf` and `.nan` are a number
to some readers of YAML, another number or text to others. JSON, which a host sends, has none of
them. A test that passes by such a word may test something else than its author thinks.

```yaml
context: {amount: 1_000}
```

Write numbers as JSON does, or put text in quotes:

```yaml
context: {amount: 1000, branch: \"007\"}
```

All digits of a number count, and `1.10` is equal to `1.1`, as everywhere in a rulebook.";

    KEY_NOT_TEXT = "RB0508", Error, "key that is no text",
    "Keys are text, as in JSON. A number, `true`, `null`, a list or a mapping as a key is refused.

```yaml
context:
  5: five
  true: yes
```

Put the key in quotes:

```yaml
context:
  \"5\": five
```";

    WRONG_KIND = "RB0509", Error, "value of another kind than wanted",
    "At this place a value of one kind is wanted, and another stands there: text in place of a list, a
list in place of a mapping, `yes` in place of `true`.

```yaml
cases:
  name: a paid order          # `cases` is a list
  tool: refund_card
```

The message says what is wanted. Each item of a list stands behind `- `:

```yaml
cases:
  - name: a paid order
    tool: refund_card
```";

    UNKNOWN_KEY = "RB0510", Error, "unknown key",
    "The mapping has a key that has no meaning here. It may be a slip, and what it was meant to say
would be missing without a word: so it is an error.

```yaml
cases:
  - name: a paid order
    tool: refund_card
    contxt: {order_paid: true}
    want: allow
```

The help names the key that looks like it, or all that there are:

```yaml
cases:
  - name: a paid order
    tool: refund_card
    context: {order_paid: true}
    want: allow
```";

    MISSING_KEY = "RB0511", Error, "missing key",
    "The mapping lacks a key that it needs; the message names it. A case of a test needs a `name`, a
`tool` (its own, or that of a group around it) and a `want`.

```yaml
cases:
  - name: a paid order
    context: {order_paid: true}
```

```yaml
cases:
  - name: a paid order
    tool: refund_card
    context: {order_paid: true}
    want: allow
```";
}
