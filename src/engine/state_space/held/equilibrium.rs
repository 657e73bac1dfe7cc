//! Equilibria of what is held, and of bodies that stand on others.

use super::hold::Hold;
use crate::choices::trim::{MAX_HALVINGS, MAX_TURN};
use crate::state_space::contact::directions::Directions;
use crate::state_space::contact::rows;
use crate::state_space::trim::{Unknowns, largest, not_found, shortest};
use crate::state_space::{Equilibrium, LinearContact, LinearizeFault, Linearizer, TrimFault, TrimOptions};
use kinegraph_diagram::State;
use nalgebra::{DMatrix, DVector};

/// A state with what holds there, and its rates.
struct Point {
    inputs: Vec<f64>,
    hold: Hold,
    /// Rates of all minimal coordinates.
    rates: DVector<f64>,
}

impl Linearizer {
    /// A state near `state` at which contacts are as deep as their forces at rest need: the laws have no force before.
    pub(in crate::state_space) fn seated(&mut self, state: &State, inputs: &[f64]) -> Result<State, LinearizeFault> {
        let mut seated = state.clone();
        if self.contact != LinearContact::Law || self.laws.is_none() {
            return Ok(seated);
        }
        self.set_contact(LinearContact::Hold);
        let found = self.seat(&mut seated, inputs);
        self.set_contact(LinearContact::Law);
        found.map(|()| seated)
    }

    fn seat(&mut self, seated: &mut State, inputs: &[f64]) -> Result<(), LinearizeFault> {
        let mut standing = seated.clone();
        self.still(&mut standing);
        const ROUNDS: usize = 3; // method: the second is exact to rounding where faces lie flat
        for _ in 0..ROUNDS {
            let Some(hold) = self.hold(&standing, inputs)? else { break };
            let gaps = hold.gaps();
            self.close(&mut standing, &hold, inputs, |number| gaps[number][1]);
            seated.continuous.copy_from_slice(&standing.continuous);
        }
        Ok(())
    }

    /// Sets velocities of plants to zero.
    fn still(&self, state: &mut State) {
        for slot in self.laws.iter().flat_map(|laws| &laws.layout().plants) {
            state.continuous[slot.velocities.clone()].fill(0.0);
        }
    }

    /// Moves positions so that the held contact points have these gaps and constraints are closed.
    fn close(&mut self, state: &mut State, hold: &Hold, inputs: &[f64], gaps: impl Fn(usize) -> f64) {
        let Some(laws) = &mut self.laws else { return };
        let at = laws.at(&hold.state, inputs);
        rows::evaluate(at, hold.state.time, &hold.state.continuous);
        let Some(way) = hold.closing(at, gaps) else { return };
        let mut directions = Directions::new(at.diagram(), at.layout());
        directions.advance_along(at, &state.continuous, way.as_slice(), 1.0);
        state.continuous.copy_from_slice(&directions.continuous);
    }

    /// The rates at a state, with what holds; `None` where nothing holds.
    fn point(&mut self, state: &State, inputs: Vec<f64>) -> Result<Option<Point>, LinearizeFault> {
        let Some(hold) = self.hold(state, &inputs)? else { return Ok(None) };
        let mut all = vec![0.0; state.continuous.len()];
        self.rates(&hold.state, &inputs, &mut all)?;
        let mut rates = self.rotations.deviations(&hold.state.continuous) * DVector::from_vec(all);
        let places = self.places();
        places.velocities.iter().zip(hold.accelerations.iter()).for_each(|(i, a)| rates[*i] = *a);
        Ok(Some(Point { inputs, hold, rates }))
    }

    /// One search, from a state where something holds: contacts keep their depths, constraints stay closed.
    pub(in crate::state_space) fn search_held(
        &mut self,
        state: &State,
        inputs: &[f64],
        unknowns: &Unknowns,
        options: &TrimOptions,
    ) -> Result<Equilibrium, TrimFault> {
        let before = std::mem::replace(&mut self.preferred, options.hold.clone());
        let found = self.search_of_held(state, inputs, unknowns, options);
        self.preferred = before;
        found
    }

    fn search_of_held(
        &mut self,
        state: &State,
        inputs: &[f64],
        unknowns: &Unknowns,
        options: &TrimOptions,
    ) -> Result<Equilibrium, TrimFault> {
        let lost = || LinearizeFault::CannotHold { what: "contacts that part in the search for an equilibrium".into() };
        let (mut begin, mut u) = (state.clone(), inputs.to_vec());
        unknowns.clamp(&mut begin, &mut u);
        // The digits of a file leave loops open by a little, random starts by more.
        const ROUNDS: usize = 10; // method: Newton's, quadratic once it is near
        for _ in 0..ROUNDS {
            let Some(hold) = self.hold(&begin, &u)? else { break };
            let own = hold.gaps();
            self.close(&mut begin, &hold, &u, |k| own[k][0]);
        }
        let mut at = self.point(&begin, u)?.ok_or_else(lost)?;
        let gaps = at.hold.gaps();
        let nx = state.continuous.len();
        let free_inputs: Vec<usize> = unknowns.places.iter().filter_map(|i| i.checked_sub(nx)).collect();
        let (mut iterations, mut polished) = (0, false);
        while iterations < options.max_iterations && !polished {
            polished = largest(at.rates.as_slice()) <= options.tolerance;
            let reduction = self.reduced(&at.hold, &at.inputs)?;
            let model = &reduction.model;
            let is_free = |name: &String| !options.hold.contains(name);
            let states: Vec<usize> = (0..model.a.nrows()).filter(|&i| is_free(&model.state_names[i])).collect();
            let columns: Vec<_> = states
                .iter()
                .map(|i| model.a.column(*i).into_owned())
                .chain(free_inputs.iter().map(|i| model.b.column(*i).into_owned()))
                .collect();
            if columns.is_empty() {
                break;
            }
            let Some(step) = shortest(DMatrix::from_columns(&columns), DVector::from_row_slice(&model.rates)) else {
                break;
            };
            let mut of_states = DVector::zeros(model.a.nrows());
            states.iter().zip(step.iter()).for_each(|(i, d)| of_states[*i] = -d);
            let of_inputs: Vec<f64> = step.iter().skip(states.len()).map(|d| -d).collect();
            let way = &reduction.along * &of_states;
            let change = &reduction.motion * &of_states;
            let turn = way.amax();
            let mut part = if turn > MAX_TURN { MAX_TURN / turn } else { 1.0 };
            let size = at.rates.norm();
            let mut better = None;
            for _ in 0..if polished { 1 } else { MAX_HALVINGS } {
                let (mut trial, mut trial_u) = (at.hold.state.clone(), at.inputs.clone());
                self.moved(&mut trial, &(&way * part), &(&change * part));
                free_inputs.iter().zip(&of_inputs).for_each(|(i, d)| trial_u[*i] += part * d);
                unknowns.clamp(&mut trial, &mut trial_u);
                part *= 0.5;
                // The rows turn with the motion: the first correction is of second order.
                if let Ok(Some(hold)) = self.hold(&trial, &trial_u) {
                    let own = hold.gaps();
                    let to = if own.len() == gaps.len() { &gaps } else { &own };
                    self.close(&mut trial, &hold, &trial_u, |k| to[k][0]);
                }
                if let Ok(Some(found)) = self.point(&trial, trial_u)
                    && found.rates.norm() < size
                {
                    better = Some(found);
                    break;
                }
            }
            let Some(found) = better else { break };
            iterations += 1;
            at = found;
        }
        let residual = largest(at.rates.as_slice());
        if residual <= options.tolerance {
            at.hold.check()?;
            return Ok(Equilibrium { state: at.hold.state, inputs: at.inputs, residual, iterations });
        }
        let names = self.rotations.names(&unknowns.names);
        Err(not_found(names, at.rates.as_slice(), options.tolerance, iterations))
    }

    /// Moves a state: positions of plants along `way`, everything else by `change` of the minimal coordinates.
    fn moved(&self, state: &mut State, way: &DVector<f64>, change: &DVector<f64>) {
        let Some(laws) = &self.laws else { return };
        let starts = self.rotations.starts();
        let plants = &laws.layout().plants;
        let from = state.continuous.clone();
        let mut minimal = 0;
        for i in 0..from.len() {
            if starts.binary_search(&i).is_ok() {
                continue;
            }
            if !plants.iter().any(|slot| slot.positions.contains(&i)) {
                state.continuous[i] += change[minimal];
            }
            minimal += 1;
        }
        let mut directions = Directions::new(laws.diagram(), laws.layout());
        directions.advance_all(laws.diagram(), laws.layout(), &state.continuous, way.as_slice(), 1.0);
        state.continuous.copy_from_slice(&directions.continuous);
    }
}
