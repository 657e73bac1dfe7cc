//! Options as numbers, so that [`MethodOptions`](super::MethodOptions) holds those of any method.

/// An option as a number.
pub trait OptionNumber: Copy {
    /// Returns the number.
    fn to_number(self) -> f64;

    /// Returns the option with this number.
    fn from_number(number: f64) -> Self;
}

impl OptionNumber for f64 {
    fn to_number(self) -> f64 {
        self
    }

    fn from_number(number: f64) -> Self {
        number
    }
}

impl OptionNumber for usize {
    fn to_number(self) -> f64 {
        self as f64
    }

    fn from_number(number: f64) -> Self {
        number as usize
    }
}

impl OptionNumber for bool {
    fn to_number(self) -> f64 {
        f64::from(u8::from(self))
    }

    fn from_number(number: f64) -> Self {
        number != 0.0
    }
}

/// `None` is stored as not-a-number.
impl<N: OptionNumber> OptionNumber for Option<N> {
    fn to_number(self) -> f64 {
        self.map_or(f64::NAN, N::to_number)
    }

    fn from_number(number: f64) -> Self {
        (!number.is_nan()).then(|| N::from_number(number))
    }
}

/// Implements [`OptionNumber`] for choices: by their index in the list.
#[macro_export]
macro_rules! option_choices {
    ($($choice:ident: $first:ident $(, $other:ident)*;)*) => {$(
        impl $crate::integrators::OptionNumber for $choice {
            fn to_number(self) -> f64 {
                let all = [$choice::$first $(, $choice::$other)*];
                all.iter().position(|one| *one == self).unwrap_or(0) as f64
            }

            fn from_number(number: f64) -> Self {
                let all = [$choice::$first $(, $choice::$other)*];
                all.get(number as usize).copied().unwrap_or($choice::$first)
            }
        }
    )*};
}

/// Writes [`OptionGroup::to_numbers`](crate::integrators::OptionGroup::to_numbers) and its inverse for the fields of a
/// group.
#[macro_export]
macro_rules! option_numbers {
    ($($($field:ident).+),* $(,)?) => {
        fn to_numbers(&self) -> $crate::integrators::OptionNumbers {
            let mut numbers = [0.0; $crate::integrators::MAX_OPTIONS];
            let all = [$($crate::integrators::OptionNumber::to_number(self.$($field).+)),*];
            numbers[..all.len()].copy_from_slice(&all);
            numbers
        }

        fn from_numbers(numbers: &$crate::integrators::OptionNumbers) -> Self {
            let mut group = Self::default();
            let mut numbers = numbers.iter().copied();
            $(
                if let Some(number) = numbers.next() {
                    group.$($field).+ = $crate::integrators::OptionNumber::from_number(number);
                }
            )*
            group
        }
    };
}
