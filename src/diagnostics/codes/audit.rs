//! Codes of the gateway's audit log, its store and its key file: what ends a start, and what
//! `stalwart audit verify` finds (gateway contract, section 5).

super::codes! {
    CUT = "RB1201", Error, "end of the audit log is cut off",
    "The log once had lines that it no longer has: the store keeps the number and the hash of the last line that it handed to the file, and signed checkpoints beside the file keep those of every thousandth. A gateway does not start on such a log, since what it would append would hide that something is missing.

```text
$ stalwart audit verify decisions.jsonl --config gateway.yaml
```

names the last line that is there and the last that was. Put the whole file back, or look into who cut it.

A file that was moved away while the gateway stood still looks the same. Put it back, start the gateway, move the file, and send SIGHUP: the gateway then signs where the file ended and goes on in a new one.";

    ALTERED = "RB1202", Error, "line of the audit log is altered",
    "Each line holds a keyed hash of the whole line before it. The hash that stands behind this line is not the one of its text: a byte of it was changed, or it was taken from elsewhere. Without the key nobody can make the hash that would fit.

```text
$ stalwart audit verify decisions.jsonl --config gateway.yaml
```

names every such line by its place in the file and its number in the chain. Compare it with a copy that was kept elsewhere.";

    FOREIGN = "RB1203", Error, "audit log of another gateway",
    "A log is one chain, of one `node`, whose head one store keeps. This file, or a line in it, is of another node, or of a chain that this store never had. Lines of two gateways in one file could hide each other's absence.

Give each gateway a file, and a name, of its own:

```yaml
node: gateway-2
audit: decisions-2.jsonl
store: ./gateway-2.db
```";

    KEY_UNKNOWN = "RB1204", Error, "key of the audit log is not known",
    "A line was hashed with a key that the configuration no longer has, so nobody can tell whether it is as it was written. That counts as wrong, not as unknown: whoever can take a key away could hide a change behind that.

Keep old keys behind the one that signs, as long as a log has lines of theirs:

```yaml
keys:
  - { id: k2, secret: ${STALWART_KEY_2} }
  - { id: k1, secret: ${STALWART_KEY_1} }
```";

    IN_USE = "RB1205", Error, "audit log is in use",
    "Another process writes this file and holds it locked. Two writers would interleave their lines.

```text
another process writes decisions.jsonl
```

Stop the other one, or give this one a file of its own with `audit`.";

    CHANGED = "RB1206", Error, "audit log was changed while it was open",
    "The file has another length than the gateway left it with, or was removed. Until it is sorted out no line is written, and so nothing is forwarded.

Nothing but the gateway may write the file. Tools that rotate logs must move it and send SIGHUP, not copy and truncate it:

```text
/var/log/stalwart/decisions.jsonl {
    daily
    nocreate
    postrotate
        pkill -HUP -x stalwart
    endscript
}
```";

    AUDIT_UNUSABLE = "RB1207", Error, "audit log cannot be used",
    "The file of `audit` cannot be opened, read or written; the message gives the system's reason. No call is forwarded whose decision line could not be written.

```text
the audit log cannot be written: no space left on device
```

Look at the folder, its permissions and the free space, or name another file.";

    MISSING = "RB1211", Error, "line of the audit log is missing",
    "The numbers of a chain count up by one. Before this line, some are left out: lines were deleted. A file may begin behind line 1 only where a checkpoint beside it says that the file before was moved away there.

```text
decisions.jsonl: line 7 has number 9, and the one before it 7
```

Compare the file with a copy that was kept elsewhere.";

    MOVED = "RB1212", Error, "line of the audit log is out of order",
    "This line stands behind lines that were written later, or a line of its number was there before: lines were swapped, or one was copied.

```text
decisions.jsonl: line 7 has number 6, and the one before it 7
```

Compare the file with a copy that was kept elsewhere.";

    NO_LINE = "RB1213", Error, "not a line of an audit log",
    "Each line is one JSON object with the keys of `qls-decision/1`, written in one way: no blanks between them, each key there, in order. This line is not, so it was not written by a gateway, or not left as it was.

```text
decisions.jsonl: line 3 is no line of `qls-decision/1`
```

`stalwart schema audit` prints the JSON Schema of a line.";

    TORN = "RB1214", Error, "audit log ends within a line",
    "The last line has no end: the process or the machine stopped while it was written, or bytes were cut off. When a gateway starts on the file, it moves the torn line into a file of its own, `decisions.jsonl.torn-SEQ`, writes the line again from its store, and a `repair` line says so.

```text
{\"format\":\"qls-decision/1\",\"kind\":\"deci
```";

    DECISIONS = "RB1215", Error, "call with two decisions, or none",
    "Exactly one line of kind `decision` is written for a call; its other lines share its `request`. Here a call has a second one, or an outcome without one: a line was added or taken away.

```text
decisions.jsonl: the call `3f0c…` has two lines of kind `decision`
```

Compare the file with a copy that was kept elsewhere.";

    STORE_IN_USE = "RB1221", Error, "store is in use",
    "Another process has the store's file. One process at a time may, since two that count calls on their own could let through together what each would refuse.

```text
another process uses the store
```

Stop the other one, or give this one a `store` of its own. Several gateways share their state on Postgres.";

    STORE_DAMAGED = "RB1222", Error, "store is damaged",
    "The file of `store` is no store of this program, was made by a later version, or holds what no version writes. It is refused rather than guessed at: marks and counts that are lost could let a call through.

```text
the store is damaged: it is a database of another program
```

Put a whole copy back. To begin anew, move the file, its `.key` and the audit log away together.";

    STORE_UNUSABLE = "RB1223", Error, "store cannot be used",
    "The file of `store` cannot be opened, read or written; the message gives the system's reason.

```text
the store cannot be used: read-only file system
```

Look at the folder, its permissions and the free space, or name another file.";

    KEY_FILE = "RB1224", Error, "key file cannot be used",
    "Where the configuration names no `keys`, a gateway makes one and keeps it beside its store, `gateway.db.key`, readable by its owner alone. This file is readable by others, is damaged, or is gone while the store is there: without it nobody can check the audit log's chain or read what the store keeps sealed.

```text
$ chmod 600 gateway.db.key
```

Put a lost key back, or name it in the configuration:

```yaml
keys: [{ id: k1, secret: ${STALWART_KEY} }]
```";
}
