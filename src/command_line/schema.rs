//! `schema FORMAT`: the JSON Schema of a format.

use super::arguments::{SchemaArguments, SchemaFormat};
use super::conformance::vectors;
use super::report;
use crate::terminal::{Console, ExitStatus};
use crate::{diff, ir, project, test_suite};

pub(super) fn run(arguments: &SchemaArguments, console: &mut Console) -> ExitStatus {
    console.answer(&match arguments.format {
        SchemaFormat::Ir => ir::schema(),
        SchemaFormat::Check => report::check_schema(),
        SchemaFormat::Diff => diff::schema(),
        SchemaFormat::Finding => report::finding_schema(),
        SchemaFormat::Project => project::schema(),
        SchemaFormat::Tests => test_suite::schema(),
        SchemaFormat::Vectors => vectors::schema(),
    });
    ExitStatus::Ok
}
