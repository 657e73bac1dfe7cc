//! Lists of numbers as arguments: the value of an input.

/// A list of numbers: an array, a slice, a `Vec`, or a reference to one.
///
/// A trait of its own, and not `AsRef<[f64]>`, so that the compiler's message says what to write instead of a wrong
/// value.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of numbers",
    label = "expected numbers of type `f64`, such as `[1.0, 0.5]`",
    note = "one number is a list too: `[1.0]`"
)]
pub trait Numbers {
    /// The numbers.
    fn numbers(&self) -> &[f64];
}

impl Numbers for [f64] {
    fn numbers(&self) -> &[f64] {
        self
    }
}

impl<const N: usize> Numbers for [f64; N] {
    fn numbers(&self) -> &[f64] {
        self
    }
}

impl Numbers for Vec<f64> {
    fn numbers(&self) -> &[f64] {
        self
    }
}

// Text is wrong as `&str`, as it was written.
#[diagnostic::do_not_recommend]
impl<T: Numbers + ?Sized> Numbers for &T {
    fn numbers(&self) -> &[f64] {
        (**self).numbers()
    }
}
