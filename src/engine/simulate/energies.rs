//! Energy of the plants of a diagram: of motion, weight, springs, and other storage.
//!
//! Compliant constraints hold `k x²/2`, with x their violation, as springs do. Rigid ones hold nothing; a violation at
//! the start returns with a speed of its own, and lifts and moves bodies meanwhile.

use kinegraph_convex::contact::recoverable_energy;
use kinegraph_core::ConvexPlant;
use kinegraph_core::convex::{ConstraintKind, ConstraintRows, ContactPoint, PlantPoint, PlantStructure, Switches};
use kinegraph_diagram::{Block, Diagram, State, Values};
use nalgebra::Vector3;

/// Violation up to which a constraint is met, as a part of the size of a plant: numbers in files are rounded.
const MET: f64 = 1e-5;

/// The energy of all plants at some time.
#[derive(Clone, Debug, Default)]
pub struct Energies {
    /// Kinetic energy, and that which contacts return \[J\].
    pub moving: f64,
    /// All but that of constraints \[J\].
    pub total: f64,
    /// Energy of compliant constraints \[J\].
    pub constraints: f64,
    /// Energy that the correction of a violated start may give beyond that: contacts part bodies that are inside one
    /// another, whatever their dissipation leaves of the energy; joints beyond their stops move to them without
    /// momentum \[J\].
    pub held: f64,
    /// Energy that violated rigid constraints may give as they return: they lift the bodies, and move them at the
    /// `correction_speed` \[J\].
    pub corrected: f64,
    /// Longest time of their return \[s\]; zero if all are met.
    pub returning: f64,
    /// Mass of the moving bodies \[kg\].
    pub mass: f64,
    /// True if anything could drive the plants.
    pub driven: bool,
    /// Body that is deepest inside another one, by more than its size: in words.
    pub buried: Option<String>,
}

impl Energies {
    /// The energies of a diagram at `state`.
    pub fn at(diagram: &Diagram, state: &State) -> Self {
        let mut sum = Energies::default();
        let mut rows = ActiveRows::new(diagram, state);
        for (number, block, plant) in plants(diagram) {
            let structure = plant.structure();
            let (q, v) = state.continuous[block.state.clone()].split_at(structure.num_positions);
            let mut point = PlantPoint::touching(plant, q, v);
            rows.find(number, plant, &mut point);
            sum.add_constraints(plant, &point);
            let bodies = &structure.bodies;
            let mobility = |body: usize| if bodies[body].clique.is_some() { 1.0 / bodies[body].mass } else { 0.0 };
            let recoverable = |contact: &ContactPoint| {
                let stored = 0.5 * contact.stiffness * contact.depth.max(0.0).powi(2);
                recoverable_energy(stored, contact.dissipation, mobility(contact.body_a) + mobility(contact.body_b))
            };
            let contacts: f64 = point.contacts.iter().map(recoverable).sum();
            sum.buried = sum.buried.or_else(|| buried(plant, &point));
            sum.mass += moving_mass(structure);
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
            sum.moving += total - plant.energy(q, &at_rest) + contacts;
            sum.total += total + contacts;
            let driven = plant.drives_itself() || plant.has_moving_surfaces();
            sum.driven |= driven || block.inputs.iter().any(Option::is_some);
        }
        sum
    }

    /// Adds the energy of the constraints of a plant, and the energy that they may give.
    fn add_constraints(&mut self, plant: &dyn ConvexPlant, point: &PlantPoint) {
        let structure = plant.structure();
        self.constraints += point.constraints.iter().map(ConstraintRows::stored_energy).sum::<f64>();
        let off = point.constraints.iter().map(ConstraintRows::is_off_by).fold(0.0, f64::max);
        if off <= MET * size(plant, point) {
            return;
        }
        let (mass, speed) = (moving_mass(structure), structure.correction_speed);
        let weight = mass * Vector3::from(structure.gravity).norm();
        self.corrected += weight * off + 0.5 * mass * speed * speed;
        self.returning = self.returning.max(off / speed);
    }
}

/// Mass of the bodies that move \[kg\].
fn moving_mass(structure: &PlantStructure) -> f64 {
    structure.bodies.iter().filter(|body| body.clique.is_some()).map(|body| body.mass).sum()
}

/// Largest distance between bodies of a plant, or the reach of the largest of them \[m\]; 1 m of points in one place.
pub(super) fn size(plant: &dyn ConvexPlant, point: &PlantPoint) -> f64 {
    let reach = plant.reach().iter().copied().filter(|reach| reach.is_finite()).fold(0.0, f64::max);
    let first = point.p_WB.first().copied().map_or_else(Vector3::zeros, Vector3::from);
    let size = point.p_WB.iter().map(|p| (Vector3::from(*p) - first).norm()).fold(reach, f64::max);
    if size > 0.0 { size } else { 1.0 }
}

/// Energy of the compliant constraints of all plants at `state` \[J\].
pub(super) fn of_constraints(diagram: &Diagram, state: &State) -> f64 {
    let (mut sum, mut rows) = (0.0, ActiveRows::new(diagram, state));
    for (number, block, plant) in plants(diagram).filter(|(.., plant)| is_constrained(*plant)) {
        let (q, v) = state.continuous[block.state.clone()].split_at(plant.structure().num_positions);
        let mut point = PlantPoint::default();
        plant.evaluate(q, v, &mut point);
        rows.find(number, plant, &mut point);
        sum += point.constraints.iter().map(ConstraintRows::stored_energy).sum::<f64>();
    }
    sum
}

/// The plants of a diagram, each with the number of its block.
pub(super) fn plants(diagram: &Diagram) -> impl Iterator<Item = (usize, &Block, &dyn ConvexPlant)> {
    diagram.blocks().iter().enumerate().filter_map(|(i, block)| Some((i, block, block.system.as_plant()?)))
}

/// True if a plant has constraints besides beams, which are a part of its own energy.
fn is_constrained(plant: &dyn ConvexPlant) -> bool {
    plant.structure().constraints.iter().any(|constraint| constraint.kind != ConstraintKind::Beam)
}

/// Finds the rows of constraints that are active at a state.
pub(super) struct ActiveRows<'d> {
    diagram: &'d Diagram,
    state: &'d State,
    /// The signals, evaluated if they switch anything.
    values: Option<Values<f64>>,
    switches: Switches,
}

impl<'d> ActiveRows<'d> {
    pub fn new(diagram: &'d Diagram, state: &'d State) -> Self {
        ActiveRows { diagram, state, values: None, switches: Switches::default() }
    }

    /// Adds the rows of the plant of block `number` to `point`, which has its poses.
    fn find(&mut self, number: usize, plant: &dyn ConvexPlant, point: &mut PlantPoint) {
        if !is_constrained(plant) {
            return;
        }
        self.switches(number, plant);
        let ActiveRows { diagram, state, switches, .. } = self;
        let positions = &state.continuous[diagram.blocks()[number].state.clone()][..plant.structure().num_positions];
        plant.constraints(positions, switches, point);
    }

    /// Switches of the constraints and locks of the plant of block `number`.
    pub fn switches(&mut self, number: usize, plant: &dyn ConvexPlant) -> &Switches {
        let ActiveRows { diagram, state, values, switches } = self;
        let values = values.get_or_insert_with(|| {
            let mut values = diagram.values();
            let is_switched = |(_, block, plant): (usize, &Block, &dyn ConvexPlant)| {
                plant.switch_inputs().iter().any(|&input| block.inputs[input].is_some())
            };
            values.hold(&state.discrete);
            if plants(diagram).any(is_switched) {
                diagram.evaluate_state(state, &mut values);
            }
            values
        });
        plant.switches(&diagram.context(number, state.time, &state.continuous, values), switches);
        switches
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
