//! Refinement of smooth motion: the classical Runge-Kutta step of fourth order beside the convex one.
//!
//! Where nothing acts but contacts that are soft against the step, the motion is an ordinary differential equation
//! `x' = f(t, x)` whose right-hand side (the forward dynamics of the plants and the external system) is cheap beside
//! three convex problems:
//!
//! ```text
//! k1 = f(t, x),  k2 = f(t + h/2, x + h/2 k1),  k3 = f(t + h/2, x + h/2 k2),  k4 = f(t + h, x + h k3)
//! x1 = x + h/6 (k1 + 2 k2 + 2 k3 + k4)
//! ```
//!
//! Stiff feedback and damping, with which an explicit method fails, keep the convex step. The difference to the
//! extrapolated end is of third order, and an error estimate of its own: it sees errors where the one of step doubling
//! is blind because its leading term vanishes for a moment.

use super::contact_rates::ContactRates;
use super::manifold::EndProjection;
use crate::linearize::External;
use kinegraph_core::convex::Switches;
use kinegraph_diagram::State;

/// Parts of the motion that are not refined: they move in a straight line to the end that the convex step found. An
/// explicit method would throw stiff bodies far off, and these would strike the ones that it follows well.
#[derive(Clone, Copy, Debug)]
pub struct Others<'a> {
    /// Their entries of the state.
    pub entries: &'a [usize],
    /// The state at the end.
    pub end: &'a [f64],
}

impl Others<'_> {
    /// No others: all of the state is refined.
    pub const NONE: Self = Others { entries: &[], end: &[] };
}

/// Stages of the refinement; keeps its memory from step to step.
#[derive(Clone, Debug, Default)]
pub struct Refinement {
    stage: Vec<f64>,
    rate: Vec<f64>,
    /// End of the step.
    pub end: Vec<f64>,
    /// Evaluation of contact.
    pub contact: ContactRates,
}

impl Refinement {
    /// Finds the end of the step of length `h` from `state`, with the contacts that were prepared if `touching`, and
    /// the rigid constraints that are `held`, beside `others`; `false` if it is not finite.
    pub fn step(
        &mut self,
        external: &mut External,
        state: &State,
        h: f64,
        touching: bool,
        mut held: Option<(&mut EndProjection, &[Switches])>,
        others: Others<'_>,
    ) -> bool {
        let x = &state.continuous;
        self.end.clone_from(x);
        self.rate.resize(x.len(), 0.0);
        // Node of the stage, its weight in the end, and the step along the last rate.
        for (node, weight) in [(0.0, 1.0), (0.5, 2.0), (0.5, 2.0), (1.0, 1.0)] {
            self.stage.clone_from(x);
            if node > 0.0 {
                self.stage.iter_mut().zip(&self.rate).for_each(|(s, k)| *s += node * h * k);
            }
            others.entries.iter().for_each(|&i| self.stage[i] = x[i] + node * (others.end[i] - x[i]));
            external.rates(state.time + node * h, &self.stage, &mut self.rate);
            if external.loop_fault().is_some() {
                return false;
            }
            let time = state.time + node * h;
            if touching && !self.contact.add(external, time, &self.stage, h, &mut self.rate) {
                return false;
            }
            if let Some((ends, switches)) = &mut held
                && !ends.add_to_rates(external, switches, &self.stage, &mut self.rate)
            {
                return false;
            }
            self.end.iter_mut().zip(&self.rate).for_each(|(e, k)| *e += h / 6.0 * weight * k);
        }
        others.entries.iter().for_each(|&i| self.end[i] = others.end[i]);
        external.layout().normalize_quaternions(external.diagram(), &mut self.end);
        if let Some((ends, switches)) = held
            && !ends.take_back(external, switches, &mut self.end)
        {
            return false;
        }
        self.end.iter().all(|x| x.is_finite())
    }
}
