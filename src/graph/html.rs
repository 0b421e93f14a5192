//! A page to read.

use super::model::Graph;

/// A page of a rulebook, or of a part of it.
pub fn render(graph: &Graph<'_>) -> String {
    super::svg::render(graph)
}
