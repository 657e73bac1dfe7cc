//! The Jacobian `J = df/dx` of the right-hand side of a diagram.
//!
//! Without plants it is exact, by dual numbers: as many passes as the coloring of the diagram asks for
//! ([`External::linearization_passes`]). With plants it is made of forward differences, where trees that neither touch
//! nor act on each other through the diagram share their evaluations ([`Grouping`]): a free body alone costs 13 of
//! them, any number of free bodies that lie apart as many, a heap about as many as the largest number of neighbours of
//! one body times 13. The forces between free balls and the bodies that they touch are held in these evaluations, so
//! that a heap of balls costs as much as one: the gradients of these forces are known ([`ContactGradients`]). With
//! displacements of bodies by their velocities, `δq = N δθ`, the Jacobian by positions is `∂f/∂θ (N'N)^-1 N'`.
//!
//! Where surfaces move by themselves the couplings are not known: there are as many evaluations as numbers in the
//! state, contact among them.
//!
//! Quaternions are differenced number by number; the part along their length does no harm where they keep it.

use super::block_matrix::{BlockMatrix, Factors, Values};
use super::displacements::Displacements;
use super::grouping::Grouping;
use crate::integrators::couplings::{Couplings, Kind};
use crate::integrators::ode_method::RightHandSide;
use crate::integrators::{Statistics, StepFailure};
use crate::linearize::{BlockGrowth, External, Linearization};
use kinegraph_convex::contact::ContactGradients;
use kinegraph_convex::profile::Phase;
use kinegraph_diagram::State;

/// Root of the rounding error: the change in a forward difference of a number of the size of one.
pub(in crate::integrators) const CHANGE: f64 = 1.5e-8; // rounding

/// The Jacobian at a state, and factors of `I - s J`; keeps its memory.
#[derive(Clone, Default)]
pub(in crate::integrators) struct Jacobian {
    matrix: BlockMatrix,
    factors: [Factors; 2],
    /// State at which it was evaluated, if it was.
    at: Option<State>,
    state: State,
    couplings: Couplings,
    grouping: Grouping,
    blocks: Vec<usize>,
    changed: Vec<f64>,
    rates: Vec<f64>,
    external: Option<Box<(External, Linearization)>>,
    contacts: ContactGradients,
    kinds: Vec<Kind>,
    displacements: Displacements,
    growth: BlockGrowth,
    /// True if bodies touched at the state.
    touching: bool,
}

impl Jacobian {
    /// State at which it was evaluated, if it was.
    pub fn at(&self) -> Option<&State> {
        self.at.as_ref()
    }

    /// Forgets the Jacobian.
    pub fn forget(&mut self) {
        if let Some(at) = self.at.take() {
            self.state = at;
        }
    }

    /// Evaluates the Jacobian at `state`, where the rates are `start`, unless it is there.
    ///
    /// # Errors
    /// Rates near by, or derivatives, are not finite.
    pub fn evaluate(&mut self, state: &State, start: &[f64], f: &mut RightHandSide) -> Result<(), StepFailure> {
        if self.at.as_ref() == Some(state) {
            return Ok(());
        }
        self.forget();
        self.factors.iter_mut().for_each(Factors::forget);
        f.statistics.linearizations += 1;
        match f.rates.diagram_without_plants() {
            Some(diagram) => {
                if self.external.is_none() {
                    self.external = Some(Box::new((External::new(diagram), Linearization::default())));
                }
                self.by_dual_numbers(state, f.statistics)?;
            }
            None => self.by_differences(state, start, f)?,
        }
        if !self.matrix.is_finite() {
            return Err(StepFailure::NotFinite { what: "a derivative of the rates".to_owned() });
        }
        self.state.clone_from(state);
        self.at = Some(std::mem::take(&mut self.state));
        Ok(())
    }

    fn by_dual_numbers(&mut self, state: &State, statistics: &mut Statistics) -> Result<(), StepFailure> {
        let Some(external) = &mut self.external else { return Ok(()) };
        let (external, linear) = &mut **external;
        let mut lap = statistics.watch.start();
        external.hold(&state.discrete);
        external.linearize(state.time, &state.continuous, linear);
        statistics.watch.lap(Phase::External, &mut lap);
        if let Some(fault) = external.loop_fault() {
            return Err(Box::new(fault.clone()).into());
        }
        // Without plants all states are external ones.
        self.blocks.clear();
        self.blocks.extend(0..state.continuous.len());
        for group in linear.external_groups() {
            group.iter().for_each(|&i| self.blocks[i] = group[0]);
        }
        self.matrix.start(&self.blocks, Err, |column, rows| rows.extend(linear.external.z.column(column).0));
        for group in linear.external_groups() {
            for &column in group {
                let (rows, values) = linear.external.z.column(column);
                rows.iter().zip(values).for_each(|(&row, x)| *self.matrix.entry(row, column) = *x);
            }
        }
        Ok(())
    }

    fn by_differences(&mut self, state: &State, start: &[f64], f: &mut RightHandSide) -> Result<(), StepFailure> {
        let Jacobian { matrix, couplings, grouping, blocks, rates, contacts, kinds, .. } = self;
        // Bodies in contact are known by the last evaluation.
        rates.resize(start.len(), 0.0);
        f.evaluate(state.time, &state.continuous, rates)?;
        self.touching = f.rates.touches();
        let holds = f.rates.hold_contacts(contacts);
        f.rates.couplings(couplings);
        f.rates.kinds(kinds);
        grouping.find(couplings);
        if holds {
            contacts.cliques.iter().for_each(|&(i, j)| grouping.join(i, j));
        }
        grouping.blocks(couplings, blocks);
        let parts = &couplings.part_of;
        let reach = |column: usize, rows: &mut Vec<usize>| rows.extend(grouping.rows(parts[column]));
        matrix.start(blocks, |i| if kinds[i] == Kind::Position { Ok(parts[i]) } else { Err(parts[i]) }, reach);
        let found = self.difference(state, start, f);
        f.rates.release_contacts();
        if holds {
            self.add_contacts();
        }
        found
    }

    fn difference(&mut self, state: &State, start: &[f64], f: &mut RightHandSide) -> Result<(), StepFailure> {
        let Jacobian { matrix, grouping, changed, rates, .. } = self;
        for color in 0..grouping.colors() {
            let parts = grouping.parts(color);
            let most = parts.iter().map(|&part| grouping.members(part).len()).max().unwrap_or(0);
            for k in 0..most {
                changed.clone_from(&state.continuous);
                let column = |part: usize| grouping.members(part).get(k).copied();
                for i in parts.iter().filter_map(|&part| column(part)) {
                    changed[i] += CHANGE * changed[i].abs().max(1.0);
                }
                f.evaluate(state.time, changed, rates)?;
                for (part, i) in parts.iter().filter_map(|&part| Some((part, column(part)?))) {
                    let change = changed[i] - state.continuous[i];
                    for row in grouping.rows(part) {
                        *matrix.entry(row, i) = (rates[row] - start[row]) / change;
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds the gradients of contact forces by the motion of bodies.
    fn add_contacts(&mut self) {
        let Jacobian { matrix, grouping, contacts, kinds, displacements, .. } = self;
        // Column by column, so that the mover of a clique is found once.
        let mut moved = None;
        for at in contacts.by_motion() {
            let (i, j) = contacts.cliques[at];
            if moved != Some(j) {
                displacements.find(matrix, grouping.members(j), kinds);
                moved = Some(j);
            }
            let (by_position, by_velocity) = contacts.block(at);
            displacements.add(matrix, grouping.members(i), kinds, by_position, by_velocity);
        }
    }

    /// Evaluates the Jacobian at `at`, to continue from there as a run that did so: `state` is the start of the step.
    pub fn recall(&mut self, at: &State, state: &State, f: &mut RightHandSide) -> Result<(), StepFailure> {
        f.rates.hold(at);
        let mut start = vec![0.0; at.continuous.len()];
        let rates = f.evaluate(at.time, &at.continuous, &mut start);
        let found = rates.and_then(|()| self.evaluate(at, &start, f));
        f.rates.hold(state);
        found
    }

    /// Rate \[1/s\] of the fastest growth, of plants only where nothing touches: contact may hold what feedback drives.
    /// A rate of no more than `enough` may be a bound; there is none without a Jacobian.
    pub fn growth_rate(&mut self, enough: f64) -> f64 {
        let Jacobian { matrix, growth, touching, at, .. } = self;
        let blocks = matrix.blocks().enumerate().filter(|(_, (positions, _))| !*touching || *positions == 0);
        let rates = blocks.map(|(block, (_, values))| match values {
            Values::Dense(n, values) => growth.of(block, n, values, enough),
            Values::Sparse(sparse) => growth.of_sparse(sparse.columns(), enough),
        });
        if at.is_some() { rates.fold(f64::NEG_INFINITY, f64::max) } else { f64::NEG_INFINITY }
    }

    /// Solves `(I - s J) y = x` in place, with the factors number `which`, which are renewed if their s differs.
    pub fn solve(&mut self, which: usize, s: f64, x: &mut [f64], statistics: &mut Statistics) {
        let mut lap = statistics.watch.start();
        let factors = &mut self.factors[which];
        if factors.factor(s, &self.matrix) {
            statistics.factorizations += 1;
        }
        factors.solve(&self.matrix, x);
        statistics.watch.lap(Phase::Factorization, &mut lap);
    }
}
