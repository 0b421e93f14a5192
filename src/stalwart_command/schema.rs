//! `schema FORMAT`: the JSON Schema of a format.

use super::arguments::{SchemaArguments, SchemaFormat};
use crate::audit;
use crate::catalogue::Catalogue;
use crate::terminal::{Console, ExitStatus};

pub(super) fn run(arguments: &SchemaArguments, console: &mut Console) -> ExitStatus {
    console.answer(&match arguments.format {
        SchemaFormat::Catalogue => Catalogue::schema(),
        SchemaFormat::Audit => format!("{:#}\n", audit::schema()),
    });
    ExitStatus::Ok
}
