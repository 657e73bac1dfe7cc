//! Switches of a plant that a diagram sets.

/// Active constraints and locks, and the targets of the constraints: read at the start of a step and held over it.
#[derive(Debug, Default, PartialEq)]
pub struct Switches {
    /// True for each constraint that is active.
    pub active: Vec<bool>,
    /// Targets of the constraints (a pose, a point, a length, an offset), one after the other.
    pub targets: Vec<f64>,
    /// True for each velocity that is locked; empty: none is.
    pub locked: Vec<bool>,
}

impl Switches {
    /// Sets the locked ones of the plant's velocities `v` to zero.
    pub fn stop_locked(&self, v: &mut [f64]) {
        v.iter_mut().zip(&self.locked).filter(|(_, locked)| **locked).for_each(|(v, _)| *v = 0.0);
    }
}

impl Clone for Switches {
    fn clone(&self) -> Self {
        let mut copy = Switches::default();
        copy.clone_from(self);
        copy
    }
    fn clone_from(&mut self, other: &Self) {
        self.active.clone_from(&other.active);
        self.targets.clone_from(&other.targets);
        self.locked.clone_from(&other.locked);
    }
}
