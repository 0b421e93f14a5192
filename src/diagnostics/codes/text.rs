//! Codes of files and their text (contract section 1).

super::codes! {
    UNREADABLE = "RB0001", Error, "file cannot be read",
    "The file or folder could not be opened or read; the message gives the system's reason.

Check the path and its permissions. A folder is checked by `check DIR`, which reads every `.co` file in it; other commands take one file:

```text
RulebookTranslator check policies/
RulebookTranslator emit policies/refunds.co
```";

    TOO_MANY_BYTES = "RB0002", Error, "file is larger than 1 MiB",
    "A rulebook may have at most 1 MiB of text, so that every tool that reads it needs bounded time.

Split it into several rulebooks, each with its own package:

```text
RulebookTranslator emit refunds.co --out-dir opa/refunds
RulebookTranslator emit transfers.co --out-dir opa/transfers
```";

    TOO_MANY_LINES = "RB0003", Error, "file has more than 20,000 lines",
    "A rulebook may have at most 20,000 lines.

Split it into several rulebooks, each with its own package:

```text
RulebookTranslator emit refunds.co --out-dir opa/refunds
RulebookTranslator emit transfers.co --out-dir opa/transfers
```";

    LINE_TOO_LONG = "RB0004", Error, "line has more than 1,024 characters",
    "A line may have at most 1,024 characters; its end is not counted.

A long condition can be continued with `\\` at the end of a line:

```co
define flow refunds
  if $order_paid and $amount <= 100 and \\
      $customer.known and not $account_frozen
    execute refund_card
```";

    NOT_UTF8 = "RB0005", Error, "text is not UTF-8",
    "Rulebooks are UTF-8 text.

Save the file as UTF-8; editors call this the file's encoding. On the command line:

```text
iconv -f latin1 -t utf-8 old.co > policy.co
```";

    LONE_CARRIAGE_RETURN = "RB0006", Error, "carriage return without a line feed",
    "Lines end in LF or CRLF. A carriage return alone is no line end here, and editors show it in different ways, so it is refused.

Save the file with LF or CRLF line ends. On the command line:

```text
tr '\\r' '\\n' < old.co > policy.co
```";

    NUL_CHARACTER = "RB0007", Error, "NUL character in the text",
    "A NUL character has no place in a rulebook. It often means that the file is no text, or is UTF-16.

Save the file as UTF-8. On the command line:

```text
iconv -f utf-16 -t utf-8 old.co > policy.co
```";

    BYTE_ORDER_MARK = "RB0008", Error, "byte order mark inside the text",
    "One byte order mark at the very start of a file is dropped. Anywhere else it is an invisible character that would become part of a name or string.

Delete it; it often comes from joining two files. In a string, write it as an escape:

```co
define bot hello
  \"A mark: \\ufeff\"
```";
}
