//! The items of an array, each as it is written.

use super::JsonError;
use super::reader::{Container, Event, Reader};

/// The items of an array, as they are written; none for a value that is none.
///
/// # Errors
/// The text is no JSON.
pub fn items(text: &str) -> Result<Option<Vec<&str>>, JsonError> {
    let mut reader = Reader::new(text);
    let mut items = Vec::new();
    let mut depth = 0_usize;
    let mut item_start = 0;
    let mut is_array = false;
    while let Some(event) = reader.next().map_err(|fault| JsonError::of(fault, text))? {
        let start = reader.start();
        match event {
            Event::Begin(container) => {
                if depth == 0 {
                    is_array = container == Container::Array;
                } else if depth == 1 {
                    item_start = start;
                }
                depth += 1;
                continue;
            }
            Event::End => depth -= 1,
            Event::Scalar(_) if depth == 1 => item_start = start,
            Event::Scalar(_) | Event::Key(_) => continue,
        }
        if depth == 1 {
            items.push(
                text.get(item_start..reader.end_of_event())
                    .unwrap_or_default(),
            );
        }
    }
    Ok(is_array.then_some(items))
}
