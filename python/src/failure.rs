//! What a Python block raised, from the evaluation in which it did to the call that asked for it.
//!
//! Blocks are evaluated in the middle of steps, where nothing can fail: a block that raised gives not-a-number from
//! then on, and whoever asked for the step takes the exception when it is over. Both are on one thread, so that runs
//! in several threads do not take each other's.

use pyo3::prelude::*;
use std::cell::{Cell, RefCell};

thread_local! {
    static RAISED: Cell<bool> = const { Cell::new(false) };
    static FAILURE: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// Whether a block raised and nobody has taken it.
pub fn is_pending() -> bool {
    RAISED.get()
}

/// Keeps what a block raised; the first one counts.
pub fn keep(py: Python<'_>, error: PyErr, note: String) {
    if RAISED.replace(true) {
        return;
    }
    // Notes are known since Python 3.11.
    let _ = error.value(py).call_method1("add_note", (note,));
    FAILURE.set(Some(error));
}

/// What a block raised.
pub fn take() -> Option<PyErr> {
    if RAISED.replace(false) { FAILURE.take() } else { None }
}

/// The result of a call in which blocks are evaluated, or what one of them raised.
pub fn guarded<T>(call: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    drop(take());
    let result = call();
    match take() {
        Some(raised) => Err(raised),
        None => result,
    }
}
