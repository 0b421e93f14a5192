//! `explain CODE`: what a code means.

use super::arguments::ExplainArguments;
use crate::diagnostics::codes::artifacts::UNKNOWN_CODE;
use crate::diagnostics::{Code, Diagnostic, codes};
use crate::terminal::{Console, ExitStatus};
use crate::text::quoted;

pub(super) fn run(arguments: &ExplainArguments, console: &mut Console) -> ExitStatus {
    let Some(asked) = arguments.code.as_deref() else {
        for code in codes::all() {
            console.answer(&list_line(code));
        }
        return ExitStatus::Ok;
    };
    let asked = asked.trim();
    if let Some(code) = codes::find(asked) {
        console.answer(&explanation(code));
        return ExitStatus::Ok;
    }
    let diagnostic =
        Diagnostic::without_place(&UNKNOWN_CODE, format!("there is no code {}", quoted(asked)))
            .with_help(help(asked));
    console.complain(&diagnostic);
    ExitStatus::Usage
}

fn list_line(code: &Code) -> String {
    format!(
        "{}  {:<7}  {}\n",
        code.id,
        code.severity.as_str(),
        code.title
    )
}

fn explanation(code: &Code) -> String {
    format!(
        "{} ({}): {}\n\n{}\n",
        code.id,
        code.severity.as_str(),
        code.title,
        code.explanation.trim_end()
    )
}

fn help(asked: &str) -> String {
    match nearest(asked) {
        Some(code) => format!("did you mean `{}` ({})?", code.id, code.title),
        None => "`RulebookTranslator explain` lists all codes".to_owned(),
    }
}

/// The code that was meant: its number without the letters, or an id with two slips at most.
fn nearest(asked: &str) -> Option<&'static Code> {
    // A text as long as this is no slip, and comparing it would take its time.
    if asked.len() > 16 {
        return None;
    }
    let asked = asked.to_ascii_uppercase();
    codes::all()
        .map(|code| {
            let number = code.id.trim_start_matches("RB");
            let distance = strsim::damerau_levenshtein(&asked, code.id)
                .min(strsim::damerau_levenshtein(&asked, number))
                .min(strsim::damerau_levenshtein(
                    &asked,
                    number.trim_start_matches('0'),
                ));
            (distance, code)
        })
        .filter(|(distance, _)| *distance <= 2)
        .min_by_key(|(distance, code)| (*distance, code.id))
        .map(|(_, code)| code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_find_their_code() {
        let id = |asked| nearest(asked).map(|code| code.id);
        assert_eq!(id("RB641"), Some("RB0641"));
        assert_eq!(id("641"), Some("RB0641"));
        assert_eq!(id("0641"), Some("RB0641"));
        assert_eq!(id("rb0641x"), Some("RB0641"));
        assert_eq!(id("stale artifacts"), None);
        assert_eq!(id(&"RB0641".repeat(100_000)), None);
    }
}
