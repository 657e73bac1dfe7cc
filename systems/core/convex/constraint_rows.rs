//! Rows of active constraints: the measured velocity, the violation, and the compliance.

use super::structure::StopCompliance;

/// The compliance of a constraint: a spring and a damper in parallel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compliance {
    /// Stiffness \[N/m, N m/rad\].
    pub stiffness: f64,
    /// Damping \[N s/m, N m s/rad\].
    pub damping: f64,
}

/// Dry friction along rows: a force up to a limit that resists motion at any speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RowFriction {
    /// A limit for each row by itself.
    Largest {
        /// The limits \[N, N m\].
        forces: [f64; 3],
        /// The rate at which friction reaches its limit \[m/s, rad/s\]; at least a tenth of the stiction tolerance.
        creep: f64,
    },
    /// Resistance of the contact points of both bodies with this normal to spinning about it (first row) and to rolling
    /// (the other rows together): their [`resistance`](super::ContactPoint::resistance) times the normal forces.
    OfContacts {
        /// Unit normal, in world.
        normal: [f64; 3],
    },
}

/// Range of the value that a row measures, with stops at its ends: beyond an end by x, a stop pushes back with
/// `stiffness x (1 + dissipation x')`, or with `stiffness x + damping x'` if it has a damping, and never pulls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowRange {
    /// Lower end \[m, rad\]; negative infinity: no stop.
    pub least: f64,
    /// Upper end \[m, rad\]; infinity: no stop.
    pub most: f64,
    /// The law of both stops.
    pub stop: StopCompliance,
}

impl RowRange {
    /// Distance of `x` from the range: negative below it, positive above, zero within.
    pub fn excess(&self, x: f64) -> f64 {
        (x - self.most).max(0.0) + (x - self.least).min(0.0)
    }
}

/// Distances of a value from both ends of its range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RangeGap {
    /// Distance from the lower and from the upper end \[m, rad\]; negative outside of the range.
    pub gaps: [f64; 2],
    /// Rate of the value \[m/s, rad/s\].
    pub rate: f64,
}

/// One to three rows of an active constraint at a state. A weld has two runs of rows: orientation, then point.
#[derive(Clone, Copy, Debug)]
pub struct ConstraintRows {
    /// Index of the constraint in [`PlantStructure::constraints`], or [`NO_CONSTRAINT`].
    pub constraint: usize,
    /// The velocity that the rows measure.
    pub measure: RowMeasure,
    /// Violation of the constraint \[rad, m\], in world axes; for a single row, the first number.
    pub violation: [f64; 3],
    /// Compliance of each row; `None`: rigid.
    pub compliance: Option<[Compliance; 3]>,
    /// True if the compliance is that of a material: it is kept however stiff it is. Any other compliance is made at
    /// most as stiff as a rigid row.
    pub material: bool,
    /// Dry friction along the rows, in place of a force that holds them.
    pub friction: Option<RowFriction>,
    /// Range of the single row, in place of a force that holds it; the violation is then the measured value.
    pub range: Option<RowRange>,
    /// How the coefficients of a row over velocities change with motion; `None`: they are constant.
    pub curve: Option<RowCurve>,
}

/// Curvature of a row over velocities: what it measures accelerates by `second (Σ coefficient v)²` while no velocity
/// changes. The entries are in [`PlantPoint::arms`](super::PlantPoint::arms).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowCurve {
    /// Second derivative of what the row measures by the sum.
    pub second: f64,
    /// Index of the first entry.
    pub first: usize,
    /// Number of entries.
    pub count: usize,
}

impl ConstraintRows {
    /// Elastic energy of the compliance \[J\]. That of a material is zero here: it is a part of the [energy of the
    /// plant](super::PlantDynamics::energy).
    pub fn stored_energy(&self) -> f64 {
        let laws = self.compliance.filter(|_| !self.material);
        let of_row = |(law, off): (Compliance, f64)| 0.5 * law.stiffness * off * off;
        laws.map_or(0.0, |laws| laws.into_iter().zip(self.violation).map(of_row).sum())
    }

    /// Norm of the violation of rigid rows \[rad, m\]; zero for rows that yield.
    pub fn is_off_by(&self) -> f64 {
        let yields = self.compliance.is_some() || self.friction.is_some() || self.range.is_some();
        if yields { 0.0 } else { self.violation.iter().map(|off| off * off).sum::<f64>().sqrt() }
    }
}

/// Normals of contact points of a pair that differ by less count as one normal for the resistance to rolling.
pub const MAX_NORMAL_DIFFERENCE: f64 = 1e-3;

/// Index of rows that belong to no constraint: those with dry friction, and those with a range.
pub const NO_CONSTRAINT: usize = usize::MAX;

/// The velocity that rows of a constraint measure. Points in world \[m\].
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
    /// A linear map of the velocity of the material point of B at C relative to that of A, plus a linear map of the
    /// angular velocity of B relative to A.
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
    /// A linear combination of velocities (indices in the plant, with coefficients); unused entries come last, with the
    /// coefficient zero.
    Coordinates([(usize, f64); MAX_COORDINATES]),
    /// A linear combination of any number of velocities: `count` entries of
    /// [`PlantPoint::arms`](super::PlantPoint::arms), from `first` on.
    Arms {
        /// Index of the first entry.
        first: usize,
        /// Number of entries.
        count: usize,
    },
}

/// Maximum number of velocities in a row of `Coordinates`.
pub const MAX_COORDINATES: usize = 4;
