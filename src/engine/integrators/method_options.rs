//! Options of single methods. Each method declares its own as an [`OptionGroup`]; options that are not set have the
//! defaults of the group. They are stored as numbers, so that they are copied like all other options, and this module
//! need not know the methods.

use super::OptionError;
use super::option_group::{OptionGroup, OptionNumbers};

/// Largest number of options of one group.
pub const MAX_OPTIONS: usize = 32; // size
/// Largest number of groups that are set at the same time; others have their defaults.
const MAX_GROUPS: usize = 4; // size

/// Options of single methods; other methods do not read them.
#[derive(Clone, Copy, Debug, Default)]
pub struct MethodOptions {
    groups: [Option<Held>; MAX_GROUPS],
}

/// A group as numbers.
#[derive(Clone, Copy, Debug)]
struct Held {
    key: &'static str,
    numbers: OptionNumbers,
    check: fn(&OptionNumbers) -> Result<(), OptionError>,
}

impl Held {
    fn of<G: OptionGroup>(group: &G) -> Self {
        let check = |numbers: &OptionNumbers| G::from_numbers(numbers).check();
        Held { key: G::KEY, numbers: group.to_numbers(), check }
    }
}

impl MethodOptions {
    /// Returns the options of this type.
    pub fn get<G: OptionGroup>(&self) -> G {
        self.held(G::KEY).map_or_else(G::default, |held| G::from_numbers(&held.numbers))
    }

    /// Sets the options of this type.
    pub fn set<G: OptionGroup>(&mut self, group: G) {
        let is_own = |place: &&mut Option<Held>| place.is_some_and(|held| held.key == G::KEY);
        if let Some(place) = self.groups.iter_mut().find(is_own) {
            *place = None;
        }
        if group != G::default()
            && let Some(place) = self.groups.iter_mut().find(|place| place.is_none())
        {
            *place = Some(Held::of(&group));
        }
    }

    /// Changes the options of this type.
    pub fn change<G: OptionGroup>(&mut self, change: impl FnOnce(&mut G)) {
        let mut group = self.get::<G>();
        change(&mut group);
        self.set(group);
    }

    /// Checks that all options are in their range.
    ///
    /// # Errors
    /// The first option that is not in its range.
    pub fn check(&self) -> Result<(), OptionError> {
        self.groups.iter().flatten().try_for_each(|held| (held.check)(&held.numbers))
    }

    fn held(&self, key: &str) -> Option<&Held> {
        self.groups.iter().flatten().find(|held| held.key == key)
    }
}

impl PartialEq for MethodOptions {
    /// Equal if the same groups are set to the same values, in any order.
    fn eq(&self, other: &Self) -> bool {
        let bits = |held: &Held| held.numbers.map(f64::to_bits);
        let has = |held: &Held| other.held(held.key).is_some_and(|own| bits(own) == bits(held));
        let count = |options: &Self| options.groups.iter().flatten().count();
        count(self) == count(other) && self.groups.iter().flatten().all(has)
    }
}
