//! Motion along single velocities, and central differences along it.

use crate::choices::contact_model::TURN;
use crate::integrators::contact::ForcesAt;
use crate::linearize::{Layout, PlantSlot};
use kinegraph_core::convex::PlantPoint;
use kinegraph_diagram::Diagram;
use nalgebra::{DMatrix, DVector};

/// Central difference of fourth order of `values` about zero, with steps of about `step`, by a step.
pub(in crate::state_space) fn difference(step: f64, mut values: impl FnMut(f64) -> Vec<f64>) -> Vec<f64> {
    // A power of two is added without rounding.
    let step = step.log2().floor().exp2();
    let mut sum: Vec<f64> = Vec::new();
    for (at, weight) in [(1.0, 8.0), (-1.0, -8.0), (2.0, -1.0), (-2.0, 1.0)] {
        // formula
        let found = values(at * step);
        sum.resize(found.len(), 0.0);
        sum.iter_mut().zip(&found).for_each(|(sum, value)| *sum += weight * value);
    }
    sum.iter_mut().for_each(|sum| *sum /= 12.0 * step);
    sum
}

/// States beside one; keeps its memory.
pub(in crate::state_space) struct Directions {
    /// The last state.
    pub continuous: Vec<f64>,
    velocity: Vec<f64>,
    rates: Vec<f64>,
    point: PlantPoint,
}

impl Directions {
    pub fn new(diagram: &Diagram, layout: &Layout) -> Self {
        Directions {
            continuous: vec![0.0; diagram.state_width()],
            velocity: vec![0.0; layout.num_velocities],
            rates: Vec::new(),
            point: PlantPoint::default(),
        }
    }

    /// Moves positions from those of `from` along velocity `j` of all plants, by `step`.
    pub fn advance(&mut self, at: &ForcesAt, from: &[f64], j: usize, step: f64) {
        let mut direction = std::mem::take(&mut self.velocity);
        direction[j] = 1.0;
        self.advance_along(at, from, &direction, step);
        direction[j] = 0.0;
        self.velocity = direction;
    }

    /// Moves positions from those of `from` by `step` times `direction`, a velocity of all plants.
    pub fn advance_along(&mut self, at: &ForcesAt, from: &[f64], direction: &[f64], step: f64) {
        self.advance_all(at.diagram(), at.layout(), from, direction, step);
    }

    /// Moves positions of `diagram` from those of `from` by `step` times `direction`.
    pub fn advance_all(&mut self, diagram: &Diagram, layout: &Layout, from: &[f64], direction: &[f64], step: f64) {
        self.continuous.copy_from_slice(from);
        layout.advance_positions(diagram, from, direction, step, &mut self.continuous, &mut self.rates);
    }

    /// Derivative of `M accelerations` of plant `p` along velocity `j`, by all velocities.
    pub fn of_momentum(&mut self, at: &ForcesAt, p: usize, from: &[f64], j: usize, accelerations: &[f64]) -> Vec<f64> {
        let mut direction = vec![0.0; accelerations.len()];
        direction[j] = 1.0;
        let own = &at.layout().plants[p].global;
        if own.clone().all(|i| accelerations[i] == 0.0) {
            return vec![0.0; accelerations.len()];
        }
        difference(TURN, |step| {
            self.advance_along(at, from, &direction, step);
            self.momentum(at, p, accelerations)
        })
    }

    /// `M accelerations` of plant `p` at the last state, by all velocities.
    pub fn momentum(&mut self, at: &ForcesAt, p: usize, accelerations: &[f64]) -> Vec<f64> {
        let slot = &at.layout().plants[p];
        let plant = at.layout().plant(at.diagram(), slot);
        let (q, v) = (&self.continuous[slot.positions.clone()], &self.continuous[slot.velocities.clone()]);
        plant.evaluate(q, v, &mut self.point);
        let mut found = vec![0.0; accelerations.len()];
        let mut block = 0;
        for clique in &plant.structure().cliques {
            let (n, first) = (clique.len(), slot.global.start + clique.start);
            for column in 0..n {
                for row in 0..n {
                    found[first + row] +=
                        self.point.mass_matrix[block + column * n + row] * accelerations[first + column];
                }
            }
            block += n * n;
        }
        found
    }

    /// `N`, the map of the velocities of a plant to the rates of its positions at `continuous`.
    pub fn map(diagram: &Diagram, layout: &Layout, slot: &PlantSlot, continuous: &[f64]) -> DMatrix<f64> {
        let plant = layout.plant(diagram, slot);
        let q = &continuous[slot.positions.clone()];
        let (nq, nv) = (slot.positions.len(), slot.velocities.len());
        let (mut map, mut rates, mut unit) = (DMatrix::zeros(nq, nv), vec![0.0; nq], vec![0.0; nv]);
        for j in 0..nv {
            unit[j] = 1.0;
            plant.position_rates(q, &unit, &mut rates);
            unit[j] = 0.0;
            map.set_column(j, &DVector::from_row_slice(&rates));
        }
        map
    }

    /// The velocities of a plant by the rates of its positions at `continuous`.
    pub fn inverse_map(diagram: &Diagram, layout: &Layout, slot: &PlantSlot, continuous: &[f64]) -> DMatrix<f64> {
        let map = Self::map(diagram, layout, slot, continuous);
        let square = map.tr_mul(&map);
        square.try_inverse().map_or_else(|| map.transpose(), |inverse| inverse * map.transpose())
    }
}
