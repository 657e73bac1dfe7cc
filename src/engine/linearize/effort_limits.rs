//! Effort limits of actuators, and whether efforts are near them.

use super::External;
use super::external::collect;
use crate::choices::effort_limits::FREE_EFFORT;

impl External {
    /// Efforts of actuators within their limits.
    pub fn limited<'a>(&'a self, efforts: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
        effort_limits(self, 1.0).zip(efforts).map(|(limit, effort)| effort.clamp(-limit, limit))
    }

    /// Limits of the efforts of actuators on all velocities \[N, N m\].
    pub fn effort_limits(&self) -> impl Iterator<Item = f64> + '_ {
        effort_limits(self, 1.0)
    }

    /// True if an effort that the diagram drives has a limit.
    pub fn is_limited(&self) -> bool {
        effort_limits(self, 1.0).zip(&self.plan.layout.driven).any(|(limit, driven)| limit.is_finite() && *driven)
    }

    /// True if no effort of an actuator is near its limit, in the last evaluation, which was at `time` and
    /// `continuous`.
    pub fn keeps_from_limits(&mut self, time: f64, continuous: &[f64]) -> bool {
        let mut forces = std::mem::take(&mut self.forces_values);
        collect(&self.plan.diagram, &self.plan.layout, time, continuous, &self.values, &mut forces);
        let inside = effort_limits(self, 1.0).zip(&forces.actuation).all(|(limit, x)| x.abs() <= FREE_EFFORT * limit);
        self.forces_values = forces;
        inside
    }
}

/// Effort limits of all velocities, times `share`.
pub(super) fn effort_limits(external: &External, share: f64) -> impl Iterator<Item = f64> + '_ {
    let layout = external.layout();
    layout.plants.iter().flat_map(move |slot| {
        layout.plant(external.diagram(), slot).structure().effort_limits.iter().map(move |e| share * e)
    })
}

/// Effort limit of one velocity, times `share`.
pub(super) fn effort_limit(external: &External, velocity: usize, share: f64) -> f64 {
    let layout = external.layout();
    let slot = layout.plants.iter().find(|slot| slot.global.contains(&velocity));
    slot.map_or(f64::INFINITY, |slot| {
        share * layout.plant(external.diagram(), slot).structure().effort_limits[velocity - slot.global.start]
    })
}
