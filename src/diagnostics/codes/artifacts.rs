//! Codes of artifacts: writing, staleness, loading an IR (contract sections 6 to 8), and of
//! faults of the compiler itself.

super::codes! {
    ARTIFACT_TOO_LARGE = "RB0601", Error, "an artifact of more than 16 MiB",
    "`rulebook.ir.json` and `Rulebook.rego` may have at most 16 MiB each, so that every tool that reads them needs bounded time. The message names the largest flow.\n\nSplit the rulebook, or let paths end before they multiply.";
    INTERNAL = "RB0901", Error, "fault of the compiler",
    "The compiler found that it contradicts itself. Nothing was written.\n\nPlease report it with the rulebook, or the smallest part of it that shows the fault.";
}
