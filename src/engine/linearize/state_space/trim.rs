//! Equilibria: states (and free inputs) at which nothing changes.
//!
//! Gauss-Newton: the step is the shortest one that cancels the linearized rates as well as possible, halved until the
//! rates get smaller. So there may be more unknowns than equations (a free coordinate stays where it is) or fewer. No
//! angle turns by more than [`MAX_TURN`] in one step: where the moment of gravity hardly changes with the angle, the
//! linearized rates lead many turns away, past the nearest equilibrium.
//!
//! The result need not be the nearest of several: of 60 random double pendulums the one search found the nearest 44
//! times. So it begins again with each angle turned by [`START_TURN`] to both sides, and the result nearest to the
//! requested point counts: 60 of 60.

use super::{LinearizeFault, Linearizer};
use crate::choices::trim::{
    MAX_HALVINGS, MAX_ITERATIONS, MAX_STARTS, MAX_TURN, NEARER, RANK_TOLERANCE, START_TURN, TOLERANCE,
};
use kinegraph_core::convex::Coordinate;
use kinegraph_core::names::nearest;
use kinegraph_diagram::State;
use nalgebra::{DMatrix, DVector};
use std::fmt;

/// Options of an equilibrium search: the unknowns, and when it ends.
#[derive(Clone, Debug, PartialEq)]
pub struct TrimOptions {
    /// Names of states that keep their values.
    pub hold: Vec<String>,
    /// True if the inputs are unknowns, too.
    pub free_inputs: bool,
    /// Largest rate at which the search ends (units of the state per second).
    pub tolerance: f64,
    /// Largest number of steps.
    pub max_iterations: usize,
}

impl Default for TrimOptions {
    fn default() -> Self {
        TrimOptions { hold: Vec::new(), free_inputs: false, tolerance: TOLERANCE, max_iterations: MAX_ITERATIONS }
    }
}

/// State in which nothing changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Equilibrium {
    /// Time and discrete state as given, continuous state as found.
    pub state: State,
    /// The inputs.
    pub inputs: Vec<f64>,
    /// Largest remaining rate.
    pub residual: f64,
    /// Steps taken.
    pub iterations: usize,
}

/// No equilibrium was found.
#[derive(Clone, PartialEq, thiserror::Error)]
pub enum TrimFault {
    /// The rates cannot be computed.
    #[error(transparent)]
    Linearize(#[from] LinearizeFault),
    /// The rates do not vanish.
    #[error("no equilibrium without contact found in {iterations} steps: {}", Rates(.residuals))]
    NotFound {
        /// Steps taken.
        iterations: usize,
        /// Names and rates of the states that still change, fastest first.
        residuals: Vec<(String, f64)>,
    },
}

kinegraph_core::debug_is_message!(TrimFault);

struct Rates<'a>(&'a [(String, f64)]);

impl fmt::Display for Rates<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MAX_LISTED: usize = 5; // message
        for (i, (name, rate)) in self.0.iter().take(MAX_LISTED).enumerate() {
            write!(f, "{}the rate of {name} stays at {rate:.3e}", if i == 0 { "" } else { ", " })?;
        }
        if self.0.len() > MAX_LISTED { write!(f, ", and {} more", self.0.len() - MAX_LISTED) } else { Ok(()) }
    }
}

/// Unknowns of a search.
struct Unknowns {
    /// Names of the states.
    names: Vec<String>,
    /// Indices among states, then inputs.
    places: Vec<usize>,
    /// For each state, true if it is an angle of a joint.
    angles: Vec<bool>,
}

impl Linearizer {
    /// Searches the equilibrium nearest to `state` and `inputs`.
    ///
    /// # Errors
    /// Unknown names of held states; rates that do not vanish, by name.
    pub fn trim(&mut self, state: &State, inputs: &[f64], options: &TrimOptions) -> Result<Equilibrium, TrimFault> {
        let names = self.diagram.state_names();
        let nx = names.len();
        let mut free = vec![true; nx];
        for name in &options.hold {
            let Some(i) = names.iter().position(|n| n == name) else {
                let nearest = nearest(name, &names);
                return Err(LinearizeFault::State { name: name.clone(), nearest }.into());
            };
            free[i] = false;
        }
        let angles = self.angles(nx);
        let turned: Vec<usize> = (0..nx).filter(|&i| free[i] && angles[i]).collect();
        free.resize(nx + inputs.len(), options.free_inputs);
        let unknowns = Unknowns { names, places: (0..free.len()).filter(|&i| free[i]).collect(), angles };
        let first = self.search(state, inputs, &unknowns, options);
        // With free inputs there are equilibria everywhere, and the first search stays close.
        if options.free_inputs || turned.len() > MAX_STARTS {
            return first;
        }
        let away = |found: &Equilibrium| {
            let apart = found.state.continuous.iter().zip(&state.continuous).map(|(x, y)| (x - y).powi(2));
            apart.sum::<f64>().sqrt()
        };
        let mut least = first.as_ref().map_or(f64::INFINITY, away);
        let mut best = first;
        for &angle in &turned {
            for turn in [-START_TURN, START_TURN] {
                let mut begin = state.clone();
                begin.continuous[angle] += turn;
                let Ok(found) = self.search(&begin, inputs, &unknowns, options) else { continue };
                if away(&found) < least * (1.0 - NEARER) {
                    least = away(&found);
                    best = Ok(found);
                }
            }
        }
        best
    }

    /// One search, from one state.
    fn search(
        &mut self,
        state: &State,
        inputs: &[f64],
        unknowns: &Unknowns,
        options: &TrimOptions,
    ) -> Result<Equilibrium, TrimFault> {
        let Unknowns { names, places: unknowns, angles } = unknowns;
        let nx = names.len();
        let (mut at, mut u) = (state.clone(), inputs.to_vec());
        self.normalize(&mut at);
        let mut rates = vec![0.0; nx];
        self.rates(&at, &u, &mut rates)?;
        let (mut trial, mut trial_u, mut trial_rates) = (at.clone(), u.clone(), rates.clone());
        let mut iterations = 0;
        // One step more than the tolerance asks for: near the solution it costs little and squares the error.
        let mut polished = false;
        while iterations < options.max_iterations && !polished && !unknowns.is_empty() {
            polished = largest(&rates) <= options.tolerance;
            let model = self.differentiate(&at, &u)?;
            let columns: Vec<_> = unknowns
                .iter()
                .map(|&i| if i < nx { model.a.column(i).into_owned() } else { model.b.column(i - nx).into_owned() })
                .collect();
            let Some(step) = shortest(DMatrix::from_columns(&columns), DVector::from_row_slice(&rates)) else { break };
            let size = DVector::from_row_slice(&rates).norm();
            let turns = unknowns.iter().zip(step.iter()).filter(|(i, _)| angles.get(**i) == Some(&true));
            let turn = turns.fold(0.0, |most: f64, (_, d)| most.max(d.abs()));
            let mut part = if turn > MAX_TURN { MAX_TURN / turn } else { 1.0 };
            let better = (0..if polished { 1 } else { MAX_HALVINGS }).any(|_| {
                trial.continuous.copy_from_slice(&at.continuous);
                trial_u.copy_from_slice(&u);
                for (&i, d) in unknowns.iter().zip(step.iter()) {
                    *if i < nx { &mut trial.continuous[i] } else { &mut trial_u[i - nx] } -= part * d;
                }
                self.normalize(&mut trial);
                part *= 0.5;
                let computed = self.rates(&trial, &trial_u, &mut trial_rates).is_ok();
                computed && DVector::from_row_slice(&trial_rates).norm() < size
            });
            if !better {
                break;
            }
            iterations += 1;
            std::mem::swap(&mut at, &mut trial);
            std::mem::swap(&mut u, &mut trial_u);
            std::mem::swap(&mut rates, &mut trial_rates);
        }
        let residual = largest(&rates);
        if residual <= options.tolerance {
            return Ok(Equilibrium { state: at, inputs: u, residual, iterations });
        }
        let mut residuals: Vec<(String, f64)> = names.iter().cloned().zip(rates).collect();
        residuals.retain(|(_, rate)| rate.is_nan() || rate.abs() > options.tolerance);
        residuals.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        Err(TrimFault::NotFound { iterations, residuals })
    }

    /// For each state, true if it is an angle of a joint.
    fn angles(&self, states: usize) -> Vec<bool> {
        let mut angles = vec![false; states];
        for (block, plant) in self.diagram.plants() {
            let structure = plant.structure();
            for (i, name) in structure.position_names.iter().enumerate() {
                let velocity = name.strip_suffix(".q").map(|joint| format!("{joint}.v"));
                let at = structure.velocity_names.iter().position(|name| Some(name) == velocity.as_ref());
                angles[block.state.start + i] =
                    at.is_some_and(|at| structure.coordinates.get(at) == Some(&Coordinate::Angle));
            }
        }
        angles
    }

    /// Brings quaternions back to unit length.
    fn normalize(&self, state: &mut State) {
        for (block, plant) in self.diagram.plants() {
            for &start in &plant.structure().quaternions {
                let at = block.state.start + start;
                let quaternion = &mut state.continuous[at..at + 4];
                let length = quaternion.iter().map(|x| x * x).sum::<f64>().sqrt();
                if length > 0.0 {
                    quaternion.iter_mut().for_each(|x| *x /= length);
                }
            }
        }
    }
}

/// Shortest x that brings `matrix x` closest to `right`.
fn shortest(matrix: DMatrix<f64>, right: DVector<f64>) -> Option<DVector<f64>> {
    let svd = matrix.try_svd(true, true, f64::EPSILON, 10_000)?;
    let largest = svd.singular_values.max();
    if largest == 0.0 {
        return None;
    }
    svd.solve(&right, RANK_TOLERANCE * largest).ok().filter(|x| x.iter().all(|x| x.is_finite()))
}

fn largest(rates: &[f64]) -> f64 {
    rates.iter().fold(0.0, |a: f64, x| if x.is_nan() { f64::INFINITY } else { a.max(x.abs()) })
}
