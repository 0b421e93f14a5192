//! placeholder

super::codes! {
    PLACEHOLDER_SYNTAX = "RB0999", Note, "x", "x";
}
