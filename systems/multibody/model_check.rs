//! Checks of the numbers of a model: mass properties and joint data.

use super::assembly_error::{AssemblyError, AssemblyWarning};
use super::model::{Inertia, Joint, JointKind, Link, Model};
use super::rigid_links::{impossible_links, moment_noise, principal_moments};
use kinegraph_core::names::nearest;
use nalgebra::{Isometry3, Vector3};

/// Treatment of mass properties that no body has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InertiaCheck {
    /// Rigid bodies (links welded together) of negative mass or with negative principal moments, and joints that move
    /// nothing, are errors.
    #[default]
    Strict,
    /// Such faults are warnings, and the numbers are used as they stand.
    Lenient,
}

/// Faults and warnings of the checks.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub check: InertiaCheck,
    pub errors: Vec<AssemblyError>,
    pub warnings: Vec<AssemblyWarning>,
}

impl Findings {
    /// Reports a fault of mass properties, as an error or a warning by the mode of the check.
    pub fn inertia_fault(&mut self, error: AssemblyError) {
        match self.check {
            InertiaCheck::Strict => self.errors.push(error),
            InertiaCheck::Lenient => self.warnings.push(AssemblyWarning::Accepted(error)),
        }
    }

    fn finite<'a>(&mut self, owner: &str, quantity: &'static str, values: impl IntoIterator<Item = &'a f64>) -> bool {
        let finite = values.into_iter().all(|x| x.is_finite());
        if !finite {
            self.errors.push(AssemblyError::NotFinite { owner: owner.into(), quantity });
        }
        finite
    }

    /// True if all numbers of a pose are finite; reports a fault otherwise.
    pub fn finite_pose(&mut self, owner: &str, quantity: &'static str, X: &Isometry3<f64>) -> bool {
        self.finite(owner, quantity, X.translation.vector.iter().chain(X.rotation.coords.iter()))
    }

    /// True if all numbers of a vector are finite; reports a fault otherwise.
    pub fn finite_vector(&mut self, owner: &str, quantity: &'static str, v: &Vector3<f64>) -> bool {
        self.finite(owner, quantity, v.iter())
    }
}

/// Noise of moments of inertia, relative to the largest principal moment: files carry rounding in place of zeros.
const NOISE: f64 = 1e-9;

/// Checks all links and joints of a model.
pub(crate) fn check_model(name: &str, model: &Model, findings: &mut Findings) {
    let impossible = impossible_links(model, NOISE);
    for (l, link) in model.links.iter().enumerate() {
        check_link(name, link, impossible.contains(&l), findings);
    }
    for joint in &model.joints {
        check_joint(name, joint, findings);
        let Some(mimic) = &joint.mimic else { continue };
        if !model.joints.iter().any(|j| j.name == mimic.joint) {
            findings.warnings.push(AssemblyWarning::UnknownMimic {
                joint: format!("{name}/{}", joint.name),
                followed: mimic.joint.clone(),
                nearest: nearest(&mimic.joint, model.joints.iter().map(|j| &j.name)),
            });
        }
    }
}

/// Checks a link. `impossible`: the links welded to it do not compensate for its impossible inertia.
fn check_link(model: &str, link: &Link, impossible: bool, findings: &mut Findings) {
    for visual in &link.visuals {
        let owner = format!("visual `{}` of link `{model}/{}`", visual.name, link.name);
        findings.finite_pose(&owner, "pose", &visual.X_BG);
        if !visual.geometry.is_finite() {
            findings.errors.push(AssemblyError::NotFinite { owner, quantity: "size" });
        }
    }
    let Some(Inertia { mass, p_BoBcm, I_BBcm }) = &link.inertia else { return };
    let full = format!("{model}/{}", link.name);
    let owner = format!("link `{full}`");
    let mut finite = findings.finite_vector(&owner, "centre of mass", p_BoBcm);
    finite &= findings.finite(&owner, "rotational inertia", I_BBcm.iter());
    let fault = |findings: &mut Findings, error: AssemblyError| match impossible {
        true => findings.inertia_fault(error),
        false => findings.warnings.push(AssemblyWarning::Accepted(error)),
    };
    if !mass.is_finite() {
        findings.errors.push(AssemblyError::BadMass { model: model.into(), link: link.name.clone(), mass: *mass });
    } else if *mass < 0.0 {
        fault(findings, AssemblyError::BadMass { model: model.into(), link: link.name.clone(), mass: *mass });
    }
    if !finite {
        return;
    }
    let size = I_BBcm.norm();
    if !size.is_finite() {
        findings.errors.push(AssemblyError::NotFinite { owner, quantity: "rotational inertia" });
        return;
    }
    if (I_BBcm - I_BBcm.transpose()).norm() > 1e-9 * size {
        findings.errors.push(AssemblyError::InertiaNotSymmetric { model: model.into(), link: link.name.clone() });
        return;
    }
    if *mass == 0.0 && size > 0.0 {
        findings.warnings.push(AssemblyWarning::InertiaWithoutMass { link: full.clone() });
    }
    let Some(principal) = principal_moments(I_BBcm) else { return };
    let noise = moment_noise(*mass, &principal, NOISE);
    if principal[0] < -noise {
        let link = link.name.clone();
        fault(findings, AssemblyError::InertiaNotPositive { model: model.into(), link, principal });
    } else if principal[0] + principal[1] < principal[2] - 1e-6 * size - noise {
        findings.warnings.push(AssemblyWarning::TriangleInequality { link: full, principal });
    }
}

fn check_joint(model: &str, joint: &Joint, findings: &mut Findings) {
    let owner = format!("joint `{model}/{}`", joint.name);
    findings.finite_pose(&owner, "pose in the parent link", &joint.X_PF);
    findings.finite_pose(&owner, "pose in the child link", &joint.X_BM);
    if joint.kind == JointKind::Fixed {
        return;
    }
    let single =
        !matches!(joint.kind, JointKind::Ball | JointKind::Floating | JointKind::Universal | JointKind::Planar);
    if single && findings.finite_vector(&owner, "axis", &joint.axis) && joint.axis.norm() < 1e-9 {
        findings.errors.push(AssemblyError::ZeroAxis { model: model.into(), joint: joint.name.clone() });
    }
    let (lower, upper) = joint.limits;
    if single && joint.kind != JointKind::Continuous && (lower.is_nan() || upper.is_nan() || lower > upper) {
        findings.errors.push(AssemblyError::BadLimits { model: model.into(), joint: joint.name.clone(), lower, upper });
    }
    let (stiffness, rest) = joint.spring.unwrap_or_default();
    for (quantity, value) in [
        ("damping", joint.damping),
        ("friction", joint.friction),
        ("armature", joint.armature),
        ("stiffness", stiffness),
        ("rest position", rest),
        ("position at the start", joint.start),
        ("pitch", joint.pitch),
    ] {
        if !value.is_finite() {
            findings.errors.push(AssemblyError::NotFinite { owner: owner.clone(), quantity });
        }
    }
    for (quantity, value) in [
        ("damping", joint.damping),
        ("friction", joint.friction),
        ("armature", joint.armature),
        ("stiffness", stiffness),
        ("effort limit", joint.effort),
    ] {
        if value < 0.0 || (quantity == "effort limit" && value.is_nan()) {
            findings.errors.push(AssemblyError::Negative {
                model: model.into(),
                joint: joint.name.clone(),
                quantity,
                value,
            });
        }
    }
}
