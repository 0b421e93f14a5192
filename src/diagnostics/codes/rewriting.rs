//! Codes of rewriting a source: `fmt` and `check --fix`.

super::codes! {
    FORMATTED_TOO_LARGE = "RB0690", Error, "too large to be formatted",
    "Formatted, the rulebook would pass a limit of its language: a line of more than 1,024 characters, more than 20,000 lines, or more than 1 MiB. Two blanks for each block and a blank line before each definition need room. The file was left as it is.\n\nContinue the long line on the next one with `\\` at its end, or split the file into several rulebooks:\n\n```co\ndefine flow refunds\n  if $order_paid and $amount <= 100 \\\n      and $country in [\"AT\", \"BE\", \"DE\"]\n    execute refund_card\n```";
    FMT_OF_IR = "RB0691", Error, "compiled rulebook where a source belongs",
    "`fmt` and `check --fix` rewrite what an author writes, a `.co` file. This file is a compiled rulebook, `rulebook.ir.json`: its bytes are fixed, and it is never edited.\n\nName the source, and emit again when it has changed:\n\n```text\nRulebookTranslator fmt policy.co\nRulebookTranslator emit policy.co\n```";
}
