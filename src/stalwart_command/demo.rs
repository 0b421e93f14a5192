//! `demo`: the worked example, on this machine alone.

use super::arguments::{DemoArguments, DemoEra};
use super::runtime::block_on;
use crate::demo::{DemoError, Stage, play};
use crate::gateway::Era;
use crate::terminal::{Console, ExitStatus};

pub(super) fn run(arguments: &DemoArguments, console: &mut Console) -> ExitStatus {
    let era = match arguments.era {
        DemoEra::Session => Era::Session,
        DemoEra::Stateless => Era::Stateless,
    };
    match block_on(show(era, console)) {
        Ok(Ok(())) => ExitStatus::Ok,
        Ok(Err(error)) => {
            console.say(&format!("error: {error}\n"));
            ExitStatus::Usage
        }
        Err(error) => {
            console.say(&format!("error: {error}\n"));
            ExitStatus::Usage
        }
    }
}

async fn show(era: Era, console: &mut Console) -> Result<(), DemoError> {
    let stage = Stage::set(None).await?;
    console.say(&format!("shop server  {}\n", stage.shop.url()));
    console.say(&format!("gateway      {}\n", stage.url()));
    let mut lines = String::new();
    let played = play(&stage, era, &mut |line| {
        lines.push_str(line);
        lines.push('\n');
    })
    .await;
    console.answer(&lines);
    stage.clear().await;
    played
}
