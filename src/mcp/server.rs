//! The side that agents connect to.
