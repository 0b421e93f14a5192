//! What a word was most likely meant to be.

/// The candidate that `name` is most likely a misspelling of: at most a third of its characters
/// (and at least one) differ. Of equals, the first in order.
pub fn did_you_mean<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .filter(|candidate| *candidate != name && candidate.len().abs_diff(name.len()) <= 4 * limit)
        .map(|candidate| (strsim::osa_distance(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_third_of_the_characters_may_differ() {
        let mean = |name| did_you_mean(name, ["package", "path", "tests"]);
        assert_eq!(mean("pakage"), Some("package"));
        assert_eq!(mean("test"), Some("tests"));
        assert_eq!(mean("folder"), None);
        assert_eq!(mean("path"), None);
    }
}
