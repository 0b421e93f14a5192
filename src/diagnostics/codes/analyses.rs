//! Codes of analyses of the decision (contract section 5).

super::codes! {
    FAILS_OPEN = "RB0401", Warning, "fails open",
    "placeholder";
}
