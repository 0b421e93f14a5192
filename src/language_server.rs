//! The language server: what an editor asks of a rulebook, over the Language Server Protocol.
