//! Constraints of a plant, as their author states them.

use super::bushing::BushingLaw;
use kinegraph_core::convex::Compliance;
use nalgebra::Isometry3;

/// A frame on a link, or in the world.
#[derive(Clone, Debug, PartialEq)]
pub struct Attachment {
    /// Full name of the link, `model/link`, or `world`.
    pub link: String,
    /// Pose of the frame in the link's frame.
    pub X_BF: Isometry3<f64>,
}

impl Attachment {
    /// A frame on a link.
    pub fn new(link: impl Into<String>, X_BF: Isometry3<f64>) -> Self {
        Attachment { link: link.into(), X_BF }
    }

    /// A point of a link, the axes of the frame along the link's.
    pub fn at(link: impl Into<String>, p_BF: [f64; 3]) -> Self {
        Attachment::new(link, Isometry3::translation(p_BF[0], p_BF[1], p_BF[2]))
    }

    /// A frame in the world.
    pub fn world(X_WF: Isometry3<f64>) -> Self {
        Attachment::new("world", X_WF)
    }
}

/// Law of a constraint. A `None` compliance is rigid.
#[derive(Clone, Debug, PartialEq)]
pub enum ConstraintLaw {
    /// Frame b coincides with frame a.
    Weld {
        /// Frame on the first link.
        a: Attachment,
        /// Frame on the second link.
        b: Attachment,
        /// Compliance of position.
        linear: Option<Compliance>,
        /// Compliance of orientation.
        angular: Option<Compliance>,
    },
    /// Springs and dampers between frames a and b, along and about each axis of frame a.
    Bushing {
        /// Frame on the first link.
        a: Attachment,
        /// Frame on the second link.
        b: Attachment,
        /// Its springs and dampers.
        law: BushingLaw,
    },
    /// The origin of frame b coincides with that of frame a.
    Ball {
        /// Frame on the first link.
        a: Attachment,
        /// Frame on the second link.
        b: Attachment,
        /// Its compliance.
        compliance: Option<Compliance>,
    },
    /// The origins of both frames keep a distance.
    Distance {
        /// Frame on the first link.
        a: Attachment,
        /// Frame on the second link.
        b: Attachment,
        /// The distance \[m\].
        length: f64,
        /// Its compliance.
        compliance: Option<Compliance>,
    },
    /// `q_first - ratio q_second = offset` of two single-axis joints, of one model or two.
    Coupler {
        /// Full names of the joints.
        joints: [String; 2],
        /// Motion of the first joint per motion of the second.
        ratio: f64,
        /// Position of the first joint with the second at zero \[rad, m\].
        offset: f64,
        /// Its compliance.
        compliance: Option<Compliance>,
    },
    /// `Σ coefficient q = offset` of any number of single-axis joints, such as the three shafts of a differential. Its
    /// force along the sum acts on each joint times the coefficient of that joint.
    Sum {
        /// Full names of the joints with their coefficients, none of which is zero.
        joints: Vec<(String, f64)>,
        /// Value of the sum; its unit is that of a coefficient times a position.
        offset: f64,
        /// Compliance along the sum.
        compliance: Option<Compliance>,
    },
    /// `q_first = Σ cᵢ q_secondⁱ` of two single-axis joints, such as a cam and its follower.
    Polynomial {
        /// Full names of the joints.
        joints: [String; 2],
        /// c₀ to c₄.
        coefficients: [f64; 5],
        /// Its compliance.
        compliance: Option<Compliance>,
    },
}

/// A constraint of a plant. Its input port `constraints.NAME.active` switches it while the diagram runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraint {
    /// Name, unique in the plant.
    pub name: String,
    /// Its law.
    pub law: ConstraintLaw,
    /// True if it is active while the input is not connected.
    pub active: bool,
    /// True if its target is the value at the moment it is switched on (the relative pose, point, distance or offset),
    /// not the one that `law` states.
    pub capture: bool,
}

impl Constraint {
    /// A constraint that is active unless its input switches it off.
    pub fn new(name: impl Into<String>, law: ConstraintLaw) -> Self {
        Constraint { name: name.into(), law, active: true, capture: false }
    }

    /// A rigid weld of two frames.
    pub fn weld(name: impl Into<String>, a: Attachment, b: Attachment) -> Self {
        Self::new(name, ConstraintLaw::Weld { a, b, linear: None, angular: None })
    }

    /// Six springs and dampers between two frames.
    pub fn bushing(name: impl Into<String>, a: Attachment, b: Attachment, law: BushingLaw) -> Self {
        Self::new(name, ConstraintLaw::Bushing { a, b, law })
    }

    /// A rigid ball joint between the origins of two frames.
    pub fn ball(name: impl Into<String>, a: Attachment, b: Attachment) -> Self {
        Self::new(name, ConstraintLaw::Ball { a, b, compliance: None })
    }

    /// A rigid rod of the given length \[m\] between the origins of two frames.
    pub fn distance(name: impl Into<String>, a: Attachment, b: Attachment, length: f64) -> Self {
        Self::new(name, ConstraintLaw::Distance { a, b, length, compliance: None })
    }

    /// `q_first - ratio q_second = offset`.
    pub fn coupler(name: impl Into<String>, joints: [&str; 2], ratio: f64, offset: f64) -> Self {
        let joints = joints.map(String::from);
        Self::new(name, ConstraintLaw::Coupler { joints, ratio, offset, compliance: None })
    }

    /// `Σ coefficient q = offset` of any number of joints.
    pub fn sum(name: impl Into<String>, joints: &[(&str, f64)], offset: f64) -> Self {
        let joints = joints.iter().map(|(joint, coefficient)| ((*joint).into(), *coefficient)).collect();
        Self::new(name, ConstraintLaw::Sum { joints, offset, compliance: None })
    }

    /// `q_first = Σ cᵢ q_secondⁱ`.
    pub fn polynomial(name: impl Into<String>, joints: [&str; 2], coefficients: [f64; 5]) -> Self {
        let joints = joints.map(String::from);
        Self::new(name, ConstraintLaw::Polynomial { joints, coefficients, compliance: None })
    }

    /// Adds a spring and a damper; for a weld and a bushing, to its position.
    pub fn compliant(mut self, stiffness: f64, damping: f64) -> Self {
        match &mut self.law {
            ConstraintLaw::Weld { linear: compliance, .. }
            | ConstraintLaw::Ball { compliance, .. }
            | ConstraintLaw::Distance { compliance, .. }
            | ConstraintLaw::Coupler { compliance, .. }
            | ConstraintLaw::Sum { compliance, .. }
            | ConstraintLaw::Polynomial { compliance, .. } => *compliance = Some(Compliance { stiffness, damping }),
            ConstraintLaw::Bushing { law, .. } => law.linear = [Compliance { stiffness, damping }; 3],
        }
        self
    }

    /// Adds a torsional spring and damper \[N m/rad, N m s/rad\] to a weld; other constraints have no orientation.
    pub fn compliant_rotation(mut self, stiffness: f64, damping: f64) -> Self {
        if let ConstraintLaw::Weld { angular, .. } = &mut self.law {
            *angular = Some(Compliance { stiffness, damping });
        }
        self
    }

    /// Makes the constraint inactive while its input is not connected.
    pub fn inactive(self) -> Self {
        Constraint { active: false, ..self }
    }

    /// Makes the constraint hold the value at the moment it is switched on.
    pub fn capturing(self) -> Self {
        Constraint { capture: true, ..self }
    }
}
