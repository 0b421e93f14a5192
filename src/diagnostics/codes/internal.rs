//! The fault of the compiler itself: `RB0901`.

super::codes! {
    INTERNAL = "RB0901", Error, "fault of the compiler",
    "The compiler found that it contradicts itself. Nothing was written.\n\nPlease report it with the rulebook, or the smallest part of it that shows the fault.";
}
