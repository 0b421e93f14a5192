//! What the operating system says, in words for a message.

use std::io;

use super::escaped;

/// What the system says went wrong, in words and without its number.
pub fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file or folder".to_owned(),
        io::ErrorKind::PermissionDenied => "permission is denied".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        io::ErrorKind::NotADirectory => "a part of the path is a file, not a folder".to_owned(),
        io::ErrorKind::StorageFull => "no space is left on the device".to_owned(),
        io::ErrorKind::QuotaExceeded => "the quota is exceeded".to_owned(),
        io::ErrorKind::ReadOnlyFilesystem => "the file system is read-only".to_owned(),
        io::ErrorKind::InvalidFilename => "the system does not take the name".to_owned(),
        io::ErrorKind::BrokenPipe => "nobody reads it".to_owned(),
        _ => {
            let text = error.to_string();
            let text = text.split(" (os error").next().unwrap_or(&text);
            let mut characters = text.chars();
            characters.next().map_or_else(String::new, |first| {
                escaped(&first.to_lowercase().chain(characters).collect::<String>())
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_words() {
        assert_eq!(
            reason(&io::Error::from(io::ErrorKind::StorageFull)),
            "no space is left on the device"
        );
        let odd = reason(&io::Error::from_raw_os_error(40));
        assert!(!odd.contains("os error"), "{odd}");
    }
}
