//! What SQLite's faults are to whoever uses the store.

use rusqlite::{Error, ErrorCode};

use crate::store::StoreError;

/// A fault of SQLite's.
#[expect(clippy::needless_pass_by_value, reason = "as `map_err` hands it over")]
pub(super) fn of(error: Error) -> StoreError {
    match &error {
        Error::SqliteFailure(failure, _) => match failure.code {
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => StoreError::InUse,
            ErrorCode::DatabaseCorrupt => StoreError::Damaged("a page is not readable".to_owned()),
            ErrorCode::NotADatabase => StoreError::Damaged("it is no database".to_owned()),
            ErrorCode::DiskFull => {
                StoreError::Unusable("no space is left on the device".to_owned())
            }
            _ => StoreError::Unusable(error.to_string()),
        },
        Error::FromSqlConversionFailure(..)
        | Error::IntegralValueOutOfRange(..)
        | Error::InvalidColumnType(..)
        | Error::Utf8Error(..) => StoreError::Damaged(error.to_string()),
        _ => StoreError::Unusable(error.to_string()),
    }
}

/// A word of a closed list that is none of it.
pub(super) fn unknown_word(column: usize, word: &str) -> Error {
    Error::FromSqlConversionFailure(
        column,
        rusqlite::types::Type::Text,
        format!("unknown word {word:?}").into(),
    )
}
