//! Result of a fit of an arm.

use crate::fit::Undetermined;
use serde::Serialize;

/// A base parameter that was fitted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ArmNumber {
    /// Its leading parameter.
    pub name: String,
    /// The sum that is known: the leading parameter and those that act with it.
    pub sum: String,
    /// Its value \[kg, kg m, kg m²; friction and rotors in their units\].
    pub value: f64,
    /// Half the width of its interval of 95 %; `None` if the recording does not determine it.
    pub interval: Option<f64>,
    /// Its value by the file.
    pub file: f64,
}

/// Torques of a joint beside those that were recorded.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JointResidual {
    /// The joint.
    pub joint: String,
    /// Root of the mean square of the recorded torque.
    pub torque: f64,
    /// Root of the mean square of the differences of the file from it.
    pub file: f64,
    /// Root of the mean square of the differences of the base parameters from it.
    pub fitted: f64,
    /// Root of the mean square of the differences of the links with possible masses from it.
    pub possible: f64,
}

/// A link with a mass and an inertia that are possible.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PossibleLink {
    /// Its name, `model/link`.
    pub name: String,
    /// Mass \[kg\].
    pub mass: f64,
    /// Centre of mass in the frame of the link \[m\].
    pub com: [f64; 3],
    /// Inertia about the centre of mass: xx, yy, zz, xy, xz, yz \[kg m²\].
    pub inertia: [f64; 6],
}

/// A joint with friction and rotor that are not negative.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PossibleJoint {
    /// Its name, `model/joint`.
    pub name: String,
    /// Viscous damping, if it was fitted.
    pub damping: Option<f64>,
    /// Dry friction, if it was fitted.
    pub friction: Option<f64>,
    /// Rotor inertia, if it was fitted.
    pub armature: Option<f64>,
}

/// Result of a fit of an arm.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ArmReport {
    /// The model.
    pub model: String,
    /// The base parameters.
    pub parameters: Vec<ArmNumber>,
    /// Parameters on which no torque depends.
    pub idle: Vec<String>,
    /// Directions of the base parameters that the recording does not determine, in their units.
    pub undetermined: Vec<Undetermined>,
    /// The joints.
    pub joints: Vec<JointResidual>,
    /// Number of samples.
    pub samples: usize,
    /// Samples over which derivatives were taken; `None` if they were recorded.
    pub window: Option<usize>,
    /// True if some links with possible masses have base parameters that the recording does not distinguish from those
    /// found.
    pub is_possible: bool,
    /// Links with possible masses that are nearest.
    pub links: Vec<PossibleLink>,
    /// Joints with friction and rotors that are nearest.
    pub joint_values: Vec<PossibleJoint>,
    /// Other observations.
    pub notes: Vec<String>,
}

impl ArmReport {
    /// Directions that the recording does not determine, in words.
    pub fn open(&self) -> Vec<String> {
        let words = |one: &Undetermined| match one.parts.as_slice() {
            [(name, _)] => format!("no recorded torque depends on {name}"),
            parts => {
                let terms: Vec<String> = parts.iter().map(|(name, part)| format!("{part:+.3} {name}")).collect();
                format!("a change by {} changes no recorded torque", terms.join(" "))
            }
        };
        self.undetermined.iter().map(words).collect()
    }
}
