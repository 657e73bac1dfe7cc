//! Violations at the start: joints beyond their stops, constraints that are not met, bodies inside one another.
//!
//! A run continues from there, but perhaps not as its author expects: violations return, whatever else happens. So they
//! are reported, by name and amount, together with the speed of the return.

use super::Simulation;
use super::energies::{ActiveRows, plants, size};
use kinegraph_core::ConvexPlant;
use kinegraph_core::convex::{Coordinate, PlantPoint, PlantStructure, RowMeasure};
use nalgebra::Vector3;
use std::collections::BTreeMap;
use std::fmt;

/// Smallest violation that is reported: numbers in files are rounded. An angle \[rad\], or a part of the size of a
/// plant.
const MIN_AMOUNT: f64 = 1e-5;
/// Depth, as a part of their reach, up to which bodies count as touching.
const TOUCHING: f64 = 1e-4;
/// Force in weights of the lighter body up to which a contact may be carrying something.
const CARRIES: f64 = 10.0;

/// A violation at the present state.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Violation {
    /// The plant.
    pub plant: String,
    /// Violated joint, constraint or contact.
    #[serde(flatten)]
    pub what: Violated,
    /// Amount of the violation.
    pub amount: f64,
    /// Unit of the amount: `m` or `rad`.
    pub unit: &'static str,
    /// Largest speed at which it returns \[m/s, rad/s\]: `correction_speed`, of contacts the inverse of their
    /// dissipation. `None`: as a spring does.
    pub speed: Option<f64>,
}

/// Violated joint, constraint or contact.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Violated {
    /// A joint is beyond a stop: its full name.
    Joint(String),
    /// A constraint is not met: its name.
    Constraint(String),
    /// Bodies are inside one another: their full names.
    Bodies([String; 2]),
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Violation { plant, what, amount, unit, speed } = self;
        // Small amounts must not read as none.
        let places = if *amount < 0.005 { 6 } else { 3 };
        match what {
            Violated::Joint(name) => {
                write!(f, "{plant}: joint {name} starts {amount:.places$} {unit} beyond its stop: ")?
            }
            Violated::Constraint(name) => {
                write!(f, "{plant}: constraint {name} starts off by {amount:.places$} {unit}: ")?
            }
            Violated::Bodies([a, b]) => {
                write!(f, "{plant}: {a} and {b} start {amount:.places$} {unit} inside each other: ")?
            }
        }
        match (what, speed) {
            (Violated::Bodies(_), Some(speed)) => {
                write!(f, "contact parts them at up to {speed:.3} m/s (1 / `dissipation`)")
            }
            (Violated::Bodies(_), None) => write!(f, "contact throws them apart, without `dissipation` at any speed"),
            (_, Some(speed)) => write!(f, "it is corrected at {speed:.3} {unit}/s (`correction_speed`)"),
            (_, None) => write!(f, "its stiffness pulls it back"),
        }
    }
}

impl Simulation {
    /// Present violations, the largest amount first. Before the first step, constraints that capture have done so.
    pub fn violations(&self) -> Vec<Violation> {
        // Capture is an event of the start. A copy is large where blocks are wide.
        let is_plain =
            |plant: &dyn ConvexPlant| plant.structure().constraints.is_empty() && plant.switch_inputs().is_empty();
        let mut started = None;
        if !self.state().started && !self.diagram().plants().all(|(_, plant)| is_plain(plant)) {
            let mut here = self.clone();
            if here.start().is_err() {
                // The first step shows the fault.
                return Vec::new();
            }
            started = Some(here);
        }
        let here = started.as_ref().unwrap_or(self);
        let (diagram, state) = (here.diagram(), here.state());
        let (mut found, mut rows) = (Vec::new(), ActiveRows::new(diagram, state));
        for (number, block, plant) in plants(diagram) {
            let (q, v) = state.continuous[block.state.clone()].split_at(plant.structure().num_positions);
            let mut point = PlantPoint::touching(plant, q, v);
            let switches = rows.switches(number, plant);
            plant.constraints(q, switches, &mut point);
            let locked = |velocity: usize| switches.locked.get(velocity) == Some(&true);
            let size = size(plant, &point);
            let mut add = |what, amount: f64, unit, speed| {
                if amount > MIN_AMOUNT * if unit == "m" { size } else { 1.0 } {
                    found.push(Violation { plant: block.name.clone(), what, amount, unit, speed });
                }
            };
            joints(plant.structure(), q, locked, &mut add);
            constraints(plant.structure(), &point, &mut add);
            bodies(plant, &point, &mut add);
        }
        found.sort_by(|a, b| b.amount.total_cmp(&a.amount));
        found
    }
}

/// Callback for a violation: its object, amount, unit, and speed of return.
type Add<'a> = dyn FnMut(Violated, f64, &'static str, Option<f64>) + 'a;

fn joints(structure: &PlantStructure, q: &[f64], locked: impl Fn(usize) -> bool, add: &mut Add<'_>) {
    for limit in structure.limits.iter().filter(|limit| !locked(limit.velocity)) {
        let at = q[limit.position];
        let name = structure.position_names[limit.position].trim_end_matches(".q").replacen('.', "/", 1);
        let speed = limit.compliance.is_none().then_some(structure.correction_speed);
        add(Violated::Joint(name), (limit.lower - at).max(at - limit.upper), unit(structure, limit.velocity), speed);
    }
}

fn constraints(structure: &PlantStructure, point: &PlantPoint, add: &mut Add<'_>) {
    // Bending is no violation.
    for rows in point.constraints.iter().filter(|rows| !rows.material) {
        let unit = match &rows.measure {
            RowMeasure::Orientation { .. } | RowMeasure::Turn { .. } => "rad",
            RowMeasure::Point { .. } | RowMeasure::Shift { .. } | RowMeasure::Distance { .. } => "m",
            RowMeasure::Arms { first, .. } => point.arms.get(*first).map_or("m", |(v, _)| unit(structure, *v)),
            RowMeasure::Coordinates([(velocity, _), ..]) => unit(structure, *velocity),
        };
        let Some(name) = structure.constraints.get(rows.constraint).map(|c| c.name.clone()) else { continue };
        let speed = rows.compliance.is_none().then_some(structure.correction_speed);
        add(Violated::Constraint(name), Vector3::from(rows.violation).norm(), unit, speed);
    }
}

fn bodies(plant: &dyn ConvexPlant, point: &PlantPoint, add: &mut Add<'_>) {
    /// All contacts of two bodies.
    #[derive(Default)]
    struct Pair {
        depth: f64,
        force: f64,
        dissipation: f64,
    }
    let mut pairs: BTreeMap<[usize; 2], Pair> = BTreeMap::new();
    for contact in point.contacts.iter().filter(|contact| contact.depth > 0.0) {
        let pair = pairs.entry([contact.body_a, contact.body_b]).or_default();
        pair.depth = pair.depth.max(contact.depth);
        pair.force += contact.stiffness * contact.depth;
        pair.dissipation = pair.dissipation.max(contact.dissipation);
    }
    let (bodies, reach) = (&plant.structure().bodies, plant.reach());
    let gravity = Vector3::from(plant.structure().gravity).norm();
    for ([a, b], pair) in pairs {
        let moving = [a, b].into_iter().filter(|body| bodies[*body].clique.is_some());
        let lightest = moving.map(|body| bodies[body].mass).fold(f64::INFINITY, f64::min);
        let size: f64 = [a, b].into_iter().map(|body| reach[body]).filter(|reach| reach.is_finite()).sum();
        if pair.depth > TOUCHING * size && pair.force > CARRIES * lightest * gravity {
            let speed = (pair.dissipation > 0.0).then_some(1.0 / pair.dissipation);
            add(Violated::Bodies([a, b].map(|body| bodies[body].name.clone())), pair.depth, "m", speed);
        }
    }
}

fn unit(structure: &PlantStructure, velocity: usize) -> &'static str {
    if structure.coordinates[velocity] == Coordinate::Length { "m" } else { "rad" }
}

/// Lists the largest violations, a line each, and the number of others.
pub fn listed(violations: &[Violation]) -> Vec<String> {
    const MAX_LISTED: usize = 8;
    let mut lines: Vec<String> = violations.iter().take(MAX_LISTED).map(ToString::to_string).collect();
    if violations.len() > MAX_LISTED {
        lines.push(format!("and {} more", violations.len() - MAX_LISTED));
    }
    lines
}
