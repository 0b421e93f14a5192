//! Codes of files and their text (contract section 1).

super::codes! {
    UNREADABLE = "RB0001", Error, "file cannot be read",
    "The file or folder could not be opened or read; the message gives the system's reason.\n\nCheck the path and its permissions. A folder is checked by `check DIR`, which reads every `.co` file in it; other commands take one file.";
    TOO_MANY_BYTES = "RB0002", Error, "file is larger than 1 MiB",
    "A rulebook may have at most 1 MiB of text, so that every tool that reads it needs bounded time.\n\nSplit it into several rulebooks, each with its own package.";
    TOO_MANY_LINES = "RB0003", Error, "file has more than 20,000 lines",
    "A rulebook may have at most 20,000 lines.\n\nSplit it into several rulebooks, each with its own package.";
    LINE_TOO_LONG = "RB0004", Error, "line has more than 1,024 characters",
    "A line may have at most 1,024 characters; its end is not counted.\n\nA long condition can be continued with `\\` at the end of a line.";
    NOT_UTF8 = "RB0005", Error, "text is not UTF-8",
    "Rulebooks are UTF-8 text.\n\nSave the file as UTF-8; editors call this the file's encoding.";
    LONE_CARRIAGE_RETURN = "RB0006", Error, "carriage return without a line feed",
    "Lines end in LF or CRLF. A carriage return alone is no line end here, and editors show it in different ways, so it is refused.\n\nSave the file with LF or CRLF line ends.";
    NUL_CHARACTER = "RB0007", Error, "NUL character in the text",
    "A NUL character has no place in a rulebook. It often means that the file is no text, or is UTF-16.\n\nSave the file as UTF-8.";
    BYTE_ORDER_MARK = "RB0008", Error, "byte order mark inside the text",
    "One byte order mark at the very start of a file is dropped. Anywhere else it is an invisible character that would become part of a name or string.\n\nDelete it; it often comes from joining two files.";
}
