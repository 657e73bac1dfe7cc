//! Options that one method has for itself: each is declared once, beside what it changes, with its key in files, its
//! range and its default. Files and documents read these declarations.

use super::OptionError;
use super::method_options::MAX_OPTIONS;

/// The options of a group as numbers.
pub type OptionNumbers = [f64; MAX_OPTIONS];

/// Options of one method. Files give them as a map under a key of its own, such as `sap: {…}`.
pub trait OptionGroup: Copy + Default + PartialEq + 'static {
    /// The key of the map in files.
    const KEY: &'static str;
    /// What the map is, in words that fit "expected …".
    const EXPECTED: &'static str;
    /// What they are where the key is missing, in words.
    const IF_MISSING: &'static str;
    /// What they are options of.
    const ABOUT: &'static str;
    /// Every option, in the order in which they are set.
    const KEYS: &'static [OptionKey<Self>];

    /// The options as numbers, and back; [`option_numbers`](crate::option_numbers) writes both.
    fn to_numbers(&self) -> OptionNumbers;

    /// The options that have these numbers.
    fn from_numbers(numbers: &OptionNumbers) -> Self;

    /// Whether options are in their range, those of a program too.
    ///
    /// # Errors
    /// The first option that is not.
    fn check(&self) -> Result<(), OptionError> {
        Ok(())
    }

    /// Options that do not go with each other.
    fn conflict(&self) -> Option<OptionConflict> {
        None
    }
}

/// An option that does not go with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionConflict {
    /// Its key.
    pub key: &'static str,
    /// Why, and what to give instead.
    pub message: &'static str,
}

/// One option of a group.
#[derive(Clone, Copy, Debug)]
pub struct OptionKey<G: 'static> {
    /// Its key in files.
    pub name: &'static str,
    /// What its value may be, and how it changes the group.
    pub value: OptionValue<G>,
    /// What it means, with its unit.
    pub about: &'static str,
}

/// A word, and what it changes.
pub type Word<G> = (&'static str, fn(&mut G));

/// What the value of an option may be, what it is where its key is missing, and how it changes the group.
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
        /// What the word names.
        what: &'static str,
        /// The words, and what each changes.
        words: &'static [Word<G>],
        /// Where the key is missing: one of the words, or what happens then.
        if_not_given: IfNotGiven<&'static str>,
    },
}

/// The largest number that a count of contact points, sweeps or iterations may be.
pub const MAX_COUNT: usize = 1_000_000;

/// The largest tolerance of a solve, relative to what it solves: with more, its forces need not hold anything.
pub const MAX_TOLERANCE: f64 = 0.01;

/// What an option is where its key is missing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum IfNotGiven<T> {
    /// This value. It is that of the group's `Default`.
    Is(T),
    /// What these words say: it follows from other options, or is written better in words.
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

/// Whoever gives groups of options, such as a file.
pub trait GroupSource {
    /// The options of this type; their defaults where their key is missing.
    fn group<G: OptionGroup>(&mut self) -> G;
}
