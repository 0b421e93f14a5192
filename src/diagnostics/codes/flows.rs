//! placeholder

super::codes! {
    PLACEHOLDER_FLOWS = "RB0999", Note, "x", "x";
}
