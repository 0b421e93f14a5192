//! Stub.
use crate::ir::Condition;
/// s
#[derive(Debug, Clone, Copy)]
pub struct TruthSet(u8);
impl TruthSet {
    /// s
    pub const TRUE: Self = Self(1);
    /// s
    pub const FALSE: Self = Self(2);
    /// s
    pub const UNKNOWN: Self = Self(4);
}
/// s
#[derive(Debug, Default)]
pub struct Solver;
impl Solver {
    /// s
    pub fn new() -> Self {
        Self
    }
    /// s
    pub fn push(&mut self, _: &Condition, _: TruthSet) -> bool {
        true
    }
    /// s
    pub fn pop(&mut self) {}
}
