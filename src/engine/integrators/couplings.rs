//! Couplings between parts of a state: which act on the rates of which.

/// Kind of a number of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A position of a plant: its rate depends on positions and velocities of its own part alone.
    Position,
    /// A velocity of a plant.
    Velocity,
    /// A state of another block.
    External,
}

/// Parts of a state, numbered from zero, and pairs of them: the state of the first acts on the rates of the second.
/// Every part acts on its own rates.
#[derive(Clone, Debug, Default)]
pub struct Couplings {
    /// The part of each number of the state.
    pub part_of: Vec<usize>,
    /// Number of parts.
    pub count: usize,
    /// The pairs; duplicates are allowed.
    pub pairs: Vec<(usize, usize)>,
}

impl Couplings {
    /// Starts with the part of each number of a state.
    pub fn start(&mut self, part_of: impl Iterator<Item = usize>) {
        self.part_of.clear();
        self.part_of.extend(part_of);
        self.count = self.part_of.iter().max().map_or(0, |last| last + 1);
        self.pairs.clear();
    }

    /// Starts with the whole state as one part.
    pub fn start_whole(&mut self, width: usize) {
        self.start((0..width).map(|_| 0));
    }

    /// Adds the action of part `from` on part `on`.
    pub fn add(&mut self, from: usize, on: usize) {
        if from != on {
            self.pairs.push((from, on));
        }
    }

    /// Adds the action of two parts on each other.
    pub fn join(&mut self, a: usize, b: usize) {
        self.add(a, b);
        self.add(b, a);
    }
}
