//! Whether the energy at the end of a run can be true.
//!
//! Where nothing drives the plants, the motion at the end can have no more energy than that at the start and what the
//! bodies lost in height. A method with steps of fixed length has no say in its error, and may gain any amount; a run
//! that ends with more than twice what there was is no result.
//!
//! Nor is one that ends with a body on the other side of what it should have met: a step that is long against the way
//! to a contact may go past it.

use super::envelope::largest;
use kinegraph_convex::contact::recoverable_energy;
use kinegraph_core::ConvexPlant;
use kinegraph_core::convex::{ContactPoint, PlantPoint};
use kinegraph_diagram::{Diagram, State};

/// Speed of light \[m/s\].
const LIGHT: f64 = 299_792_458.0;
/// The gain by which a run is known to diverge before its end, in multiples of the energy that was there. A smaller one
/// may be what compliant constraints give back.
const ABSURD: f64 = 100.0;
/// Gains that would not move the bodies faster than this are of no account \[m/s\].
const MIN_SPEED_GAIN: f64 = 0.1;

/// The energy of all plants at some time.
#[derive(Clone, Debug, Default)]
pub struct Energies {
    /// Kinetic, and what contacts give back \[J\].
    pub moving: f64,
    /// All \[J\].
    pub total: f64,
    /// What the correction of a violated start may give beyond that: contacts part bodies that are inside one another,
    /// whatever their dissipation leaves of the energy; joints beyond their stops move to them without momentum \[J\].
    pub held: f64,
    /// Mass of what moves \[kg\].
    pub mass: f64,
    /// Whether anything could drive the plants.
    pub driven: bool,
    /// The body that is deepest inside another one, by more than its size: in words.
    pub buried: Option<String>,
}

impl Energies {
    /// The energies of a diagram at `state`.
    pub fn at(diagram: &Diagram, state: &State) -> Self {
        let mut sum = Energies::default();
        for (block, plant) in diagram.plants() {
            let structure = plant.structure();
            let (q, v) = state.continuous[block.state.clone()].split_at(structure.num_positions);
            let point = PlantPoint::touching(plant, q, v);
            let bodies = &structure.bodies;
            let mobility = |body: usize| if bodies[body].clique.is_some() { 1.0 / bodies[body].mass } else { 0.0 };
            let recoverable = |contact: &ContactPoint| {
                let stored = 0.5 * contact.stiffness * contact.depth.max(0.0).powi(2);
                recoverable_energy(stored, contact.dissipation, mobility(contact.body_a) + mobility(contact.body_b))
            };
            let contacts: f64 = point.contacts.iter().map(recoverable).sum();
            sum.buried = sum.buried.or_else(|| buried(plant, &point));
            let moving = structure.bodies.iter().zip(&point.V_WB).filter(|(body, _)| body.clique.is_some());
            sum.mass += moving.map(|(body, _)| body.mass).sum::<f64>();
            let total = plant.energy(q, v);
            let stored = |contact: &ContactPoint| 0.5 * contact.stiffness * contact.depth.max(0.0).powi(2);
            let all: f64 = point.contacts.iter().map(stored).sum();
            let mut within = q.to_vec();
            for limit in &structure.limits {
                within[limit.position] = q[limit.position].max(limit.lower).min(limit.upper);
            }
            let at_rest = vec![0.0; v.len()];
            let lifted = if within == q { 0.0 } else { plant.energy(&within, &at_rest) - plant.energy(q, &at_rest) };
            sum.held += (all - contacts).max(0.0) + lifted.max(0.0);
            sum.moving += total - plant.energy(q, &vec![0.0; v.len()]) + contacts;
            sum.total += total + contacts;
            let servos = (0..structure.num_velocities).any(|v| plant.acts_alone(v));
            sum.driven |= servos || plant.has_moving_surfaces() || block.inputs.iter().any(Option::is_some);
        }
        sum
    }

    /// What is wrong with those at the `end` of a run that began with these, if anything.
    pub fn fault(&self, end: &Energies) -> Option<String> {
        let buried = end.buried.clone().filter(|_| self.buried.is_none());
        self.runs_away(end).or(buried).or_else(|| self.gains(end, 1.0))
    }

    fn runs_away(&self, end: &Energies) -> Option<String> {
        (end.moving > 0.5 * end.mass * LIGHT * LIGHT)
            .then(|| format!("the bodies move faster than light ({:.3e} J): the method has run away", end.moving))
    }

    /// The fault in words, if the plants gained more than `times` what anything could give.
    fn gains(&self, end: &Energies, times: f64) -> Option<String> {
        let gain = end.total - self.total;
        let given = end.moving - gain;
        let absurd =
            gain > times * (given.max(0.0) + self.held) && gain > 0.5 * end.mass * MIN_SPEED_GAIN * MIN_SPEED_GAIN;
        (!end.driven && absurd).then(|| {
            format!("the plants gained {gain:.3e} J that nothing gave them: the steps are too long for this motion")
        })
    }
}

/// The energy of a run that is judged while it goes on: whenever the largest number of the state has doubled.
#[derive(Clone, Debug)]
pub(super) struct Judged {
    start: Energies,
    largest: f64,
}

impl Judged {
    /// From `state` on.
    pub fn from(diagram: &Diagram, state: &State) -> Self {
        let start = Energies::at(diagram, state);
        Judged { start, largest: largest(&state.continuous).1 }
    }

    /// The fault of the energy at `state` in words, if there is one.
    pub fn fault(&mut self, diagram: &Diagram, state: &State) -> Option<String> {
        let (_, size) = largest(&state.continuous);
        if size <= 2.0 * self.largest {
            return None;
        }
        self.largest = size;
        let now = Energies::at(diagram, state);
        self.start.runs_away(&now).or_else(|| self.start.gains(&now, ABSURD))
    }
}

/// The first body that moves and is inside another one by more than its size, in words.
fn buried(plant: &dyn ConvexPlant, point: &PlantPoint) -> Option<String> {
    let (bodies, reach) = (&plant.structure().bodies, plant.reach());
    let size = |body: usize| Some(2.0 * reach[body]).filter(|size| bodies[body].clique.is_some() && size.is_finite());
    point.contacts.iter().find_map(|contact| {
        let (a, b) = (contact.body_a, contact.body_b);
        let smallest = size(a).into_iter().chain(size(b)).reduce(f64::min)?;
        (contact.depth > smallest).then(|| {
            let (a, b, depth) = (&bodies[a].name, &bodies[b].name, contact.depth);
            format!("{a} and {b} are {depth:.3} m inside each other, more than their size: the steps are too long for this contact")
        })
    })
}
