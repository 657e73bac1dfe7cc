//! Errors whose `Debug` is their message.
//!
//! A program whose `main` returns an error prints its `Debug`, and so does `unwrap`: the user needs the message there,
//! not the fields of the error.

/// Implements the `Debug` of errors as their `Display`.
///
/// ```
/// #[derive(thiserror::Error)]
/// #[error("the door is closed: open it")]
/// struct Closed;
/// kinegraph_core::debug_is_message!(Closed);
///
/// assert_eq!(format!("{:?}", Closed), "the door is closed: open it");
/// ```
#[macro_export]
macro_rules! debug_is_message {
    ($error:ty) => {
        impl std::fmt::Debug for $error {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self, f)
            }
        }
    };
}
