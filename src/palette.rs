//! The colours of everything that is drawn: pictures, tables and reports look alike, and are
//! readable on light and on dark screens and on paper.
//!
//! A page takes [`VARIABLES`] into its style and names colours as `var(--ink)`. Colour never
//! stands alone: each [`Tone`] has a mark and a word beside it.

/// The variables of a style sheet: light, and dark where the reader's screen is.
///
/// - `--page`, `--card`, `--sunken`: surfaces, from the back to the front, and one that lies low
/// - `--ink`, `--quiet`: text, and text that may be passed over
/// - `--line`, `--path`: borders, and lines that connect
/// - `--accent`, `--accent-fill`: what can be chosen, and what is
/// - `--TONE`, `--TONE-fill`, `--TONE-edge` of the tones `allow`, `clarify`, `refuse`, `silent`:
///   text, surface and border
pub const VARIABLES: &str = "\
:root{color-scheme:light dark;\
--page:#f5f6f9;--card:#ffffff;--sunken:#f2f4f8;--ink:#1b2430;--quiet:#5a6675;\
--line:#d8dee7;--path:#7d8b9e;--accent:#3452c4;--accent-fill:#e9edfb;\
--allow:#0a6638;--allow-fill:#e1f5e9;--allow-edge:#86caa3;\
--clarify:#824700;--clarify-fill:#fff0d4;--clarify-edge:#e6b264;\
--refuse:#a0172a;--refuse-fill:#fde8ea;--refuse-edge:#ea9fa8;\
--silent:#4b5665;--silent-fill:#eceff4;--silent-edge:#c2cad5}
@media screen and (prefers-color-scheme:dark){:root{\
--page:#10141a;--card:#181e27;--sunken:#1f2631;--ink:#e7ebf1;--quiet:#9ca8b8;\
--line:#313b49;--path:#66758a;--accent:#9db2ff;--accent-fill:#232d4d;\
--allow:#80e3aa;--allow-fill:#11331f;--allow-edge:#2f6f4b;\
--clarify:#ffc670;--clarify-fill:#38280d;--clarify-edge:#7d5c22;\
--refuse:#ff9fa8;--refuse-fill:#40191f;--refuse-edge:#8b3b46;\
--silent:#b5c0ce;--silent-fill:#252d38;--silent-edge:#475363}}
";

/// A colour on light surfaces, for what has no style sheet; black where there is none.
pub fn light(name: &str) -> &'static str {
    let value = |declaration: &'static str| {
        let (variable, value) = declaration.split_once(':')?;
        (variable.strip_prefix("--")? == name).then_some(value)
    };
    let mut declarations = VARIABLES.split([';', '{', '}']);
    declarations.find_map(value).unwrap_or("#000000")
}

/// Fonts for prose, without one that would have to be fetched.
pub const SANS: &str =
    "system-ui,-apple-system,\"Segoe UI\",Roboto,\"Helvetica Neue\",Arial,sans-serif";

/// Fonts for what stands in a rulebook as it is written.
pub const MONO: &str = "ui-monospace,SFMono-Regular,Menlo,Consolas,\"Liberation Mono\",monospace";

/// What a decision looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tone {
    /// Green: the call may go on.
    Allow,
    /// Amber: a person is asked first.
    Clarify,
    /// Red: the call is refused.
    Refuse,
    /// Grey: nothing is said.
    Silent,
}

impl Tone {
    /// All of them, in this order.
    pub const ALL: [Self; 4] = [Self::Allow, Self::Clarify, Self::Refuse, Self::Silent];

    /// The name of its variables, and of a class that has its colours: the decision's word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Clarify => "clarify",
            Self::Refuse => "refuse",
            Self::Silent => "silent",
        }
    }

    /// A sign for those who do not tell the colours apart.
    pub fn mark(self) -> char {
        match self {
            Self::Allow => '✓',
            Self::Clarify => '?',
            Self::Refuse => '✕',
            Self::Silent => '–',
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The variables of a block, in order.
    fn names(block: &str) -> Vec<&str> {
        let declarations = block.split([';', '{', '}']);
        declarations
            .filter_map(|declaration| declaration.split_once(':'))
            .map(|(name, _)| name)
            .filter(|name| name.starts_with("--"))
            .collect()
    }

    #[test]
    fn each_colour_is_there_for_light_and_dark() {
        let (light, dark) = VARIABLES.split_once("@media").unwrap();
        assert_eq!(names(light), names(dark));
        for tone in Tone::ALL {
            for part in ["", "-fill", "-edge"] {
                let name = format!("--{}{part}", tone.name());
                assert!(names(light).contains(&name.as_str()), "{name}");
            }
        }
    }

    #[test]
    fn colours_are_found_by_name() {
        assert_eq!(light("allow"), "#0a6638");
        assert_eq!(light("silent-edge"), "#c2cad5");
        assert_eq!(light("nothing"), "#000000");
    }

    #[test]
    fn nothing_is_fetched() {
        assert!(!VARIABLES.contains("url") && !VARIABLES.contains("import"));
    }
}
