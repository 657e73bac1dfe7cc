//! Rows of active constraints: what they measure, how far from met they are, and their compliance.

use super::structure::StopCompliance;

/// The compliance of a constraint: a spring and a damper in parallel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compliance {
    /// \[N/m, N m/rad\].
    pub stiffness: f64,
    /// \[N s/m, N m s/rad\].
    pub damping: f64,
}

/// Dry friction along rows: what resists motion along them with a force of at most so much, whatever its speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RowFriction {
    /// Along each row by itself.
    Largest {
        /// \[N, N m\]
        forces: [f64; 3],
        /// The rate at which they have that size \[m/s, rad/s\]; at least a tenth of the stiction tolerance is taken.
        creep: f64,
    },
    /// What the contact points of both bodies with this normal resist spinning about it (first row) and rolling (the
    /// others together) with: their [`resistance`](super::ContactPoint::resistance) times the forces along it.
    OfContacts {
        /// Unit normal, in world.
        normal: [f64; 3],
    },
}

/// A range of what one row measures, with stops at its ends: beyond it by x, they push back with
/// `stiffness x (1 + dissipation x')`, or with `stiffness x + damping x'` where there is a damping, and never pull.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowRange {
    /// The least value \[m, rad\]; negative infinity: there is no stop there.
    pub least: f64,
    /// The largest value \[m, rad\]; infinity: there is no stop there.
    pub most: f64,
    /// The law of both stops.
    pub stop: StopCompliance,
}

impl RowRange {
    /// How far `x` is outside of the range: negative below it, zero within.
    pub fn excess(&self, x: f64) -> f64 {
        (x - self.most).max(0.0) + (x - self.least).min(0.0)
    }
}

/// How far what a range is of is from both of its ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RangeGap {
    /// From the least, and from the largest value \[m, rad\]; negative beyond.
    pub gaps: [f64; 2],
    /// How fast the value grows \[m/s, rad/s\].
    pub rate: f64,
}

/// One to three rows of an active constraint at a state. A weld has two runs of rows: orientation, then point.
#[derive(Clone, Copy, Debug)]
pub struct ConstraintRows {
    /// Index of the constraint in [`PlantStructure::constraints`], or [`NO_CONSTRAINT`].
    pub constraint: usize,
    /// What the rows measure.
    pub measure: RowMeasure,
    /// How far the constraint is from being met \[rad, m\], in world axes; of a single row, the first number.
    pub violation: [f64; 3],
    /// Of each row; `None`: rigid.
    pub compliance: Option<[Compliance; 3]>,
    /// Whether the compliance is that of a material: it holds however stiff it is. What else is compliant is no
    /// stiffer than what is rigid.
    pub material: bool,
    /// Dry friction along them, in the place of anything that holds them.
    pub friction: Option<RowFriction>,
    /// The range of the one row, in the place of anything that holds it: then its violation is what it measures.
    pub range: Option<RowRange>,
}

impl ConstraintRows {
    /// The energy that a compliance holds \[J\]. That of a material is a part of the
    /// [energy of the plant](super::PlantDynamics::energy).
    pub fn stored_energy(&self) -> f64 {
        let laws = self.compliance.filter(|_| !self.material);
        let of_row = |(law, off): (Compliance, f64)| 0.5 * law.stiffness * off * off;
        laws.map_or(0.0, |laws| laws.into_iter().zip(self.violation).map(of_row).sum())
    }

    /// How far rigid rows are from being met \[rad, m\]; zero of rows that yield.
    pub fn is_off_by(&self) -> f64 {
        let yields = self.compliance.is_some() || self.friction.is_some() || self.range.is_some();
        if yields { 0.0 } else { self.violation.iter().map(|off| off * off).sum::<f64>().sqrt() }
    }
}

/// Normals of contact points of a pair that differ by less are one, where the points resist rolling together.
pub const MAX_NORMAL_DIFFERENCE: f64 = 1e-3;

/// The index of rows that are of no constraint: those with dry friction, and those with a range.
pub const NO_CONSTRAINT: usize = usize::MAX;

/// What rows of a constraint measure. Points in world \[m\].
#[derive(Clone, Copy, Debug)]
pub enum RowMeasure {
    /// The angular velocity of B relative to A.
    Orientation {
        /// The first body.
        body_a: usize,
        /// The second body.
        body_b: usize,
    },
    /// The velocity of the material point of B at C relative to that of A.
    Point {
        /// The first body.
        body_a: usize,
        /// The second body.
        body_b: usize,
        /// The point C.
        p_WC: [f64; 3],
    },
    /// A linear map of the angular velocity of B relative to A.
    Turn {
        /// The first body.
        body_a: usize,
        /// The second body.
        body_b: usize,
        /// The map, column by column.
        axes: [[f64; 3]; 3],
    },
    /// A linear map of the velocity of the material point of B at C relative to that of A, and one of the angular
    /// velocity of B relative to A.
    Shift {
        /// The first body.
        body_a: usize,
        /// The second body.
        body_b: usize,
        /// The point C.
        p_WC: [f64; 3],
        /// The map, column by column.
        axes: [[f64; 3]; 3],
        /// The map of the angular velocity, column by column.
        turn: [[f64; 3]; 3],
    },
    /// The rate of the distance from point P of A to point Q of B.
    Distance {
        /// The first body.
        body_a: usize,
        /// The second body.
        body_b: usize,
        /// The point of A.
        p_WP: [f64; 3],
        /// The point of B.
        p_WQ: [f64; 3],
        /// Unit vector from P to Q, in world.
        direction: [f64; 3],
    },
    /// A sum of velocities (indices in the plant) with coefficients; unused entries come last, with the coefficient
    /// zero.
    Coordinates([(usize, f64); MAX_COORDINATES]),
    /// The same of any number of them: so many of [`PlantPoint::arms`](super::PlantPoint::arms), from the first on.
    Arms {
        /// The first.
        first: usize,
        /// How many.
        count: usize,
    },
}

/// How many velocities a row may sum.
pub const MAX_COORDINATES: usize = 4;
