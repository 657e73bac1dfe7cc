//! Quantities of the numbers in model files, and thereby their ranges ([`sizes`]). The table here is that of URDF and
//! SDFormat; MJCF has the units in its schema.
//!
//! Numbers that are not in this table have no unit, or one that depends on others (gains, coefficients): they have the
//! range of numbers without a unit. Results are divided by shapes, masses, moments, densities and times, or they are
//! the size of something: none may be smaller than the least of its range. Everything else may be as near to zero as
//! files write it (1e-17 where a program has rounded), since only differences matter.

use kinegraph_core::sizes::{self, LARGEST_USUAL_ANGLE, OutOfRange, SizeRange, in_turns, plain};
use kinegraph_multibody::{Joint, JointKind};
use std::collections::HashMap;
use std::sync::LazyLock;

/// The text of an element, or its attribute `value`.
pub const VALUE: &str = "value";

/// Treatment of numbers near zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Least {
    /// Refused: so small a thing does not exist.
    Refused,
    /// Accepted as zero.
    Any,
}
use Least::{Any, Refused};

/// Elements, attributes of each, their possible units, and the treatment of numbers near zero.
type Row = (&'static str, &'static str, &'static str, Least);

/// URDF and SDFormat, including the elements of Drake, whose names end in these words.
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

/// The quantity of a number.
#[derive(Debug)]
pub struct Quantity {
    ranges: Vec<&'static SizeRange>,
    least: Least,
}

static PLAIN: LazyLock<Quantity> = LazyLock::new(|| Quantity { ranges: vec![plain()], least: Any });

/// Orientations by more than this, in radians, are likely to be in degrees.
const LARGEST_USUAL_TURN: f64 = 7.0;

/// Quantities by attribute and element.
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
    /// Quantity of one of these units; small ones are refused, or as good as zero.
    pub fn new(units: &str, least: Least) -> Self {
        Quantity { ranges: sizes::of_units(units).unwrap_or_else(|| vec![plain()]), least }
    }

    /// Number without a unit.
    pub fn plain() -> &'static Quantity {
        &PLAIN
    }

    /// Quantity of an attribute of a URDF or SDFormat element, or of its text ([`VALUE`]).
    pub fn of_tree(element: &str, attribute: &str) -> &'static Quantity {
        let element = element.rsplit_once(':').map_or(element, |(_, name)| name);
        // For names like `bushing_force_damping` the end counts.
        let kinds = ["bushing_", "linear_spring_damper_", "distance_constraint_", "ball_constraint_"];
        let element = kinds.iter().find_map(|kind| element.strip_prefix(kind)).unwrap_or(element);
        find(&OF_TREES, element, attribute)
    }

    /// Quantity of the largest coordinate of a mesh.
    pub fn of_vertices() -> &'static Quantity {
        find(&OF_TREES, "size", VALUE)
    }

    /// Checks that a finite number lies in its range.
    pub fn check(&self, x: f64) -> Result<(), OutOfRange> {
        sizes::check(&self.ranges, x).or_else(|out| match out {
            OutOfRange::TooSmall(_) if self.least == Any => Ok(()),
            out => Err(out),
        })
    }

    /// Describes a number that is valid but likely to be a mistake; `None` for a usual one.
    pub fn strange(&self, x: f64) -> Option<String> {
        match self.least {
            Refused => sizes::strange(&self.ranges, x),
            Any => sizes::strangely_large(&self.ranges, x),
        }
    }
}

/// Describes an orientation in radians that is likely to be in degrees; otherwise `None`.
pub fn strange_orientation(rpy: [f64; 3]) -> Option<String> {
    rpy.into_iter().find(|x| x.abs() > LARGEST_USUAL_TURN).map(angle)
}

/// Describes limits of a hinge \[rad\] that are likely to be in degrees; `None` for usual ones and for other joints.
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
