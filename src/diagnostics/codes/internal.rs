//! Faults of the programs themselves: `RB09xx`.

super::codes! {
    INTERNAL = "RB0901", Error, "fault of the compiler",
    "The compiler found that it contradicts itself. Nothing was written.\n\nPlease report it with the rulebook, or the smallest part of it that shows the fault.";
    FORMATTER = "RB0902", Error, "fault of the formatter",
    "`fmt` reads what it is about to write, and compares it with the file: the rulebook must mean the same, and every comment must be there, in its order. Here something would have been changed or lost. The file was left as it is.\n\nPlease report it with the rulebook, or the smallest part of it that shows the fault. Everything else can be done with the file as before.";
    GATEWAY = "RB0903", Error, "fault of the gateway",
    "`stalwart` found that it contradicts itself. The call or the command at hand was given up, and nothing of it was forwarded behind the fault.\n\nPlease report it with the message and with what `gateway.yaml` says, without its secrets.";
}
