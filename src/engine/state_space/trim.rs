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
    MAX_HALVINGS, MAX_ITERATIONS, MAX_STARTS, MAX_TURN, RANK_TOLERANCE, SAME, START_TURN, STATE_SHARE, TOLERANCE,
};
use kinegraph_core::convex::Coordinate;
use kinegraph_core::names::nearest;
use kinegraph_core::random::normal;
use kinegraph_diagram::State;
use nalgebra::{DMatrix, DVector};
use std::f64::consts::PI;
use std::fmt;

/// Options of an equilibrium search: the unknowns, and when it ends.
#[derive(Clone, Debug, PartialEq)]
pub struct TrimOptions {
    /// Names of states that keep their values.
    pub hold: Vec<String>,
    /// True if the inputs are unknowns, too.
    pub free_inputs: bool,
    /// Names of inputs that are unknowns; that of a port stands for all of its numbers.
    pub free: Vec<String>,
    /// Values of states and inputs at which the search begins.
    pub start: Vec<(String, f64)>,
    /// Bounds of states and of inputs by name; those of inputs make these unknowns.
    pub bounds: Vec<Bound>,
    /// Largest rate at which the search ends (units of the state per second).
    pub tolerance: f64,
    /// Largest number of steps.
    pub max_iterations: usize,
}

impl Default for TrimOptions {
    fn default() -> Self {
        TrimOptions {
            hold: Vec::new(),
            free_inputs: false,
            free: Vec::new(),
            start: Vec::new(),
            bounds: Vec::new(),
            tolerance: TOLERANCE,
            max_iterations: MAX_ITERATIONS,
        }
    }
}

/// Bounds of a state or of an input.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// Its name.
    pub name: String,
    /// The least and the largest value.
    pub range: (f64, f64),
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
    #[error("no equilibrium found in {iterations} steps: {}", Rates(.residuals))]
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
pub(super) struct Unknowns {
    /// Names of the states.
    pub names: Vec<String>,
    /// Indices among states, then inputs.
    pub places: Vec<usize>,
    /// For each state, true if it is an angle of a joint.
    angles: Vec<bool>,
    /// The least and the largest value of each state, then of each input.
    ranges: Vec<(f64, f64)>,
    /// How far states move beside inputs of the same effect.
    state_share: f64,
}

impl Unknowns {
    /// Brings states and inputs within their bounds.
    pub fn clamp(&self, state: &mut State, inputs: &mut [f64]) {
        let numbers = state.continuous.iter_mut().chain(inputs);
        numbers.zip(&self.ranges).for_each(|(number, (low, high))| *number = number.clamp(*low, *high));
    }
}

impl Linearizer {
    /// Searches the equilibrium nearest to `state` and `inputs`.
    ///
    /// # Errors
    /// Unknown names of held states; rates that do not vanish, by name.
    pub fn trim(&mut self, state: &State, inputs: &[f64], options: &TrimOptions) -> Result<Equilibrium, TrimFault> {
        let unknowns = self.unknowns(inputs, options)?;
        let (state, inputs) = &self.begun(state, inputs, options)?;
        let state = &self.seated(state, inputs)?;
        let nx = unknowns.names.len();
        let turned: Vec<usize> = unknowns.places.iter().copied().filter(|&i| i < nx && unknowns.angles[i]).collect();
        let first = self.search(state, inputs, &unknowns, options);
        // With free inputs there are equilibria everywhere, and the first search stays close.
        if options.free_inputs || !options.free.is_empty() || turned.len() > MAX_STARTS {
            return first.or_else(|fault| {
                // Steps in which states and inputs share what is missing may go in circles where states bend the rates
                // much. Then inputs do all that they can.
                let heavy = Unknowns { state_share: STATE_SHARE, ..unknowns };
                self.search(state, inputs, &heavy, options).map_err(|_| fault)
            });
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
                if away(&found) < least * (1.0 - SAME) {
                    least = away(&found);
                    best = Ok(found);
                }
            }
        }
        best
    }

    /// The different equilibria that `starts` searches from random states find, that nearest to `state` first; the
    /// first search is [`trim`](Self::trim). Angles that are not held begin anywhere, others within their bounds,
    /// or near `state` by about their size; `seed` makes other starts.
    ///
    /// # Errors
    /// As [`trim`](Self::trim), if no search finds any.
    pub fn trim_all(
        &mut self,
        state: &State,
        inputs: &[f64],
        options: &TrimOptions,
        starts: usize,
        seed: u64,
    ) -> Result<Vec<Equilibrium>, TrimFault> {
        let unknowns = self.unknowns(inputs, options)?;
        let nx = unknowns.names.len();
        let first = self.trim(state, inputs, options);
        let (state, inputs) = &self.begun(state, inputs, options)?;
        let mut found: Vec<Equilibrium> = first.iter().cloned().collect();
        for start in 0..starts as u64 {
            let (mut begin, mut free) = (state.clone(), inputs.clone());
            for (channel, &i) in unknowns.places.iter().enumerate() {
                let number = if i < nx { &mut begin.continuous[i] } else { &mut free[i - nx] };
                let (low, high) = unknowns.ranges[i];
                let draw = normal(seed, channel as u64, start);
                *number = match (low.is_finite() && high.is_finite(), i < nx && unknowns.angles[i]) {
                    // formula: the logistic curve that is nearest to the error function, which would be even
                    (true, _) => low + (high - low) / (1.0 + (-1.7 * draw).exp()),
                    (false, true) => *number + PI * draw,
                    (false, false) => (*number + number.abs().max(1.0) * draw).clamp(low, high),
                };
            }
            let Ok(other) = self.search(&begin, &free, &unknowns, options) else { continue };
            if !found.iter().any(|known| unknowns.is_same(known, &other)) {
                found.push(other);
            }
        }
        if found.is_empty() {
            return first.map(|found| vec![found]);
        }
        let away = |found: &Equilibrium| unknowns.distance(&found.state.continuous, &state.continuous);
        found.sort_by(|a, b| away(a).total_cmp(&away(b)));
        Ok(found)
    }

    /// States and inputs that a search may move.
    fn unknowns(&self, inputs: &[f64], options: &TrimOptions) -> Result<Unknowns, TrimFault> {
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
        free.resize(nx + inputs.len(), options.free_inputs);
        let of_inputs = self.input_names();
        for name in &options.free {
            let meant: Vec<usize> = (0..of_inputs.len()).filter(|&i| is_of(&of_inputs[i], name)).collect();
            if meant.is_empty() {
                let nearest = nearest(name, &of_inputs);
                return Err(LinearizeFault::FreeInput { name: name.clone(), nearest }.into());
            }
            meant.into_iter().for_each(|i| free[nx + i] = true);
        }
        let all: Vec<String> = names.iter().chain(&of_inputs).cloned().collect();
        let mut ranges = vec![(f64::NEG_INFINITY, f64::INFINITY); free.len()];
        for bound in &options.bounds {
            let Some(i) = all.iter().position(|name| *name == bound.name) else {
                let nearest = nearest(&bound.name, &all);
                return Err(LinearizeFault::State { name: bound.name.clone(), nearest }.into());
            };
            ranges[i] = bound.range;
            free[i] |= i >= nx;
        }
        let places = (0..free.len()).filter(|&i| free[i]).collect();
        Ok(Unknowns { names, places, angles: self.angles(nx), ranges, state_share: 1.0 })
    }

    /// State and inputs at which the search begins.
    fn begun(&self, state: &State, inputs: &[f64], options: &TrimOptions) -> Result<(State, Vec<f64>), TrimFault> {
        let (mut state, mut inputs) = (state.clone(), inputs.to_vec());
        if options.start.is_empty() {
            return Ok((state, inputs));
        }
        let all: Vec<String> = self.diagram.state_names().into_iter().chain(self.input_names()).collect();
        for (name, value) in &options.start {
            let Some(i) = all.iter().position(|known| known == name) else {
                let nearest = nearest(name, &all);
                return Err(LinearizeFault::State { name: name.clone(), nearest }.into());
            };
            let nx = state.continuous.len();
            *if i < nx { &mut state.continuous[i] } else { &mut inputs[i - nx] } = *value;
        }
        Ok((state, inputs))
    }

    /// One search, from one state.
    fn search(
        &mut self,
        state: &State,
        inputs: &[f64],
        unknowns: &Unknowns,
        options: &TrimOptions,
    ) -> Result<Equilibrium, TrimFault> {
        if self.hold(state, inputs)?.is_some() {
            return self.search_held(state, inputs, unknowns, options);
        }
        let bounds = unknowns;
        let Unknowns { names, places, angles, ranges, state_share } = unknowns;
        let nx = names.len();
        let (mut at, mut u) = (state.clone(), inputs.to_vec());
        bounds.clamp(&mut at, &mut u);
        self.normalize(&mut at);
        let mut rates = vec![0.0; nx];
        self.rates(&at, &u, &mut rates)?;
        let (mut trial, mut trial_u, mut trial_rates) = (at.clone(), u.clone(), rates.clone());
        let mut iterations = 0;
        // One step more than the tolerance asks for: near the solution it costs little and squares the error.
        let mut polished = false;
        while iterations < options.max_iterations && !polished && !places.is_empty() {
            polished = largest(&rates) <= options.tolerance;
            let model = self.differentiate(&at, &u)?;
            // What would leave its bounds stays at them, and the others move without it.
            let mut unknowns = places.clone();
            let step = loop {
                let column = |&i: &usize| match i.checked_sub(nx) {
                    None => model.a.column(i) * *state_share,
                    Some(input) => model.b.column(input).into_owned(),
                };
                let columns: Vec<_> = unknowns.iter().map(column).collect();
                if columns.is_empty() {
                    break None;
                }
                let found = shortest(DMatrix::from_columns(&columns), DVector::from_row_slice(&rates));
                let Some(mut step) = found else { break None };
                for (d, _) in step.iter_mut().zip(&unknowns).filter(|(_, i)| **i < nx) {
                    *d *= state_share;
                }
                let leaves = |place: usize, change: f64| {
                    let value = if place < nx { at.continuous[place] } else { u[place - nx] };
                    let (low, high) = ranges[place];
                    (value <= low && change > 0.0) || (value >= high && change < 0.0)
                };
                let kept: Vec<usize> =
                    unknowns.iter().zip(step.iter()).filter(|(i, d)| !leaves(**i, **d)).map(|(i, _)| *i).collect();
                if kept.len() == unknowns.len() {
                    break Some(step);
                }
                unknowns = kept;
            };
            let Some(step) = step else { break };
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
                bounds.clamp(&mut trial, &mut trial_u);
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
        Err(not_found(names.clone(), &rates, options.tolerance, iterations))
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

impl Unknowns {
    /// Distance of two states, whole turns of angles left out.
    fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        let apart = a.iter().zip(b).zip(&self.angles).map(|((a, b), is_angle)| {
            let apart = a - b;
            if *is_angle { apart - 2.0 * PI * (apart / (2.0 * PI)).round() } else { apart }
        });
        apart.map(|apart| apart * apart).sum::<f64>().sqrt()
    }

    fn is_same(&self, a: &Equilibrium, b: &Equilibrium) -> bool {
        let size = a.state.continuous.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
        let inputs = a.inputs.iter().zip(&b.inputs).all(|(a, b)| (a - b).abs() <= SAME * a.abs().max(1.0));
        inputs && self.distance(&a.state.continuous, &b.state.continuous) <= SAME * size
    }
}

/// True if the number `input` is one of the port `name`, or is called so itself.
fn is_of(input: &str, name: &str) -> bool {
    input.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
}

/// Shortest x that brings `matrix x` closest to `right`.
pub(super) fn shortest(matrix: DMatrix<f64>, right: DVector<f64>) -> Option<DVector<f64>> {
    let svd = matrix.try_svd(true, true, f64::EPSILON, 10_000)?;
    let largest = svd.singular_values.max();
    if largest == 0.0 {
        return None;
    }
    svd.solve(&right, RANK_TOLERANCE * largest).ok().filter(|x| x.iter().all(|x| x.is_finite()))
}

pub(super) fn largest(rates: &[f64]) -> f64 {
    rates.iter().fold(0.0, |a: f64, x| if x.is_nan() { f64::INFINITY } else { a.max(x.abs()) })
}

/// The fault of a search that ended with these rates, with those that are beyond the tolerance, the largest first.
pub(super) fn not_found(names: Vec<String>, rates: &[f64], tolerance: f64, iterations: usize) -> TrimFault {
    let mut residuals: Vec<(String, f64)> = names.into_iter().zip(rates.iter().copied()).collect();
    residuals.retain(|(_, rate)| rate.is_nan() || rate.abs() > tolerance);
    residuals.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    TrimFault::NotFound { iterations, residuals }
}
