//! Options of one method: each is declared once, beside its effect, with its key in files, its range and its default.
//! Files and documents read these declarations.

use super::OptionError;
use super::method_options::MAX_OPTIONS;

/// The options of a group as numbers.
pub type OptionNumbers = [f64; MAX_OPTIONS];

/// Options of one method. Files give them as a map under a key of its own, such as `sap: {…}`.
pub trait OptionGroup: Copy + Default + PartialEq + 'static {
    /// Key of the map in files.
    const KEY: &'static str;
    /// Description of the map, in words that fit "expected …".
    const EXPECTED: &'static str;
    /// Description of the default where the key is missing.
    const IF_MISSING: &'static str;
    /// Subject of the options.
    const ABOUT: &'static str;
    /// All options, in the order in which they are set.
    const KEYS: &'static [OptionKey<Self>];

    /// Returns the options as numbers; [`option_numbers`](crate::option_numbers) writes this and its inverse.
    fn to_numbers(&self) -> OptionNumbers;

    /// Returns the options with these numbers.
    fn from_numbers(numbers: &OptionNumbers) -> Self;

    /// Checks that options are in their range, those of a program too.
    ///
    /// # Errors
    /// The first option that is not in its range.
    fn check(&self) -> Result<(), OptionError> {
        Ok(())
    }

    /// Finds options that exclude each other.
    fn conflict(&self) -> Option<OptionConflict> {
        None
    }
}

/// An option that conflicts with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionConflict {
    /// Key of the option.
    pub key: &'static str,
    /// Reason, and the value to give instead.
    pub message: &'static str,
}

/// One option of a group.
#[derive(Clone, Copy, Debug)]
pub struct OptionKey<G: 'static> {
    /// Key in files.
    pub name: &'static str,
    /// Allowed values, and how they change the group.
    pub value: OptionValue<G>,
    /// Meaning, with its unit.
    pub about: &'static str,
}

/// A word, and the change that it makes.
pub type Word<G> = (&'static str, fn(&mut G));

/// Allowed values of an option, its default where the key is missing, and how it changes the group.
#[derive(Clone, Copy, Debug)]
pub enum OptionValue<G: 'static> {
    /// A number.
    Number(Range, IfNotGiven<f64>, fn(&mut G, f64)),
    /// A whole number from 1 to [`MAX_COUNT`].
    Count(IfNotGiven<usize>, fn(&mut G, usize)),
    /// `true` or `false`.
    Flag(IfNotGiven<bool>, fn(&mut G, bool)),
    /// One of several words.
    Word {
        /// Subject of the word.
        what: &'static str,
        /// The words, and the change of each.
        words: &'static [Word<G>],
        /// Default: one of the words, or a description.
        if_not_given: IfNotGiven<&'static str>,
    },
}

pub use crate::choices::limits::{MAX_COUNT, MAX_TOLERANCE};

/// Default of an option where its key is missing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum IfNotGiven<T> {
    /// A value, that of the group's `Default`.
    Is(T),
    /// A description: the default follows from other options, or is clearer in words.
    Words(&'static str),
}

/// A range of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// Above zero.
    Positive,
    /// Not below zero.
    NonNegative,
    /// Between zero and one, both excluded.
    Fraction,
    /// From zero to one.
    Unit,
    /// From one half to one.
    UpperHalf,
    /// From zero to [`MAX_TOLERANCE`].
    Tolerance,
}

/// Source of groups of options, such as a file.
pub trait GroupSource {
    /// Returns the options of this type; their defaults where their key is missing.
    fn group<G: OptionGroup>(&mut self) -> G;
}
