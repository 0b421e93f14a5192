//! The compiler as one WebAssembly module that asks its host for nothing: it has no imports, no
//! clock, no files and no network.
//!
//! A host calls [`request`] with a length, writes that many bytes where it points, calls
//! [`answer`], and reads there four bytes with the length of the answer (little endian) and the
//! answer. A request is one line of JSON, a line feed, and the bytes of the rulebook; an answer is
//! JSON. [`answers`] says which there are. Both stay where they are until [`release`], or until
//! the next request.

pub mod answers;
mod literals;

use std::cell::RefCell;

thread_local! {
    static REQUEST: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Makes room for a request of `length` bytes, and says where the host writes it.
// SAFETY of the name: no other function of the module is called so.
#[unsafe(no_mangle)]
pub extern "C" fn request(length: usize) -> *mut u8 {
    REQUEST.with_borrow_mut(|request| {
        request.clear();
        request.resize(length, 0);
        request.as_mut_ptr()
    })
}

/// Answers the request that was written, and says where the answer's length and the answer are.
// SAFETY of the name: no other function of the module is called so.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    let answer = REQUEST.with_borrow(|request| answers::answer(request));
    let length = u32::try_from(answer.len()).unwrap_or(0);
    ANSWER.with_borrow_mut(|kept| {
        kept.clear();
        kept.extend(length.to_le_bytes());
        kept.extend(answer.into_bytes());
        kept.as_ptr()
    })
}

/// Gives back the memory of the last request and of its answer.
// SAFETY of the name: no other function of the module is called so.
#[unsafe(no_mangle)]
pub extern "C" fn release() {
    REQUEST.take();
    ANSWER.take();
}
