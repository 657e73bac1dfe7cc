//! Report of contacts and of what holds at an operating point.

use super::rows::{Item, Rows};
use crate::integrators::contact::ForcesAt;
use kinegraph_convex::contact::ContactRow;
use nalgebra::{DVector, Vector3};

/// Kind of what acts or holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HeldKind {
    /// Two bodies in contact that stick.
    Sticks,
    /// Two bodies in contact that slide.
    Slides,
    /// A rigid constraint.
    Constraint,
    /// A joint at its stop.
    Stop,
    /// A locked joint.
    Lock,
}

impl HeldKind {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            HeldKind::Sticks => "sticks",
            HeldKind::Slides => "slides",
            HeldKind::Constraint => "constraint",
            HeldKind::Stop => "stop",
            HeldKind::Lock => "lock",
        }
    }
}

/// Two bodies in contact, or something else that holds, at an operating point.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct HeldPart {
    /// The plant.
    pub plant: String,
    /// Names: both bodies, or the constraint or joint.
    pub names: Vec<String>,
    /// Kind of it.
    pub kind: HeldKind,
    /// Number of contact points; zero of anything else.
    pub points: usize,
    /// Normal force, or the size of the force or torque \[N, N m\].
    pub force: f64,
    /// Friction \[N\].
    pub friction: f64,
    /// Speed of sliding \[m/s\].
    pub slip: f64,
    /// Part of the friction that the normal force allows which is left: 1 without friction, 0 at the onset of sliding,
    /// negative beyond. `None` of what does not stick.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin: Option<f64>,
}

/// A contact point with its force on B, and whether it sticks.
type Loaded<'a> = (&'a ContactRow, Vector3<f64>, bool);

/// The parts that hold, with the forces of their rows.
pub(in crate::state_space) fn parts(at: &ForcesAt, items: &[Item], all: &Rows, forces: &DVector<f64>) -> Vec<HeldPart> {
    let problem = at.problem();
    let mut found = Vec::new();
    let mut first = 0;
    for group in problem.constraints.rows.iter().filter(|g| g.compliance.is_none() && !g.acts_otherwise()) {
        let force = forces.rows(first, group.count).norm();
        first += group.count;
        let Some(name) = group.name() else { continue };
        let Some((plant, structure)) = plant_of_body(at, name.plant) else { continue };
        let Some(constraint) = structure.constraints.get(name.constraint) else { continue };
        let part = HeldPart { force, ..named(plant, vec![constraint.name.clone()], HeldKind::Constraint) };
        add(&mut found, part);
    }
    for item in items {
        let (velocity, kind) = match item {
            Item::Stop { velocity, .. } => (*velocity, HeldKind::Stop),
            Item::Lock(velocity) => (*velocity, HeldKind::Lock),
            Item::Point { sticks, .. } => {
                first += if *sticks { 3 } else { 1 };
                continue;
            }
        };
        let force = forces[first].abs();
        first += 1;
        for slot in at.layout().plants.iter().filter(|slot| slot.global.contains(&velocity)) {
            let structure = at.layout().plant(at.diagram(), slot).structure();
            let name = structure.velocity_names[velocity - slot.global.start].clone();
            let name = name.strip_suffix(".v").unwrap_or(&name).to_owned();
            found.push(HeldPart { force, ..named(slot.name.to_string(), vec![name], kind) });
        }
    }
    let loaded: Vec<Loaded<'_>> = all
        .points
        .iter()
        .map(|(item, first, point)| match items[*item] {
            Item::Point { sticks: true, .. } => (point, forces.fixed_rows::<3>(*first).into_owned(), true),
            _ => (point, (point.normal + super::rows::friction(point)) * forces[*first], false),
        })
        .collect();
    found.extend(touching(at, &loaded));
    found
}

/// Contacts with the forces of their laws at the last evaluation; what slips by no more than `sticks` regularization
/// velocities sticks.
pub(in crate::state_space) fn by_laws(at: &ForcesAt, sticks: f64) -> Vec<HeldPart> {
    let points = &at.problem().contacts.points;
    let loaded: Vec<Loaded<'_>> = points
        .iter()
        .filter(|point| point.depth > 0.0)
        .map(|point| {
            let is_slow = point.start.slip0.norm() <= sticks * point.start.slip_tolerance;
            (point, point.explicit_force(0.0), is_slow)
        })
        .collect();
    touching(at, &loaded)
}

/// Contact points by pairs of bodies and by whether they stick.
fn touching(at: &ForcesAt, loaded: &[Loaded<'_>]) -> Vec<HeldPart> {
    let mut pairs: Vec<(usize, usize, bool)> =
        loaded.iter().map(|(p, _, sticks)| (p.body_a, p.body_b, *sticks)).collect();
    pairs.dedup();
    let mut found = Vec::new();
    for (k, &(a, b, sticks)) in pairs.iter().enumerate() {
        if pairs[..k].contains(&(a, b, sticks)) {
            continue;
        }
        let own: Vec<&Loaded<'_>> =
            loaded.iter().filter(|(p, _, s)| (p.body_a, p.body_b, *s) == (a, b, sticks)).collect();
        let normal: f64 = own.iter().map(|(p, force, _)| p.normal.dot(force)).sum();
        let allowed: f64 = own.iter().map(|(p, f, _)| p.material.static_friction * p.normal.dot(f).max(0.0)).sum();
        let along: Vector3<f64> = own.iter().map(|(p, f, _)| f - p.normal * p.normal.dot(f)).sum();
        let slip = own.iter().map(|(p, ..)| p.start.slip0.norm()).fold(0.0, f64::max);
        let Some((plant, structure)) = plant_of_body(at, a) else { continue };
        let Some(offset) = first_body(at, a) else { continue };
        let name = |body: usize| structure.bodies[body - offset].name.clone();
        let kind = if sticks { HeldKind::Sticks } else { HeldKind::Slides };
        let margin = (sticks && allowed > 0.0).then(|| 1.0 - along.norm() / allowed);
        found.push(HeldPart {
            points: own.len(),
            force: normal,
            friction: along.norm(),
            slip,
            margin,
            ..named(plant, vec![name(a), name(b)], kind)
        });
    }
    found
}

fn named(plant: String, names: Vec<String>, kind: HeldKind) -> HeldPart {
    HeldPart { plant, names, kind, points: 0, force: 0.0, friction: 0.0, slip: 0.0, margin: None }
}

/// Adds a part, or joins it to that of the same name.
fn add(found: &mut Vec<HeldPart>, part: HeldPart) {
    match found.iter_mut().find(|known| known.plant == part.plant && known.names == part.names) {
        Some(known) => known.force = known.force.hypot(part.force),
        None => found.push(part),
    }
}

/// The plant of a body, by the numbers of the problem, and its structure.
fn plant_of_body(at: &ForcesAt, body: usize) -> Option<(String, &kinegraph_core::convex::PlantStructure)> {
    let mut offset = 0;
    for slot in &at.layout().plants {
        let structure = at.layout().plant(at.diagram(), slot).structure();
        offset += structure.bodies.len();
        if body < offset {
            return Some((slot.name.to_string(), structure));
        }
    }
    None
}

/// First body of the plant of a body.
fn first_body(at: &ForcesAt, body: usize) -> Option<usize> {
    let mut offset = 0;
    for slot in &at.layout().plants {
        let count = at.layout().plant(at.diagram(), slot).structure().bodies.len();
        if body < offset + count {
            return Some(offset);
        }
        offset += count;
    }
    None
}
