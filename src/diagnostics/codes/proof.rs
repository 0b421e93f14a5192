//! Codes of proof and provenance: `RB07xx`.

super::codes! {
    MISMATCH = "RB0701", Error, "the Rego does not say what the rulebook says",
    "Each emit, and each `verify`, asks the emitted Rego and the rulebook for the same decisions and compares them. Here is a call on which they differ: the smallest that was found. Nothing was written.\n\nIn `verify` it means that the Rego was changed. In `emit` it is a fault of the compiler: please report it with the rulebook, or the smallest part of it that shows the fault.";
    NOT_EVALUATED = "RB0702", Error, "the Rego could not be evaluated",
    "The proof asks the emitted Rego for decisions in an interpreter. It could not read the package, or gave no decision for a call, so nothing is proved. Nothing was written.\n\nPlease report it with the rulebook, or the smallest part of it that shows the fault.";
    NO_OPA = "RB0703", Error, "no opa that runs",
    "`--with-opa` sends the proof's calls through a real `opa` as well. It is looked for at the path that the variable `STALWART_OPA` names, else among the programs on the path; none was found, or it did not run.\n\nInstall Open Policy Agent, or name it:\n\n```text\nSTALWART_OPA=tools/opa RulebookTranslator emit policy.co --with-opa\n```";
}
