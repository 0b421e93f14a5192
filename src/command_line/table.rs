//! `table FILE`: what is decided in every context, as decision tables.

use super::arguments::{TableArguments, TableFormat};
use super::diff::unknown_tools;
use super::load;
use crate::decision_space::Called;
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::difference::TOO_LARGE_TO_SHOW;
use crate::ir::Rulebook;
use crate::regions::TooLarge;
use crate::table::{Table, render_csv, render_html, render_human, render_markdown, table};
use crate::terminal::{Console, ExitStatus};
use crate::text::quoted;

pub(super) fn run(arguments: &TableArguments, console: &mut Console) -> ExitStatus {
    let rulebook = match load::required(&arguments.file, "no table is made", console) {
        Ok(rulebook) => rulebook,
        Err(status) => return status,
    };
    let unknown = unknown_tools(&[&rulebook], &arguments.tool);
    if !unknown.is_empty() {
        for diagnostic in &unknown {
            console.complain(diagnostic);
        }
        return ExitStatus::Usage;
    }
    let mut status = ExitStatus::Ok;
    let mut tables = Vec::new();
    for called in wanted(&rulebook, &arguments.tool) {
        match table(&rulebook, called.clone()) {
            Ok(found) => tables.push(found),
            Err(TooLarge) => {
                let name = quoted(called.name().unwrap_or_default());
                console.complain(
                    &Diagnostic::without_place(
                        &TOO_LARGE_TO_SHOW,
                        format!("the decisions on {name} do not fit a table"),
                    )
                    .with_help("split the flows that govern it, or ask for other tools"),
                );
                status = ExitStatus::No;
            }
        }
    }
    without_repetition(&mut tables);
    if tables.is_empty() {
        return status;
    }
    let text = match arguments.format {
        TableFormat::Human => render_human(&tables, console.colors_stdout()),
        TableFormat::Md => render_markdown(&tables),
        TableFormat::Html => render_html(&tables, &rulebook),
        TableFormat::Csv => render_csv(&tables),
    };
    console.answer(&text);
    status
}

/// The tools to show: those asked for, in the order of the rulebook, or all.
fn wanted(rulebook: &Rulebook, asked: &[String]) -> Vec<Called> {
    let all = Called::all(&[rulebook], []).into_iter();
    all.filter(|called| match called {
        Called::Tool(name) => asked.is_empty() || asked.contains(name),
        Called::Other(_) | Called::NoString => asked.is_empty(),
    })
    .collect()
}

/// A tool that is no string is shown only where it is decided otherwise than any other.
fn without_repetition(tables: &mut Vec<Table>) {
    let others = tables
        .iter()
        .find(|table| matches!(table.called, Called::Other(_)));
    let others = others.map(|table| (table.columns.clone(), table.rows.clone()));
    tables.retain(|table| {
        table.called != Called::NoString
            || others.as_ref() != Some(&(table.columns.clone(), table.rows.clone()))
    });
}
