//! Where random bytes come from: passed in, so that tests can say what they are.

use thiserror::Error;

/// The system gave no random bytes.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the system gives no random bytes: {0}")]
pub struct RandomnessError(pub String);

/// A source of random bytes that nobody can guess.
pub trait Randomness: Send + Sync {
    /// Fills all of `bytes`.
    ///
    /// # Errors
    /// There are none to be had; what `bytes` holds then must not be used.
    fn fill(&self, bytes: &mut [u8]) -> Result<(), RandomnessError>;

    /// 128 random bits as 32 hexadecimal digits: ids of runs, questions and decisions.
    ///
    /// # Errors
    /// As [`Randomness::fill`].
    fn id(&self) -> Result<String, RandomnessError> {
        let mut bytes = [0; 16];
        self.fill(&mut bytes)?;
        Ok(hex::encode(bytes))
    }
}

/// The operating system's source.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemRandomness;

impl Randomness for SystemRandomness {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), RandomnessError> {
        getrandom::fill(bytes).map_err(|error| RandomnessError(error.to_string()))
    }
}
