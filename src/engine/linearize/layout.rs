//! Places of the plants and of the external state in a diagram's state.

use kinegraph_convex::linear_algebra::quaternion::turned_by_change;
use kinegraph_core::ConvexPlant;
use kinegraph_diagram::Diagram;
use std::ops::Range;
use std::sync::Arc;

/// A plant in a diagram.
#[derive(Clone, Debug)]
pub struct PlantSlot {
    /// Full name of its block.
    pub name: Arc<str>,
    /// Index of its block.
    pub block: usize,
    /// Its positions in the diagram's continuous state.
    pub positions: Range<usize>,
    /// Its velocities in the diagram's continuous state.
    pub velocities: Range<usize>,
    /// Its velocities among those of all plants.
    pub global: Range<usize>,
}

impl PlantSlot {
    /// True if a number of the diagram's continuous state is one of this plant.
    pub fn covers(&self, index: usize) -> bool {
        self.positions.contains(&index) || self.velocities.contains(&index)
    }
}

/// Plants first, then everything else with continuous state.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// All plants, in order of insertion.
    pub plants: Vec<PlantSlot>,
    /// Index of each external state in the diagram's continuous state.
    pub external: Vec<usize>,
    /// Number of velocities of all plants together.
    pub num_velocities: usize,
    /// For each velocity of all plants, true if an input may act on it (by connected ports).
    pub driven: Vec<bool>,
}

impl Layout {
    /// Finds the plants of `diagram` by capability.
    pub fn new(diagram: &Diagram) -> Self {
        let mut layout = Layout::default();
        for (index, block) in diagram.blocks().iter().enumerate() {
            let Some(plant) = block.system.as_plant() else {
                layout.external.extend(block.state.clone());
                continue;
            };
            let structure = plant.structure();
            let (nq, nv) = (structure.num_positions, structure.num_velocities);
            let (at, first) = (block.state.start, layout.num_velocities);
            layout.plants.push(PlantSlot {
                name: block.name.as_str().into(),
                block: index,
                positions: at..at + nq,
                velocities: at + nq..at + nq + nv,
                global: first..first + nv,
            });
            layout.num_velocities += nv;
            let inputs = block.inputs.iter().enumerate();
            let connected: Vec<usize> = inputs.filter_map(|(i, source)| source.as_ref().map(|_| i)).collect();
            let driven = |v: usize| plant.acts_alone(v) || connected.iter().any(|&i| plant.input_drives(i, v));
            layout.driven.extend((0..nv).map(driven));
        }
        layout
    }

    /// Plant in a slot.
    pub fn plant<'a>(&self, diagram: &'a Diagram, slot: &PlantSlot) -> &'a dyn ConvexPlant {
        diagram.blocks()[slot.block].system.as_plant().expect("the layout lists plants only")
    }

    /// True if any plant has surfaces that move by themselves.
    pub fn has_moving_surfaces(&self, diagram: &Diagram) -> bool {
        self.plants.iter().any(|slot| self.plant(diagram, slot).has_moving_surfaces())
    }

    /// Copies the plants' velocities out of a diagram's continuous state.
    pub fn gather_velocities(&self, continuous: &[f64], v: &mut Vec<f64>) {
        v.clear();
        for slot in &self.plants {
            v.extend_from_slice(&continuous[slot.velocities.clone()]);
        }
    }

    /// Writes velocities `v` (or accelerations) of all plants into the continuous state (or its rates).
    pub fn scatter_velocities(&self, v: &[f64], continuous: &mut [f64]) {
        for slot in &self.plants {
            continuous[slot.velocities.clone()].copy_from_slice(&v[slot.global.clone()]);
        }
    }

    /// Advances the plants' positions by the velocities `v` of all plants for `dt` \[s\]: `q + dt N(q) v`, orientations
    /// by the turn about their angular velocity, written to `next`. `rates` is scratch.
    pub fn advance_positions(
        &self,
        diagram: &Diagram,
        continuous: &[f64],
        v: &[f64],
        dt: f64,
        next: &mut [f64],
        rates: &mut Vec<f64>,
    ) {
        for slot in &self.plants {
            let plant = self.plant(diagram, slot);
            let q = &continuous[slot.positions.clone()];
            let next = &mut next[slot.positions.clone()];
            step_by_rates(plant, q, &v[slot.global.clone()], dt, next, rates);
            for &at in &plant.structure().quaternions {
                let quaternion = at..at + 4;
                let change = rates[quaternion.clone()].iter_mut();
                change.for_each(|change| *change *= dt);
                next[quaternion.clone()].copy_from_slice(&turned_by_change(&q[quaternion.clone()], &rates[quaternion]));
            }
        }
        self.normalize_quaternions(diagram, next);
    }

    /// Advances the positions with orientations by a chord in place of the arc, normalized to unit length, as the
    /// reference implementation does.
    pub fn advance_positions_by_chords(
        &self,
        diagram: &Diagram,
        continuous: &[f64],
        v: &[f64],
        dt: f64,
        next: &mut [f64],
        rates: &mut Vec<f64>,
    ) {
        for slot in &self.plants {
            let plant = self.plant(diagram, slot);
            let (q, next) = (&continuous[slot.positions.clone()], &mut next[slot.positions.clone()]);
            step_by_rates(plant, q, &v[slot.global.clone()], dt, next, rates);
        }
        self.normalize_quaternions(diagram, next);
    }

    /// Normalizes every unit quaternion of the plants.
    pub fn normalize_quaternions(&self, diagram: &Diagram, continuous: &mut [f64]) {
        for slot in &self.plants {
            let positions = &mut continuous[slot.positions.clone()];
            for &start in &self.plant(diagram, slot).structure().quaternions {
                let quaternion = &mut positions[start..start + 4];
                let norm = quaternion.iter().map(|x| x * x).sum::<f64>().sqrt();
                // One of unit length to rounding keeps its bits, so that a joint at rest stands still.
                if (norm - 1.0).abs() > 4.0 * f64::EPSILON {
                    quaternion.iter_mut().for_each(|x| *x /= norm);
                }
            }
        }
    }
}

/// Writes `q + dt N(q) v` to `next`, and `N(q) v` to `rates`.
fn step_by_rates(plant: &dyn ConvexPlant, q: &[f64], v: &[f64], dt: f64, next: &mut [f64], rates: &mut Vec<f64>) {
    rates.clear();
    rates.resize(q.len(), 0.0);
    plant.position_rates(q, v, rates);
    for ((n, q), r) in next.iter_mut().zip(q).zip(rates.iter()) {
        *n = q + dt * r;
    }
}
