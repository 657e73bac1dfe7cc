//! Spatial tendons: strings along a path, with a spring, a damper and stops of their own.
//!
//! With the length l of the [path](TendonPath), the force along it is that of a fixed tendon: the spring pulls where
//! the length is outside of its rest lengths, `f = -k (l - clamp(l, rest)) - d l̇`, with terms of higher degree; a stop
//! at l₁ has the compliance of a contact, `f = -k x (1 + e ẋ)₊` for the excess `x = l - l₁ > 0`. The velocities get
//! `(dl/dq)' f`, so that the bodies at the ends of every straight part get opposite forces along it.
//!
//! The forces depend on positions and velocities: an integrator treats them implicitly, like servos. Stops, and springs
//! that are slack between two lengths, are rows of a step: see `ranges.rs`.

use super::error::PlantError;
use super::model::PlantModel;
use super::passive::{damper, energy_of_terms, excess, excites, linear, push_back, slackens, spring};
use super::ranges::Ranges;
use super::strings::StringMotion;
use crate::scene_data::{HigherTerms, SpatialTendon, Stop};
use crate::{Kinematics, TendonPath, Tree, with_kinematics};
use kinegraph_core::names::nearest;
use kinegraph_core::scalar::Scalar;

/// A tendon with its path on the tree.
#[derive(Clone, Debug)]
pub struct PlacedTendon {
    /// Full name, `model/tendon`.
    pub name: String,
    /// Path along which it runs.
    pub path: TendonPath,
    /// The velocities that can change its length.
    pub velocities: Vec<usize>,
    stiffness: f64,
    damping: f64,
    terms: HigherTerms,
    rest: (f64, f64),
    stop: Option<((f64, f64), Stop)>,
    /// Inertia along it \[kg\].
    pub armature: f64,
    /// Dry friction along it \[N\].
    pub friction: f64,
    /// The rate at which dry friction reaches its limit.
    pub creep: f64,
}

/// The spatial tendons of all models.
pub fn place(tree: &Tree, models: &[PlantModel], faults: &mut Vec<PlantError>) -> Vec<PlacedTendon> {
    let mut placed = Vec::new();
    for PlantModel { name, model, .. } in models {
        for tendon in &model.scene.spatial_tendons {
            let SpatialTendon { stiffness, damping, terms, rest, stop, armature, friction, creep, .. } = *tendon;
            match TendonPath::new(tree, name, &tendon.path) {
                Ok(path) => {
                    let (velocities, name) = (path.velocities(tree), format!("{name}/{}", tendon.name));
                    placed.push(PlacedTendon {
                        name,
                        path,
                        velocities,
                        stiffness,
                        damping,
                        terms,
                        rest,
                        stop,
                        armature,
                        friction,
                        creep,
                    });
                }
                Err(link) => {
                    let nearest = nearest(&link, tree.bodies().iter().map(|body| &body.name));
                    faults.push(PlantError::Unknown { kind: "link", name: link, nearest });
                }
            }
        }
    }
    placed
}

impl PlacedTendon {
    /// True if it has forces of its own.
    pub fn acts(&self) -> bool {
        let linear = self.stiffness != 0.0 || self.damping != 0.0;
        linear || self.terms != HigherTerms::default() || self.stop.is_some()
    }

    /// True if it has forces besides those of ranges.
    pub fn acts_within(&self) -> bool {
        let spring = self.stiffness != 0.0 && !slackens(self.rest, self.stiffness);
        spring || self.damping != 0.0 || self.terms != HigherTerms::default()
    }

    /// True if its damper adds energy at some speed.
    pub fn excites(&self) -> bool {
        excites(self.damping, self.terms)
    }

    /// Range of its length, and the stops at its ends.
    pub fn stop(&self) -> Option<((f64, f64), Stop)> {
        self.stop
    }

    /// Range of lengths in which its spring is slack \[m\], and its stiffness \[N/m\].
    pub fn spring(&self) -> ((f64, f64), f64) {
        (self.rest, self.stiffness)
    }

    /// Adds its own forces.
    pub fn add<S: Scalar>(&self, motion: &StringMotion<'_, S>, ranges: Ranges, forces: &mut [S]) {
        let all = ranges == Ranges::Included;
        if !(if all { self.acts() } else { self.acts_within() }) {
            return;
        }
        let law = |[length, rate]: [S; 2]| {
            let stretched = excess(length, self.rest);
            let stiffness = linear(self.rest, self.stiffness, ranges);
            let mut force = -spring(stretched, stiffness, self.terms) - damper(rate, self.damping, self.terms);
            if let Some((range, stop)) = self.stop.as_ref().filter(|_| all) {
                force += push_back(excess(length, *range), rate, stop);
            }
            force
        };
        motion.pull(&self.path, &self.velocities, law, forces);
    }

    /// Energy of its spring and stops \[J\], where `k` has the positions.
    pub fn energy<S: Scalar>(&self, tree: &Tree, k: &Kinematics<S>) -> S {
        let length = self.path.length(tree, k);
        let of_spring = |stiffness: f64, range: (f64, f64)| {
            let stretched = excess(length, range);
            S::constant(stiffness) * (stretched * stretched)
        };
        let stop = self.stop.map_or(S::zero(), |(range, stop)| of_spring(stop.stiffness, range));
        let terms = energy_of_terms(excess(length, self.rest), self.terms);
        S::constant(0.5) * (of_spring(self.stiffness, self.rest) + stop) + terms
    }
}

/// Calls `work` with the kinematics at positions and velocities.
pub fn with_motion<S: Scalar>(tree: &Tree, q: &[S], v: &[S], work: impl FnOnce(&Kinematics<S>)) {
    with_kinematics(|k| {
        tree.position_kinematics(q, k);
        tree.velocity_kinematics(v, k);
        work(k);
    });
}
