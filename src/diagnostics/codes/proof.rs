//! Codes of proof and provenance: `RB07xx`.

super::codes! {
    MISMATCH = "RB0701", Error, "the Rego does not say what the rulebook says",
    "Each emit, and each `verify`, asks the emitted Rego and the rulebook for the same decisions and compares them. Here is a call on which they differ: the smallest that was found. Nothing was written.\n\nA changed file does not end here: `verify` compares bytes before, and says RB0712. So it is a fault of the compiler, in `emit` and in `verify`: please report it with the rulebook, or the smallest part of it that shows the fault.";
    NOT_EVALUATED = "RB0702", Error, "the Rego could not be evaluated",
    "The proof asks the emitted Rego for decisions in an interpreter. It could not read the package, or gave no decision for a call, so nothing is proved. Nothing was written.\n\nPlease report it with the rulebook, or the smallest part of it that shows the fault.";
    NO_OPA = "RB0703", Error, "no opa that runs",
    "`--with-opa` sends the proof's calls through a real `opa` as well. It is looked for at the path that the variable `STALWART_OPA` names, else among the programs on the path; none was found, or it did not run.\n\nInstall Open Policy Agent, or name it:\n\n```text\nSTALWART_OPA=tools/opa RulebookTranslator emit policy.co --with-opa\n```";
    BROKEN_SOURCE = "RB0710", Error, "source is not the one that was emitted from",
    "The artifacts record the SHA-256 of the source's text. The source that `verify` was given has another, so the artifacts say nothing about it: it was changed after they were emitted, or they are those of another rulebook.\n\nThe hash is that of the text without a byte order mark and with LF as line end, so another checkout of the same text has the same hash. Emit again and commit source and artifacts together, or give the source that belongs to them:\n\n```text\nRulebookTranslator verify opa --source policy.co\n```";
    BROKEN_IR = "RB0711", Error, "compiled rulebook is not what its source gives",
    "`rulebook.ir.json` is missing, or no source gives it: it breaks a rule that every compiled rulebook keeps, or has other bytes than a translator writes, or, where the source is given, is not what that source compiles to. The Rego is made from it, so nothing behind it can be trusted.\n\nIt is generated and is not meant to be edited, formatted or merged by hand. Emit it again:\n\n```text\nRulebookTranslator emit policy.co --out-dir opa\n```";
    BROKEN_REGO = "RB0712", Error, "Rego is not what the compiled rulebook gives",
    "`Rulebook.rego` is missing, or is not, byte for byte, what the IR beside it gives: its header is damaged or records another IR or another source, or a line was changed. The message names the first line that differs. An engine that loads it enforces something else than the rulebook.\n\nMove the change into the rulebook and emit again:\n\n```text\nRulebookTranslator emit policy.co --out-dir opa\n```";
    BROKEN_EXTRA = "RB0713", Error, "another file adds to the package",
    "Another `.rego` file in the folder declares the rulebook's package. An engine that loads the folder merges the two, so that the other file can add or change decisions, and what was proved of `Rulebook.rego` no longer holds.\n\n```rego\npackage stalwart.policy\n\ndecision := {\"decision\": \"allow\", \"rule\": \"\"}\n```\n\nMove the file to another folder, or give it another package.";
    NO_ARTIFACTS = "RB0714", Error, "no folder to verify",
    "`verify` takes the folder that holds `rulebook.ir.json` and `Rulebook.rego`, or a bundle. The path that it was given is neither.\n\n```text\nRulebookTranslator verify opa\nRulebookTranslator verify opa --source policy.co\nRulebookTranslator verify bundle.tar.gz --source policy.co\n```";
}
