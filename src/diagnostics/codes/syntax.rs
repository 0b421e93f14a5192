//! Codes of layout and syntax (contract sections 1 to 3).

super::codes! {
    NO_RULEBOOK = "RB0101", Error, "file is no rulebook",
    r#"A rulebook is made of definitions: at least one line that begins with `define`. A file without any decides nothing, which is never what its author meant, so it is refused rather than compiled to a gate that says nothing about every call. An empty file, one of comments only, YAML, and files of other languages that use the ending `.co` are found by this.

Write at least one definition:

```co
define flow refunds
  if $order_paid
    execute refund_card
  else
    bot refuse
```"#;
    COLANG_2 = "RB0102", Error, "file is Colang 2.x",
    r#"Rulebooks are a subset of Colang 1.0. The file is written in Colang 2.x, whose flows begin with `flow`, call actions with `await` and are started by `activate`. It is refused as a whole, with this one error, since line by line nothing in it would fit.

```co
flow main
  activate refunds

flow refunds
  user asked refund
  await RefundCardAction()
```

In a rulebook this is

```co
define flow refunds
  user ask refund
  execute refund_card
```"#;
    MIXED_VERSIONS = "RB0103", Error, "file mixes Colang 1.0 and 2.x",
    r#"Some lines are definitions of Colang 1.0 (`define flow`), others can only be Colang 2.x (`flow main`, `@active`, `match …`). No program reads both in one file, so one half of it would be ignored. The two places show one line of each.

```co
define user ask refund
  "I want my money back"

flow main
  match UtteranceUserAction.Finished()
```

Write all of it in Colang 1.0: `define flow NAME` for `flow NAME`, `execute tool` for `await Tool()`, and no `import`, `activate` or decorators."#;
    MORE_ERRORS = "RB0104", Error, "more syntax errors than are shown",
    r#"A run shows at most one syntax error a line and fifty in all. This message counts the rest and stands at the first line that is not shown.

Correct the errors above it, then check again; often one cause makes many of them."#;
    FOREIGN_BLANK = "RB0105", Error, "tab or other blank that is no space",
    r#"Outside strings and comments the only blank is the space. A tab has no fixed width, so two editors show two different block structures for the same file; a no-break space looks like a space and is none. In Colang itself a tab counts as no indentation at all, and the line silently leaves its block.

```co
define flow refunds
	execute refund_card
```

Indent with spaces, two for each block. In strings and comments any character may stand."#;
    UNCLOSED_STRING = "RB0106", Error, "string is not closed on its line",
    r#"A string ends on the line on which it begins. Colang reads on to the next quote, through all definitions between: one forgotten quote swallows flows without a word. Here it is an error on its own line, and the following lines are read as they stand.

```co
define bot refuse
  "This order cannot be refunded.
```

Close it with the quote that opened it. A long string may continue with `\` at the end of the line; a quote of the same kind inside is written `\"`. A quote in the middle of a word, as in `user's`, opens no string."#;
    UNCLOSED_DOCUMENTATION = "RB0107", Error, "documentation is not closed",
    r#"Documentation stands between two `"""`, on one line or over several. Here the second one is missing. The line is passed over and those behind it are read as usual, so that other errors are found too.

```co
define flow refunds
  """Money goes back only for paid orders.
  execute refund_card
```

Write `"""` where it ends."#;
    NOTHING_CONTINUES = "RB0108", Error, "continued line at the end of the file",
    r#"A `\` at the end of a line joins it with the next one. The file ends behind this one, so something is missing, or the `\` is left over from an edit.

```co
define flow refunds
  execute refund_card \
```

Delete the `\`, or write the rest of the line below it."#;
    INDENTATION = "RB0109", Error, "indentation returns to no open block",
    r#"Indentation is strict, as in Python: the lines of a block begin in one column, and a line further left begins in the column of a block that is open. Colang guesses in such a case, and an arm of an `if` can turn into steps that always run.

```co
define flow refunds
  if $order_paid
      execute refund_card
    bot confirm refund
```

Indent the line like the block it belongs to; the help lists the columns that are open."#;
    UNEXPECTED_INDENTATION = "RB0110", Error, "line is deeper than its block",
    r#"Only a head (`define`, `if`, `else`, `when`, `while`, `any`, `meta`) and the texts under a `bot` or `user` line are followed by deeper lines. Colang reads other deeper lines as parameters of the line above, and drops what it cannot use: an `execute` or `stop` that is indented too far can vanish.

```co
define flow refunds
  bot refuse
    stop
```

Give the line the indentation of its block. Arguments of a tool stand in parentheses on the tool's own line."#;
    EMPTY_BLOCK = "RB0111", Error, "block is empty",
    r#"Behind a definition, an `if`, `else`, `when`, `while` or `any` at least one deeper line must follow. Comments and documentation alone are no block. Colang takes the next line as the body, whatever it is; a flow that is meant to be empty and an arm whose lines were not indented look the same.

```co
define flow refunds
  if $order_paid
  execute refund_card
```

Indent what belongs to the head:

```co
define flow refunds
  if $order_paid
    execute refund_card
```"#;
    BLOCKS_TOO_DEEP = "RB0112", Error, "blocks nest too deep",
    r#"At most 64 `if`, `when` and `while` may stand in one another. The limit keeps every reader of a rulebook, and every interpreter of what is made from it, within a known amount of memory; rulebooks that people write are rarely deeper than four.

Join conditions with `and`, or move the inner part to a subflow:

```co
define flow refunds
  if $order_paid and $amount <= 100
    execute refund_card
```"#;
    OUTSIDE_DEFINITION = "RB0113", Error, "line stands outside every definition",
    r#"In the first column stand definitions, comments and documentation. Anything else belongs to no flow, and Colang stops with an error that names neither. Of several such lines on end, only the first is shown.

```co
define flow refunds
  user ask refund
execute refund_card
```

Indent the line like the lines of its definition, or write `define` before it if it begins one."#;
    DEFINITION_COLUMN = "RB0114", Error, "definition does not begin in the first column",
    r#"Definitions do not nest, so a `define` begins in the first column. A blank before it is easy to overlook, and a reader would take the definition for a part of the one above.

```co
define user ask refund
  "I want my money back"
 define flow refunds
  execute refund_card
```

Delete the blanks before `define`."#;
    DEFINITION_HEAD = "RB0115", Error, "head of a definition cannot be read",
    r#"Behind `define` stand what is defined, one of `flow`, `subflow`, `user`, `bot` and `context`, and its name in words, quoted or not. Words such as `parallel` or `extension` may stand before `flow`. `define context` has no name; a flow without one is called after its number.

```co
define rule refunds
  execute refund_card
```

Write what it is:

```co
define flow refunds
  execute refund_card
```"#;
    RESERVED_NAME = "RB0116", Error, "reserved message name",
    r#"`stop` and `no_match` are rules that a decision gives by itself: for a turn that ends without a message, and for a call that no branch of its flow allows. A message of one of these names could not be told from them.

```co
define flow refunds
  if not $order_paid
    bot stop
```

To end the turn write `stop` alone. To say something, use another name, such as `bot refuse refund`."#;
    DECLARATION = "RB0117", Error, "context declaration cannot be read",
    r#"Under `define context` each line declares one name that the host supplies, with its type: `bool`, `number` or `string`. A name may be a dotted path into nested objects.

```co
define context
  $order_paid: boolean
  $amount
```

Write

```co
define context
  $order_paid: bool
  $amount: number
```"#;
    TEXT_EXPECTED = "RB0118", Error, "text expected",
    r#"A `define user` holds sample utterances and a `define bot` the wordings of one message: texts, in quotes. `define bot` may have `if` and `else` around them, whose conditions never matter to a decision. Statements belong in a flow.

```co
define bot refuse
  This order cannot be refunded.
```

Write the text in quotes:

```co
define bot refuse
  "This order cannot be refunded."
```"#;
    UNKNOWN_STATEMENT = "RB0119", Error, "line begins with no known statement",
    r#"A statement begins with one of `execute`, `bot`, `user`, `if`, `else`, `do`, `stop`, `return`, `when`, `while`, `break`, `continue`, `event`, `create event`, `any`, `label`, `goto`, `meta`, `priority`, or with the `$name` that is assigned. Keywords are written in small letters.

```co
define flow refunds
  exeute refund_card
```

The help names the nearest word. A text alone says nothing: write `bot` before it, or indent it under the `bot` line whose wording it is."#;
    OTHER_WORD = "RB0120", Error, "another spelling of a statement",
    r#"Colang has several words for some statements. A rulebook uses one, so that a reader and a search find every tool that is run and every flow that ends.

```co
define flow refunds
  exec refund_card
  done
```

Write `execute` for `exec` and `run`, `define` for `def`, `return` for `done`, `label` for `checkpoint`, `goto` for `go to`, `$x = 1` for `set $x = 1`, `create event` for `infer` and `new`. `pass` is `continue` in a `while`; elsewhere it does nothing and is left out."#;
    INCLUSION = "RB0121", Error, "rulebook includes another file",
    r#"A rulebook is one file: its hash stands for everything that decides. What another file might add or change would not be covered by it, so `include` and `import` are refused.

```co
include "common.co"

define flow refunds
  execute refund_card
```

Copy the definitions into the rulebook. Rulebooks with a package each can stand side by side in Open Policy Agent."#;
    FOREIGN_STATEMENT = "RB0122", Error, "statement of Colang 2.x or another language",
    r#"The line begins with a word that Colang 1.0 does not have: `await`, `match`, `activate` or `global` of Colang 2.x, `for`, `print` or `try` of Python and others. The help names what says the same in a rulebook, if anything does.

```co
define flow refunds
  await RefundCardAction()
```

Write

```co
define flow refunds
  execute refund_card
```"#;
    VERDICT = "RB0123", Error, "verdict where a step belongs",
    r#"A rulebook does not say `allow` or `deny`. A tool is allowed where a flow runs it with `execute`; it is refused where the flow says something and runs nothing; the person is asked where a question stands.

```co
define flow refunds
  if $order_paid
    allow refund_card
  else
    deny
```

Write

```co
define flow refunds
  if $order_paid
    execute refund_card
  else
    bot refuse
```"#;
    INCOMPLETE = "RB0124", Error, "statement lacks a part",
    r#"The word that begins the statement needs something behind it: `if` a condition, `execute` a tool, `bot` a message, `user` what the person says (`user ...` for anything), `do` a subflow, `priority` a number, `=` a value.

```co
define flow refunds
  if
    execute
```

Write what is missing:

```co
define flow refunds
  if $order_paid
    execute refund_card
```"#;
    TRAILING_TEXT = "RB0125", Error, "text behind a complete line",
    r#"The line was complete and goes on. `stop`, `return`, `break`, `continue` and `any` stand alone; behind a text only further texts stand; behind documentation nothing. A value behind `return` would be lost without a word.

```co
define subflow check account
  if $account_frozen
    return $account_frozen
```

Write one statement a line, and a quote inside a text as `\"`."#;
    STATEMENT_ON_HEAD = "RB0126", Error, "statement on the line of its head",
    r#"The block of an `if`, `else` or `while` begins on the next line, indented. Colang takes what stands behind the `:` as part of the condition, and the next line, whatever it is, as the body.

```co
define flow refunds
  if $order_paid: execute refund_card
  else bot refuse
```

Write

```co
define flow refunds
  if $order_paid
    execute refund_card
  else
    bot refuse
```

A condition behind `else` needs `else if`."#;
    ELSE_WITHOUT_IF = "RB0127", Error, "`else` belongs to nothing",
    r#"An `else`, `else if` or `else when` stands in the column of its `if` or `when`, directly behind that block. `else if` continues an `if`, `else when` a `when`. In Colang an `else` in a column between two blocks joins the nearest one, which need not be the one meant.

```co
define flow refunds
  if $order_paid
    execute refund_card
  bot confirm refund
  else
    bot refuse
```

Move the `else` up to its `if`, or begin a new `if`."#;
    ARM_AFTER_ELSE = "RB0128", Error, "arm behind an `else`",
    r#"An `else` takes all that the arms above it left, so nothing reaches an arm behind it. The second place is the `else`.

```co
define flow refunds
  if $order_paid
    execute refund_card
  else
    bot refuse
  else if $amount <= 100
    bot ask for approval
```

Put the `else` last."#;
    WHEN_WITHOUT_TRIGGER = "RB0129", Error, "`when` without `user`, `bot` or `event`",
    r#"`when` waits for the next turn: `when user agree`, `when bot greet`, `when event UserTyping`. Anything else Colang takes for the name of an event that never comes, so the arm is dead without a word. A condition on the context is an `if`.

```co
define flow refunds
  bot confirm refund
  when agree
    bot thank
```

Write

```co
define flow refunds
  bot confirm refund
  when user agree
    bot thank
```"#;
    OUTSIDE_LOOP = "RB0130", Error, "`break` or `continue` outside `while`",
    r#"`break` leaves the `while` it stands in, `continue` begins its next round. Outside a `while` they mean nothing.

```co
define flow refunds
  if not $order_paid
    break
  execute refund_card
```

To end the flow write `return`; to end the turn, so that no tool runs behind it, write `stop`."#;
    ANY_MEMBER = "RB0131", Error, "something other than a turn under `any`",
    r#"`any` waits for the first of several turns or events. Each line under it is one of them: `user …`, `bot …` or `event …`. What comes next stands behind the block, not in it.

```co
define flow closing
  any
    user agree
    execute close_ticket
```

Write

```co
define flow closing
  any
    user agree
    user disagree
  execute close_ticket
```"#;
    SUBFLOW_CALL = "RB0132", Error, "`do` with more than a name",
    r#"`do` puts the steps of a subflow in its place, so the subflow must be known when the rulebook is read. It takes no parameters, gives nothing back, and cannot be chosen by a value.

```co
define flow refunds
  $ok = do check account
  do check limit(amount=$amount)
  do $next
```

Read context names in the subflow itself, and end the turn there:

```co
define subflow check account
  if $account_frozen
    bot refuse frozen account
    stop

define flow refunds
  do check account
  execute refund_card
```"#;
    TOOL_NAME = "RB0133", Error, "tool name cannot be read",
    r#"The tool of an `execute` is one word that begins with a letter or `_` and has letters, digits, `_`, `.`, `-` and `/`. It is written without quotes, and cannot come from a value: the gate decides by this name. Colang takes `send mail` too, and joins the words; here the name must be the one that the host uses.

```co
define flow mail
  execute send mail
```

Write `execute send_mail`, or whatever the host calls the tool."#;
    ARGUMENTS = "RB0134", Error, "argument list cannot be read",
    r#"Behind the tool stand its arguments in parentheses, or behind `with`. What is in them is recorded and never decided on, so it may be anything, but brackets must match and close on the logical line, and nothing may follow.

```co
define flow refunds
  execute refund_card(order_id=$order_id
  execute notify(tags=["a", "b")
```

Close every bracket. A long list continues with `\` at the end of the line."#;
    ASSIGNMENT = "RB0135", Error, "assignment cannot be read",
    r#"An assignment is one name, `=` with a blank on both sides, and a value. In Colang `$x=1` is no assignment at all. Parts of values (`$customer.tier`) cannot be assigned, and a `$name` alone is no statement.

```co
define flow refunds
  $limit=100
  $amount <= $limit
```

Write

```co
define flow refunds
  $limit = 100
  if $amount <= $limit
    execute refund_card
```"#;
    CONTEXT_NAME = "RB0136", Error, "context name cannot be read",
    r#"A context name is `$` and, directly behind it, a name of ASCII letters, digits and `_` that begins with no digit; several of them with `.` between read nested objects. Colang's own evaluator knows ASCII names only, and letters that look alike would be different names.

```co
define flow refunds
  if $geprüft
    execute refund_card
```

Rename it, here and in the host: `$geprueft` or `$checked`. Texts and the names of flows, messages and turns may use any letters."#;
    EXPRESSION = "RB0137", Error, "condition or value cannot be read",
    r#"A condition or value does not follow the syntax of Colang's expressions, which are Python's with `$` before context names. The message says what does not fit and what could have stood there. Expressions that are well formed but that the gate cannot decide on are another matter: they are accepted where no decision depends on them.

```co
define flow refunds
  if $order_paid and
    execute refund_card
```

Conditions are built from `$name`, comparisons such as `$amount <= 100` and `$tier in ["gold", "silver"]`, `and`, `or`, `not` and parentheses. To go on in the next line, write `\` at the line's end."#;
    EXPRESSION_TOO_DEEP = "RB0138", Error, "expression nests too deep",
    r#"In one expression at most 64 brackets and `not`s may be open at once. They are counted before the expression is read, so that what is accepted does not depend on the memory of the machine that reads it.

Drop parentheses around parentheses and double negations, or split the condition over several `if`s:

```co
define flow refunds
  if $order_paid and not $account_frozen
    execute refund_card
```"#;
    EQUALS_IN_CONDITION = "RB0139", Error, "`=` in a condition",
    r#"`=` assigns, `==` compares. In Colang a `=` in a condition is no error: the condition takes the value on the right, which is almost always true, and the guard is open.

```co
define flow refunds
  if $tier = "gold"
    execute refund_card
```

Write `if $tier == "gold"`."#;
    FOREIGN_OPERATOR = "RB0140", Error, "operator of another language",
    r#"Conditions use Python's operators: `and`, `or`, `not`, `==`, `!=`, `<`, `<=`, `>`, `>=`, `in`. Others, such as `&&`, `||`, `!x`, `<>`, `contains` or `then`, belong to other languages. Colang accepts several of them when it reads the file, and fails when the condition is asked.

```co
define flow refunds
  if $order_paid && !$account_frozen then
    execute refund_card
```

Write

```co
define flow refunds
  if $order_paid and not $account_frozen
    execute refund_card
```"#;
    FOREIGN_CONSTANT = "RB0141", Error, "constant of another language",
    r#"The constants are `True`, `False` and `None`, with a capital letter. `true`, `false`, `null` and the like are plain words here; Colang does not know them and fails when it asks the condition.

```co
define flow refunds
  if $order_paid == true
    execute refund_card
```

Write `if $order_paid == True`, or `if $order_paid`."#;
    TYPOGRAPHIC_QUOTE = "RB0142", Error, "typographic quote",
    r#"Strings stand between straight quotes, `"` or `'`. Word processors and chat programs turn them into curly ones, which open no string here.

```co
define bot refuse
  “This order cannot be refunded.”
```

Write

```co
define bot refuse
  "This order cannot be refunded."
```

Inside a string any quote may stand."#;
    NUMBER_LITERAL = "RB0143", Error, "number literal is no plain decimal",
    r#"A number literal is a plain decimal of at most 15 digits in all: `0`, `100`, `-2.5`. No exponent, no `_`, no leading zero, no other base. So each number has one exact value in every program that reads it. Values that the host passes may be any JSON number.

```co
define flow refunds
  if $amount <= 1e3
    execute refund_card
```

Write `1000`. An identifier of many digits is a string: `$account == "1234567890123456"`."#;
    STRING_ESCAPE = "RB0144", Error, "escape in a string cannot be read",
    r#"The escapes in strings are `\\`, `\"`, `\'`, `\n`, `\t` and `\uXXXX` with four hexadecimal digits. Two of the last kind make one character where Unicode needs a surrogate pair; half of a pair is no character. A `\` before anything else is refused, since other programs read it in different ways.

```co
define bot refuse
  "Look under C:\orders"
```

Write `"Look under C:\\orders"`."#;
}
