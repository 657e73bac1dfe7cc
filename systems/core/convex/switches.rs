//! What a diagram switches in a plant.

/// Which constraints and locks act, and what they hold: read at the start of a step and held over it.
#[derive(Debug, Default, PartialEq)]
pub struct Switches {
    /// Whether each constraint acts.
    pub active: Vec<bool>,
    /// What each constraint holds (a pose, a point, a length, an offset), one after the other.
    pub targets: Vec<f64>,
    /// Whether each velocity is locked; empty: none is.
    pub locked: Vec<bool>,
}

impl Switches {
    /// Brings the velocities `v` of the plant that are locked to rest.
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
