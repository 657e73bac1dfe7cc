//! Buffers for kinematics, lent by the thread: blocks hold no values of their own.

use super::kinematics::Kinematics;
use kinegraph_core::scalar::Scalar;
use std::any::Any;
use std::cell::RefCell;

thread_local! {
    /// Buffers that are not in use, of both scalars.
    static SPARE: RefCell<Vec<Box<dyn Any>>> = const { RefCell::new(Vec::new()) };
}

/// Lends a [`Kinematics`] to `work`, for a controller's computations with its model, or for a plant's outputs. It holds
/// the values of its last user. Within `work` another one may be borrowed.
pub fn with_kinematics<S: Scalar, R>(work: impl FnOnce(&mut Kinematics<S>) -> R) -> R {
    lend(work)
}

/// Lends a buffer of any type that begins empty.
pub(crate) fn lend<T: Any + Default, R>(work: impl FnOnce(&mut T) -> R) -> R {
    let spare = SPARE.with_borrow_mut(|all| {
        let fitting = all.iter().rposition(|one| one.is::<T>());
        fitting.and_then(|i| all.swap_remove(i).downcast().ok())
    });
    let mut memory: Box<T> = spare.unwrap_or_default();
    let result = work(&mut memory);
    SPARE.with_borrow_mut(|all| all.push(memory));
    result
}
