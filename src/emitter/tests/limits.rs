//! Sizes: long lists, deep nesting, long and hostile texts.
