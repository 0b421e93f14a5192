//! Versions of the protocol, and their eras.

use crate::gateway::Era;

/// A version of the protocol that is spoken here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Version {
    /// 2025-03-26.
    V2025March,
    /// 2025-06-18.
    V2025June,
    /// 2025-11-25.
    V2025November,
    /// 2026-07-28.
    V2026July,
}

impl Version {
    /// Every version, the oldest first.
    pub const ALL: [Self; 4] = [
        Self::V2025March,
        Self::V2025June,
        Self::V2025November,
        Self::V2026July,
    ];

    /// The newest with `initialize` and sessions.
    pub const NEWEST_SESSION: Self = Self::V2025November;

    /// The newest without.
    pub const NEWEST_STATELESS: Self = Self::V2026July;

    /// A version by its date.
    pub fn of_text(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.as_str() == text)
    }

    /// Its date, as the wire has it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V2025March => "2025-03-26",
            Self::V2025June => "2025-06-18",
            Self::V2025November => "2025-11-25",
            Self::V2026July => "2026-07-28",
        }
    }

    /// The era it belongs to.
    pub const fn era(self) -> Era {
        match self {
            Self::V2025March | Self::V2025June | Self::V2025November => Era::Session,
            Self::V2026July => Era::Stateless,
        }
    }
}

/// The era of a version by its date; none for a version that is not spoken here.
pub fn era_of(version: &str) -> Option<Era> {
    Version::of_text(version).map(Version::era)
}
