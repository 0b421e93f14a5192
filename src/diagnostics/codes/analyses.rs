//! placeholder

super::codes! {
    PLACEHOLDER_ANALYSES = "RB0999", Note, "x", "x";
}
