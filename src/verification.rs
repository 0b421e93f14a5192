//! Checks the chain from source to IR to Rego, link by link (contract section 8).
