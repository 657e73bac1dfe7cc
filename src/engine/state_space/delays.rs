//! Linear models with pure delays, exact in frequency.
//!
//! Each number that a block delays stands in the diagram as an integrator: its state is the delayed signal w, and the
//! rate of that state is the signal z that goes in. With `Φ(s) = diag(s)` for states and `e^(s T)` for signals delayed
//! by T, since `w = e^(-s T) z`,
//!
//! ```text
//! Φ x = A x + B u,   y = C x + D u,   H(s) = C (Φ(s) - A)^-1 B + D
//! ```
//!
//! A model with states alone has a rational function in place of each delay: the Padé approximant of numerator degree
//! m - 1 and denominator degree m, which passes nothing on at once, so that no algebraic loop arises.

use super::fault::{LinearizeFault, LinearizeFaults};
use super::{LinearContact, LinearModel, LinearizePorts, Linearizer, Rotations, rewire};
use kinegraph_core::{DerivativePolicy, Held, Sampling, Tick, WithDerivatives};
use kinegraph_diagram::{Block, Diagram, State};
use kinegraph_systems::dynamics::{FirstOrderLag, Integrator};
use nalgebra::{Complex, DMatrix};
use std::sync::Arc;

/// A linear model in which some states stand for delayed signals.
#[derive(Clone, Debug, PartialEq)]
pub struct DelayedModel {
    /// The model; the rate of a state that stands for a delayed signal is the signal before its delay.
    pub model: LinearModel,
    /// Delay \[s\] of each state that stands for a delayed signal.
    pub delays: Vec<Option<f64>>,
}

/// The diagram with an integrator in place of each delay, its state, and the delay of each continuous state.
pub(super) struct StandIns {
    pub diagram: Diagram,
    pub state: State,
    pub delays: Vec<Option<f64>>,
    /// Times of the events of each number that a sampled block holds; empty where sampled blocks are as they were.
    pub held: Vec<Option<Sampling>>,
    /// The sampled blocks with their times.
    pub samplings: Vec<(String, Sampling)>,
}

impl StandIns {
    /// Stand-ins for the delays of `diagram`, at `state`.
    pub fn of(diagram: &Diagram, state: &State) -> Result<Self, LinearizeFaults> {
        let mut values = diagram.values::<f64>();
        diagram.evaluate_state(state, &mut values);
        let mut with = diagram.clone();
        let delayed = |block: &&kinegraph_diagram::Block| block.system.pure_delay().is_some();
        for block in diagram.blocks().iter().filter(delayed) {
            let start = block.outputs.first().map_or(&[][..], |output| values.get(output.clone())).to_vec();
            let not_finite = |_| LinearizeFaults(vec![LinearizeFault::NotFinite { what: block.name.clone() }]);
            let stand_in = Integrator::new(start).map_err(not_finite)?;
            with = with.replace(&block.name, Arc::new(stand_in)).map_err(rewire::all)?;
        }
        let mut state = with.carry_over(diagram, state);
        let mut delays = vec![None; with.state_width()];
        for (block, old) in with.blocks().iter().zip(diagram.blocks()) {
            if let Some(delay) = old.system.pure_delay() {
                let delayed = old.outputs.first().map_or(&[][..], |output| values.get(output.clone()));
                state.continuous[block.state.clone()].copy_from_slice(delayed);
                delays[block.state.clone()].fill(Some(delay));
            }
        }
        Ok(StandIns { diagram: with, state, delays, held: Vec::new(), samplings: Vec::new() })
    }

    /// Stand-ins for the delays and for the sampled blocks of `diagram`, at `state`. Where no event has fired yet, each
    /// sampled block has taken its first sample.
    pub fn sampled(diagram: &Diagram, state: &State) -> Result<Self, LinearizeFaults> {
        let state = &if state.started { state.clone() } else { with_first_samples(diagram, state) };
        let mut found = StandIns::of(diagram, state)?;
        let sampled: Vec<(usize, Tick, Sampling)> = diagram
            .blocks()
            .iter()
            .enumerate()
            .filter_map(|(b, block)| sampled(block).map(|(t, s)| (b, t, s)))
            .collect();
        let mut with = found.diagram.clone();
        for &(b, tick, _) in &sampled {
            let block = &diagram.blocks()[b];
            // Held numbers have derivatives though a method counts them as constant over a step.
            let exact = match block.system.policy() {
                DerivativePolicy::Explicit => {
                    Arc::new(WithDerivatives::new(block.system.clone(), DerivativePolicy::Differences))
                }
                _ => block.system.clone(),
            };
            with = with.replace(&block.name, Arc::new(Held::new(exact, tick))).map_err(rewire::all)?;
        }
        let mut at = with.carry_over(&found.diagram, &found.state);
        let (mut delays, mut held) = (vec![None; with.state_width()], vec![None; with.state_width()]);
        for ((block, old), original) in with.blocks().iter().zip(found.diagram.blocks()).zip(diagram.blocks()) {
            let own = block.state.start..block.state.start + old.state.len();
            delays[own.clone()].copy_from_slice(&found.delays[old.state.clone()]);
            at.continuous[own.clone()].copy_from_slice(&found.state.continuous[old.state.clone()]);
            if own.end < block.state.end {
                at.continuous[own.end..block.state.end].copy_from_slice(&state.discrete[original.discrete.clone()]);
            }
        }
        for &(b, _, sampling) in &sampled {
            let state = &with.blocks()[b].state;
            let width = diagram.blocks()[b].discrete.len();
            held[state.end - width..state.end].fill(Some(sampling));
        }
        let name = |b: usize| diagram.blocks()[b].name.clone();
        found.samplings = sampled.iter().map(|&(b, _, sampling)| (name(b), sampling)).collect();
        Ok(StandIns { diagram: with, state: at, delays, held, ..found })
    }

    /// The diagram with a lag in place of each delay: at rest both have at their output what goes in.
    pub fn with_lags(&self) -> Result<Diagram, LinearizeFaults> {
        let late = |block: &&Block| !block.state.is_empty() && self.delays[block.state.start].is_some();
        self.diagram.blocks().iter().filter(late).try_fold(self.diagram.clone(), |with, block| {
            let not_finite = |_| LinearizeFaults(vec![LinearizeFault::NotFinite { what: block.name.clone() }]);
            let lag = FirstOrderLag::new(block.state.len(), 1.0, 1.0, 0.0).map_err(not_finite)?;
            with.replace(&block.name, Arc::new(lag)).map_err(rewire::all)
        })
    }

    /// The state as one of `diagram`, for which the stand-ins are; what they do not have is that of `before`.
    pub fn state_of(&self, diagram: &Diagram, before: &State) -> State {
        let mut state = before.clone();
        for (block, original) in self.diagram.blocks().iter().zip(diagram.blocks()) {
            let numbers = &self.state.continuous[block.state.clone()];
            if original.system.pure_delay().is_none() && numbers.len() >= original.state.len() {
                let (own, held) = numbers.split_at(original.state.len());
                state.continuous[original.state.clone()].copy_from_slice(own);
                if held.len() == original.discrete.len() {
                    state.discrete[original.discrete.clone()].copy_from_slice(held);
                }
            }
        }
        state
    }
}

/// The one periodic event of a block that samples its inputs. Blocks that watch crossings or jumps, as a delay by an
/// input does, have events at times of their own; what two events move is no state at one period.
fn sampled(block: &Block) -> Option<(Tick, Sampling)> {
    let ports = block.system.ports();
    let reads = !ports.inputs().is_empty() && !block.discrete.is_empty() && block.system.as_plant().is_none();
    let by_period = ports.witnesses().is_empty() && !block.system.watches_jumps();
    let mut recurring = ports.ticks().iter().enumerate().filter(|(_, tick)| !tick.is_once());
    let (index, sampling) = recurring.next()?;
    let (only, once) = (recurring.next().is_none(), ports.ticks().len() == 1);
    (reads && by_period && only && once).then_some((Tick { index }, *sampling))
}

/// `state` after the first sample of every sampled block.
fn with_first_samples(diagram: &Diagram, state: &State) -> State {
    let mut values = diagram.values::<f64>();
    diagram.evaluate_state(state, &mut values);
    let mut after = state.clone();
    for (b, block) in diagram.blocks().iter().enumerate() {
        if let Some((tick, _)) = sampled(block) {
            let context = diagram.context(b, state.time, &state.continuous, &values);
            block.system.update(tick, &context, &mut after.discrete[block.discrete.clone()]);
        }
    }
    after
}

impl DelayedModel {
    /// Linearizes `diagram` at `state` with these values of the inputs; delays are part of the model, samples still cut
    /// its paths.
    ///
    /// # Errors
    /// As [`linearize`](super::linearize).
    pub fn of(
        diagram: &Diagram,
        state: &State,
        inputs: &[f64],
        ports: &LinearizePorts,
        contact: LinearContact,
    ) -> Result<Self, LinearizeFaults> {
        let StandIns { diagram, state, delays, .. } = StandIns::of(diagram, state)?;
        let mut linearizer = Linearizer::new(&diagram, &state, ports)?.with_contact(contact);
        let model = linearizer.at(&state, inputs).map_err(|fault| LinearizeFaults(vec![fault]))?;
        let delays = Rotations::of(&diagram).shortened(&delays);
        Ok(DelayedModel { model, delays: linearizer.kept().iter().map(|i| delays[*i]).collect() })
    }

    /// True if any signal is delayed.
    pub fn has_delays(&self) -> bool {
        self.delays.iter().any(Option::is_some)
    }

    /// Frequency response at the angular frequency `w` \[rad/s\]: outputs x inputs; not a number at a pole.
    pub fn response(&self, w: f64) -> DMatrix<Complex<f64>> {
        let LinearModel { a, b, c, d, .. } = &self.model;
        let complex = |matrix: &DMatrix<f64>| matrix.map(|x| Complex::new(x, 0.0));
        let mut pencil = -complex(a);
        for (i, delay) in self.delays.iter().enumerate() {
            pencil[(i, i)] += match delay {
                Some(delay) => Complex::from_polar(1.0, w * delay),
                None => Complex::new(0.0, w),
            };
        }
        match pencil.lu().solve(&complex(b)) {
            Some(x) => complex(c) * x + complex(d),
            None => complex(d).map(|_| Complex::new(f64::NAN, f64::NAN)),
        }
    }

    /// Model with states alone: each delay is its Padé approximant of denominator degree `order`, from 1 on.
    pub fn with_pade(&self, order: usize) -> LinearModel {
        let LinearModel { a, b, c, .. } = &self.model;
        let place = self.places(order);
        let size = place.iter().zip(&self.delays).map(|(_, delay)| if delay.is_some() { order } else { 1 }).sum();
        let approximants: Vec<Option<Approximant>> =
            self.delays.iter().map(|delay| delay.map(|delay| Approximant::new(delay, order))).collect();
        // The signal that each old state stands for, as rows of the new states; and where its rate goes.
        let signal = DMatrix::from_fn(a.nrows(), size, |i, j| match &approximants[i] {
            Some(own) => j.checked_sub(place[i]).and_then(|k| own.output.get(k)).copied().unwrap_or(0.0),
            None => f64::from(u8::from(j == place[i])),
        });
        // The last state of an approximant takes the signal before the delay.
        let takes = |i: usize| place[i] + if approximants[i].is_some() { order - 1 } else { 0 };
        let (mut of_states, mut of_inputs) = (DMatrix::zeros(size, size), DMatrix::zeros(size, b.ncols()));
        let through = a * &signal;
        for i in 0..a.nrows() {
            of_states.row_mut(takes(i)).copy_from(&through.row(i));
            of_inputs.row_mut(takes(i)).copy_from(&b.row(i));
        }
        let mut names = Vec::with_capacity(size);
        for (i, name) in self.model.state_names.iter().enumerate() {
            let Some(own) = &approximants[i] else {
                names.push(name.clone());
                continue;
            };
            for k in 0..order {
                names.push(format!("{name}.delay[{k}]"));
                if k + 1 < order {
                    of_states[(place[i] + k, place[i] + k + 1)] += 1.0;
                }
                of_states[(takes(i), place[i] + k)] -= own.denominator[k];
            }
        }
        let rates = (0..size).map(|j| {
            place
                .iter()
                .position(|p| *p == j)
                .map_or(0.0, |i| if approximants[i].is_some() { 0.0 } else { self.model.rates[i] })
        });
        LinearModel {
            rates: rates.collect(),
            a: of_states,
            b: of_inputs,
            c: c * signal,
            state_names: names,
            ..self.model.clone()
        }
    }

    /// First new state of each old one.
    pub(super) fn places(&self, order: usize) -> Vec<usize> {
        let sizes = self.delays.iter().map(|delay| if delay.is_some() { order } else { 1 });
        let starts = sizes.scan(0, |next, size| {
            *next += size;
            Some(*next - size)
        });
        starts.collect()
    }
}

/// Padé approximant of a delay in controllable canonical form: `x_k' = x_(k+1)`, the last rate is the input less
/// `denominator` times the states, the output is `output` times the states.
struct Approximant {
    denominator: Vec<f64>,
    output: Vec<f64>,
}

impl Approximant {
    /// `e^(-s delay)` by degrees `order - 1` and `order` \[Golub & Van Loan 2013, Matrix computations, eq. 9.3.3\].
    fn new(delay: f64, order: usize) -> Self {
        let (p, q) = (order - 1, order);
        let factorial = |n: usize| (1..=n).map(|k| k as f64).product::<f64>();
        let coefficient = |degree: usize, k: usize| {
            factorial(p + q - k) * factorial(degree) / (factorial(p + q) * factorial(k) * factorial(degree - k))
        };
        let leading = coefficient(q, q) * delay.powi(q as i32);
        let power = |k: usize| delay.powi(k as i32);
        let sign = |k: usize| if k.is_multiple_of(2) { 1.0 } else { -1.0 };
        Approximant {
            denominator: (0..q).map(|k| coefficient(q, k) * power(k) / leading).collect(),
            output: (0..=p).map(|k| sign(k) * coefficient(p, k) * power(k) / leading).collect(),
        }
    }
}
