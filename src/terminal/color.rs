//! When output is coloured.

use std::ffi::OsString;

use clap::ValueEnum;

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Color {
    /// What the arguments ask for, before they are known to be well-formed.
    pub(crate) fn asked_for(arguments: &[OsString]) -> Self {
        let mut color = Self::Auto;
        let mut arguments = arguments.iter().skip(1);
        while let Some(argument) = arguments.next() {
            let value = if argument == "--" {
                break;
            } else if argument == "--color" {
                arguments.next().and_then(|value| value.to_str())
            } else {
                argument
                    .to_str()
                    .and_then(|text| text.strip_prefix("--color="))
            };
            if let Some(asked) = value.and_then(|value| Self::from_str(value, false).ok()) {
                color = asked;
            }
        }
        color
    }

    /// Whether a stream is coloured.
    pub(crate) fn applies(self, is_terminal: bool) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => {
                let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
                let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
                is_terminal && !set("NO_COLOR") && !dumb
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_found_in_arguments_that_do_not_parse() {
        let color = |arguments: &[&str]| {
            let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
            Color::asked_for(&arguments)
        };
        assert_eq!(color(&["x", "--nonsense", "--color=never"]), Color::Never);
        assert_eq!(color(&["x", "--color", "always", "--help"]), Color::Always);
        assert_eq!(color(&["x", "--", "--color=never"]), Color::Auto);
        assert_eq!(color(&["--color=never"]), Color::Auto);
    }
}
