//! The gateway's keys: what is signed, sealed and hashed with a secret (gateway contract,
//! section 3, *Keys*). Each purpose has a key of its own, derived from one secret by HKDF-SHA256,
//! and every value carries the id of the key that made it. The first key of the ring makes new
//! values; all check old ones.

// Built by its helper: see the signatures in the module's documentation.
