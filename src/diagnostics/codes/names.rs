//! placeholder

super::codes! {
    PLACEHOLDER_NAMES = "RB0999", Note, "x", "x";
}
