//! What the numbers of model files stand for, and so how large and how small they may be ([`sizes`]). The table here is
//! that of URDF and SDFormat; MJCF has the units in its schema.
//!
//! Numbers that are not in this table have no unit, or one that depends on others (gains, coefficients): they may be as
//! large as numbers without a unit. Shapes, masses, moments, densities and times are divided by, or are what something
//! consists of: nothing is smaller than the least of them. Everything else may be as near to zero as files write it
//! (1e-17 where a program has rounded), since only its distance from something else counts.

use kinegraph_core::sizes::{self, LARGEST_USUAL_ANGLE, OutOfRange, SizeRange, in_turns, plain};
use kinegraph_multibody::{Joint, JointKind};
use std::collections::HashMap;
use std::sync::LazyLock;

/// The text of an element, or its attribute `value`.
pub const VALUE: &str = "value";

/// Whether numbers near to zero are refused.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Least {
    /// What is too small does not exist.
    Refused,
    /// It is as good as zero.
    Any,
}
use Least::{Any, Refused};

/// Elements, attributes of each, the units that they may have, and whether too small ones are refused.
type Row = (&'static str, &'static str, &'static str, Least);

/// URDF and SDFormat, with the elements of Drake, whose names end in these words.
pub const TREES: [Row; 31] = [
    ("origin frame", "xyz", "m", Any),
    ("origin frame", "rpy", "rad", Any),
    // Places and angles.
    ("pose", VALUE, "m", Any),
    ("mass", VALUE, "kg", Refused),
    ("inertia", "ixx iyy izz", "kg m²", Refused),
    ("inertia", "ixy ixz iyz", "kg m²", Any),
    ("ixx iyy izz", VALUE, "kg m²", Refused),
    ("ixy ixz iyz", VALUE, "kg m²", Any),
    ("box", "size", "m", Refused),
    ("sphere cylinder capsule cone", "radius length", "m", Refused),
    ("ellipsoid", "a b c", "m", Refused),
    ("size radii radius length", VALUE, "m", Refused),
    ("dynamics", "damping", "N s/m, N m s/rad", Any),
    ("dynamics", "friction", "N, N m", Any),
    ("damping force_damping torque_damping", VALUE, "N s/m, N m s/rad", Any),
    ("friction", VALUE, "N, N m", Any),
    ("spring_stiffness stiffness force_stiffness torque_stiffness", VALUE, "N/m, N m/rad", Any),
    ("spring_reference offset reference", VALUE, "m, rad", Any),
    ("mimic", "offset", "m, rad", Any),
    ("screw_thread_pitch", VALUE, "m", Any),
    ("rotor_inertia", VALUE, "kg, kg m²", Any),
    ("controller_gains", "p", "N/m, N m/rad", Any),
    ("controller_gains", "d", "N s/m, N m s/rad", Any),
    ("p_AP p_BQ", VALUE, "m", Any),
    ("free_length distance", VALUE, "m", Refused),
    ("hydroelastic_modulus", VALUE, "Pa", Refused),
    ("mesh_resolution_hint half_space_slab_thickness", VALUE, "m", Refused),
    ("hydroelastic_margin", VALUE, "m", Any),
    ("point_contact_stiffness", VALUE, "N/m", Refused),
    ("hunt_crossley_dissipation", VALUE, "s/m", Any),
    ("gravity", VALUE, "m/s²", Any),
];

/// What a number stands for.
#[derive(Debug)]
pub struct Quantity {
    ranges: Vec<&'static SizeRange>,
    least: Least,
}

static PLAIN: LazyLock<Quantity> = LazyLock::new(|| Quantity { ranges: vec![plain()], least: Any });

/// Orientations of more than so many radians are likely to be degrees.
const LARGEST_USUAL_TURN: f64 = 7.0;

/// By attribute and element.
type Table = HashMap<&'static str, HashMap<&'static str, Quantity>>;
static OF_TREES: LazyLock<Table> = LazyLock::new(|| table(&TREES));

fn table(rows: &[Row]) -> Table {
    let mut table = Table::new();
    for (elements, attributes, units, least) in rows {
        for element in elements.split_whitespace() {
            for attribute in attributes.split_whitespace() {
                table.entry(attribute).or_default().insert(element, Quantity::new(units, *least));
            }
        }
    }
    table
}

impl Quantity {
    /// A quantity of one of these units; small ones are refused, or as good as zero.
    pub fn new(units: &str, least: Least) -> Self {
        Quantity { ranges: sizes::of_units(units).unwrap_or_else(|| vec![plain()]), least }
    }

    /// A number without a unit.
    pub fn plain() -> &'static Quantity {
        &PLAIN
    }

    /// Of an attribute of a URDF or SDFormat element, or of its text ([`VALUE`]).
    pub fn of_tree(element: &str, attribute: &str) -> &'static Quantity {
        let element = element.rsplit_once(':').map_or(element, |(_, name)| name);
        // Of `bushing_force_damping` the end counts.
        let kinds = ["bushing_", "linear_spring_damper_", "distance_constraint_", "ball_constraint_"];
        let element = kinds.iter().find_map(|kind| element.strip_prefix(kind)).unwrap_or(element);
        find(&OF_TREES, element, attribute)
    }

    /// Of the largest coordinate of a mesh.
    pub fn of_vertices() -> &'static Quantity {
        find(&OF_TREES, "size", VALUE)
    }

    /// Whether a finite number lies in its range.
    pub fn check(&self, x: f64) -> Result<(), OutOfRange> {
        sizes::check(&self.ranges, x).or_else(|out| match out {
            OutOfRange::TooSmall(_) if self.least == Any => Ok(()),
            out => Err(out),
        })
    }

    /// What is strange about a number that does, if anything, in words.
    pub fn strange(&self, x: f64) -> Option<String> {
        match self.least {
            Refused => sizes::strange(&self.ranges, x),
            Any => sizes::strangely_large(&self.ranges, x),
        }
    }
}

/// A doubt about the angles of an orientation that are in radians, in words.
pub fn strange_orientation(rpy: [f64; 3]) -> Option<String> {
    rpy.into_iter().find(|x| x.abs() > LARGEST_USUAL_TURN).map(angle)
}

/// A doubt about the limits of a hinge \[rad\], in words; none about those of other joints.
pub fn strange_limits(joint: &Joint) -> Option<String> {
    let is_strange = |x: &f64| x.is_finite() && x.abs() > LARGEST_USUAL_ANGLE;
    let limits = (joint.kind == JointKind::Revolute).then_some([joint.limits.0, joint.limits.1]);
    limits.into_iter().flatten().find(is_strange).map(angle)
}

fn angle(x: f64) -> String {
    let degrees = (x.to_radians() * 1e4).round() / 1e4;
    format!("{}; angles are in radians here, {x} degrees are {degrees}: is the unit meant?", in_turns(x))
}

fn find(table: &'static Table, element: &str, attribute: &str) -> &'static Quantity {
    table.get(attribute).and_then(|elements| elements.get(element)).unwrap_or(&PLAIN)
}
