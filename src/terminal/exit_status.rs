//! How a command ends (contract section 10).

use std::process::{ExitCode, Termination};

/// What a process ends with. Of several, the highest counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExitStatus {
    /// 0: done, and the answer is yes where there was a question.
    #[default]
    Ok,
    /// 1: the answer is no: errors in the file, stale artifacts, a call that is not allowed.
    No,
    /// 2: the command could not be understood, or a file not be read or written.
    Usage,
    /// 3: what was proved or traced is not so, or the compiler contradicts itself.
    Fault,
}

impl ExitStatus {
    /// The process's exit code.
    pub fn code(self) -> u8 {
        match self {
            Self::Ok => 0,
            Self::No => 1,
            Self::Usage => 2,
            Self::Fault => 3,
        }
    }
}

impl Termination for ExitStatus {
    fn report(self) -> ExitCode {
        ExitCode::from(self.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_counts() {
        let all = [
            ExitStatus::Ok,
            ExitStatus::No,
            ExitStatus::Usage,
            ExitStatus::Fault,
        ];
        assert_eq!(all.map(ExitStatus::code), [0, 1, 2, 3]);
        assert!(all.is_sorted());
        assert_eq!(ExitStatus::Usage.max(ExitStatus::No), ExitStatus::Usage);
    }
}
