//! Exceptions of Python blocks, from the evaluation that raised them to the call that asked for it.
//!
//! Blocks are evaluated within steps, where errors cannot be returned. A block that has raised returns not-a-number
//! from then on, and the caller of the step takes the exception when the step is over. Both are on one thread, so that
//! runs in several threads do not take each other's exceptions.

use pyo3::prelude::*;
use std::cell::{Cell, RefCell};

thread_local! {
    static RAISED: Cell<bool> = const { Cell::new(false) };
    static FAILURE: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// True if a block has raised and nobody has taken the exception.
pub fn is_pending() -> bool {
    RAISED.get()
}

/// Keeps an exception of a block; the first one counts.
pub fn keep(py: Python<'_>, error: PyErr, note: String) {
    if RAISED.replace(true) {
        return;
    }
    // Notes exist since Python 3.11.
    let _ = error.value(py).call_method1("add_note", (note,));
    FAILURE.set(Some(error));
}

/// Takes the exception of a block, if there is one.
pub fn take() -> Option<PyErr> {
    if RAISED.replace(false) { FAILURE.take() } else { None }
}

/// Result of a call in which blocks are evaluated, or the exception that one of them raised.
pub fn guarded<T>(call: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    drop(take());
    let result = call();
    match take() {
        Some(raised) => Err(raised),
        None => result,
    }
}
