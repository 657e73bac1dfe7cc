//! Networks with elements that are not linear, solved at every state.
//!
//! Elements that set their across value tie nodes into groups, so that one value for each group is unknown. What leaves
//! a group must sum to zero: flows that grow with the value of the group and fall with those of others. Newton's method
//! with steps that shrink the sum of all that is missing finds the one solution from any start; derivatives follow from
//! the implicit function.

use super::balance::Balance;
use super::element::NetworkElement;
use super::graph::Graph;
use super::groups::Groups;
use super::law::Flow;
use kinegraph_core::Scalar;
use kinegraph_core::scalar::JET_WIDTH;

/// Largest number of elements of such a network: its equations are solved at every evaluation, in cubic time.
pub(super) const MAX_ELEMENTS: usize = 200;

/// Largest number of steps of Newton's method.
const MAX_STEPS: usize = 400;

/// Steps after which all that is missing is rounding of the whole network, though not that of each node.
const CLOSE_STEPS: usize = 100;

/// Largest number of halvings of a step.
const MAX_HALVINGS: usize = 200;

/// A step must shrink what is missing by this part of what a linear problem would.
const LEAST_DECREASE: f64 = 0.1;

/// Errors of a balance that are rounding, relative to its terms.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Where the search for temperatures begins, if nothing is warmer \[K\].
const WARM: f64 = 300.0;

/// A network of which some elements are not linear.
#[derive(Debug)]
pub(super) struct Nonlinear {
    ends: Vec<[usize; 2]>,
    groups: Groups,
    /// Of each element: the number of the state or input that gives it, with its factor.
    given: Vec<Option<(usize, f64)>>,
    /// True for each element whose flow is given.
    injects: Vec<bool>,
    /// True if flows follow from temperatures to the fourth power, which have no slope at zero.
    radiates: bool,
}

/// Values of a network.
pub(super) struct Solved<S> {
    /// Across value of each node; the first is ground.
    pub nodes: Vec<S>,
    /// Flow through each element.
    pub through: Vec<S>,
}

/// The law of element i between the values at its nodes.
pub(super) type Laws<'a> = dyn Fn(usize, [f64; 2]) -> Option<Flow> + 'a;

/// Flows, and what is missing in the balance of each group.
struct Trial {
    flows: Vec<Flow>,
    missing: Vec<f64>,
    /// The part of each balance that is rounding.
    rounding: Vec<f64>,
}

impl Trial {
    fn sum(&self) -> f64 {
        self.missing.iter().map(|x| x.abs()).sum()
    }

    fn is_solved(&self) -> bool {
        self.missing.iter().zip(&self.rounding).all(|(missing, rounding)| missing.abs() <= *rounding)
    }
}

impl Nonlinear {
    /// The network; `given` has the elements of the states, then those of the inputs, with their factors.
    pub fn new(elements: &[NetworkElement], graph: &Graph, given: &[(usize, f64)]) -> Self {
        let of = |element: usize| given.iter().position(|(of, _)| *of == element).map(|at| (at, given[at].1));
        Nonlinear {
            ends: graph.ends.clone(),
            groups: Groups::new(elements, graph),
            given: (0..elements.len()).map(of).collect(),
            injects: elements.iter().map(|element| element.law.gives_through()).collect(),
            radiates: elements.iter().any(|element| element.law.is_radiation()),
        }
    }

    /// Everything in the network by its states and inputs, `given` by number. All is NaN if the search does not end:
    /// then the run ends with a fault that names the block.
    pub fn solve<S: Scalar>(&self, laws: &Laws<'_>, given: impl Fn(usize) -> S) -> Solved<S> {
        let own = |element: usize| {
            self.given[element].map_or(S::zero(), |(number, factor)| given(number) * S::constant(factor))
        };
        let mut offsets = vec![S::zero(); self.groups.of.len()];
        for tie in &self.groups.ties {
            offsets[tie.node] = offsets[tie.to] + own(tie.element) * S::constant(tie.sign);
        }
        let injected: Vec<S> = (0..self.ends.len()).map(own).collect();
        let Some((values, trial, balance)) = self.search(laws, &offsets, &injected) else {
            let nan = S::constant(f64::NAN);
            return Solved { nodes: vec![nan; offsets.len()], through: vec![nan; self.ends.len()] };
        };
        let partials = self.partials(&offsets, &injected, &trial, &balance);
        let of_group = |group: usize| {
            let of: [f64; JET_WIDTH] = std::array::from_fn(|way| partials.get(way).map_or(0.0, |all| all[group]));
            S::with_partials(values[group], &of)
        };
        let add = |(node, group): (usize, &Option<usize>)| offsets[node] + group.map_or(S::zero(), of_group);
        let nodes: Vec<S> = self.groups.of.iter().enumerate().map(add).collect();
        let through = self.through(laws, &nodes, injected);
        Solved { nodes, through }
    }

    /// Values of the groups, the flows there, and the balance that they were last corrected by.
    fn search<S: Scalar>(&self, laws: &Laws<'_>, offsets: &[S], injected: &[S]) -> Option<(Vec<f64>, Trial, Balance)> {
        let warmest = offsets.iter().map(|x| x.value()).fold(WARM, f64::max);
        let mut values = vec![if self.radiates { warmest } else { 0.0 }; self.groups.count];
        let mut trial = self.attempt(laws, &values, offsets, injected);
        let mut close_steps = 0;
        for _ in 0..MAX_STEPS {
            let balance = self.balance(&trial)?;
            let step = balance.solve(trial.missing.iter().map(|x| -x).collect());
            let after = |length: f64| -> Vec<f64> { values.iter().zip(&step).map(|(x, d)| x + length * d).collect() };
            // Rounding decides nothing.
            let is_close = trial.sum() <= trial.rounding.iter().sum();
            close_steps += usize::from(is_close);
            if trial.is_solved() || close_steps > CLOSE_STEPS {
                // The last correction is below rounding of the balances, but may still show in small flows.
                return Some((after(1.0), trial, balance));
            }
            let mut length = 1.0;
            let next = (0..MAX_HALVINGS).find_map(|_| {
                let values = after(length);
                let next = self.attempt(laws, &values, offsets, injected);
                let is_less = next.sum() <= (1.0 - LEAST_DECREASE * length) * trial.sum();
                length *= 0.5;
                (is_close || is_less).then_some((values, next))
            });
            (values, trial) = next?;
        }
        None
    }

    fn attempt<S: Scalar>(&self, laws: &Laws<'_>, values: &[f64], offsets: &[S], injected: &[S]) -> Trial {
        let mut trial = Trial {
            flows: vec![Flow::default(); self.ends.len()],
            missing: vec![0.0; values.len()],
            rounding: vec![0.0; values.len()],
        };
        let at = |node: usize| [self.groups.of[node].map_or(0.0, |group| values[group]), offsets[node].value()];
        for (element, ends) in self.ends.iter().enumerate() {
            let at = ends.map(at);
            let flow = match laws(element, at.map(|[value, offset]| value + offset)) {
                Some(flow) => flow,
                None if self.injects[element] => Flow { value: injected[element].value(), slopes: [0.0; 2] },
                None => continue,
            };
            trial.flows[element] = flow;
            // Within a group it leaves nothing missing.
            let [a, b] = ends.map(|node| self.groups.of[node]);
            if a == b {
                continue;
            }
            let of_ends =
                flow.slopes.iter().zip(&at).map(|(slope, [value, offset])| slope * (value.abs() + offset.abs()));
            let size = flow.value.abs() + of_ends.sum::<f64>();
            for (node, sign) in ends.iter().zip([1.0, -1.0]) {
                if let Some(group) = self.groups.of[*node] {
                    trial.missing[group] += sign * flow.value;
                    // That of the flow, and that of the sum so far.
                    trial.rounding[group] += ROUNDING * size + f64::EPSILON * trial.missing[group].abs();
                }
            }
        }
        trial
    }

    fn balance(&self, trial: &Trial) -> Option<Balance> {
        let mut balance = Balance::new(self.groups.count);
        for (ends, flow) in self.ends.iter().zip(&trial.flows) {
            balance.add(ends.map(|node| self.groups.of[node]), flow.slopes);
        }
        balance.eliminate()
    }

    /// Derivatives of the values of the groups in each direction, if numbers carry any.
    fn partials<S: Scalar>(&self, offsets: &[S], injected: &[S], trial: &Trial, balance: &Balance) -> Vec<Vec<f64>> {
        let ways = if S::HAS_PARTIALS { JET_WIDTH } else { 0 };
        let in_direction = |way: usize| {
            let mut missing = vec![0.0; self.groups.count];
            for (element, (ends, flow)) in self.ends.iter().zip(&trial.flows).enumerate() {
                let mut change = if self.injects[element] { injected[element].partials()[way] } else { 0.0 };
                let [a, b] = ends.map(|node| offsets[node].partials()[way]);
                change += flow.slopes[0] * a - flow.slopes[1] * b;
                for (node, sign) in ends.iter().zip([1.0, -1.0]) {
                    if let Some(group) = self.groups.of[*node] {
                        missing[group] -= sign * change;
                    }
                }
            }
            balance.solve(missing)
        };
        (0..ways).map(in_direction).collect()
    }

    /// Flows through all elements: laws, what is given, and what the balances of nodes leave for ties.
    fn through<S: Scalar>(&self, laws: &Laws<'_>, nodes: &[S], injected: Vec<S>) -> Vec<S> {
        let mut through = injected;
        for tie in &self.groups.ties {
            through[tie.element] = S::zero();
        }
        let mut leaving = vec![S::zero(); nodes.len()];
        for (element, ends) in self.ends.iter().enumerate() {
            let [a, b] = ends.map(|node| nodes[node]);
            if let Some(flow) = laws(element, [a.value(), b.value()]) {
                let (of_a, of_b) = (a.partials(), b.partials());
                let partial = |way: usize| flow.slopes[0] * of_a[way] - flow.slopes[1] * of_b[way];
                through[element] = S::with_partials(flow.value, &std::array::from_fn(partial));
            }
            leaving[ends[0]] += through[element];
            leaving[ends[1]] -= through[element];
        }
        for tie in self.groups.ties.iter().rev() {
            let rest = leaving[tie.node];
            through[tie.element] = -rest * S::constant(tie.sign);
            leaving[tie.to] += rest;
        }
        through
    }
}
