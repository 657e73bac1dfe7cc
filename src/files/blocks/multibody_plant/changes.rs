//! Values of a model file that the diagram file replaces: `links: {box: {mass: 3}}`, `joints: {hinge: {damping: 0.1}}`,
//! `materials: {pad: {friction: 0.9}}`. All others stay as the model file has them.

use crate::form::{
    Decode, Item, ListOf, NON_NEGATIVE, NUMBER, Named, Number, Optional, POSITIVE, Reader, Section, Value, Vector,
    optional,
};
use kinegraph_multibody::plant::Material;
use kinegraph_multibody::proximity::Proximity;
use kinegraph_multibody::scene_data::{Grain, Surface};
use kinegraph_multibody::{Collision, Inertia, Joint, JointKind, Link, Model};
use nalgebra::{Matrix3, Vector3};
use std::sync::Arc;

/// Replaced values of a model, by link, joint and shape.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// Mass properties of links.
    pub links: Vec<Named<LinkChange>>,
    /// Values of joints.
    pub joints: Vec<Named<JointChange>>,
    /// Contact laws of the shapes of a link, of one shape (`LINK/COLLISION`) or of all (`default`).
    pub materials: Vec<Named<MaterialChange>>,
}

/// Mass properties of a link; `None` stays as in the model file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LinkChange {
    /// Mass \[kg\].
    pub mass: Option<f64>,
    /// Rotational inertia about the centre of mass, in link axes \[kg m²\].
    pub inertia: Option<Matrix3<f64>>,
    /// Centre of mass in the link's frame \[m\].
    pub com: Option<[f64; 3]>,
}

/// Values of a joint; `None` stays as in the model file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JointChange {
    /// Viscous damping \[N m s/rad or N s/m\].
    pub damping: Option<f64>,
    /// Dry friction \[N m or N\].
    pub friction: Option<f64>,
    /// Lower and upper stop \[rad or m\].
    pub limits: Option<[f64; 2]>,
    /// Largest effort of an actuator \[N m or N\].
    pub effort: Option<f64>,
    /// Reflected rotor inertia \[kg m² or kg\].
    pub armature: Option<f64>,
}

/// Contact law of a shape; `None` stays as in the model file, or as in the plant where that has none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MaterialChange {
    /// Stiffness of this side \[N/m\].
    pub stiffness: Option<f64>,
    /// Hunt-Crossley dissipation \[s/m\].
    pub dissipation: Option<f64>,
    /// Coefficient of friction; in the direction `friction_along` if there is one across it.
    pub friction: Option<f64>,
    /// Coefficient of friction across that direction.
    pub friction_across: Option<f64>,
    /// Direction of `friction`, in the frame of the link; `None`: its x axis.
    pub friction_along: Option<[f64; 3]>,
}

/// Name for all shapes that are not named.
pub(super) const DEFAULT: &str = "default";

const MASS: Optional<Number> = optional("mass", POSITIVE, "that of the file", "mass; the inertia stays as it is [kg]");
const INERTIA: Optional<InertiaOf> = optional(
    "inertia",
    InertiaOf,
    "that of the file",
    "rotational inertia about the centre of mass, in link axes: `[ixx, iyy, izz]`, or `[ixx, iyy, izz, ixy, ixz, iyz]` \
     [kg m²]",
);
const COM: Optional<Vector<3>> = optional(
    "com",
    Vector { about: "[x, y, z] in m" },
    "that of the file",
    "centre of mass in the frame of the link [m]",
);

pub(super) const LINK: Section<LinkChange> =
    Section { about: "values of a link, such as `{mass: 2}`", read: read_link };

fn read_link(r: &mut Reader<'_>) -> Option<LinkChange> {
    let (mass, inertia, com) = (r.get(&MASS), r.get(&INERTIA), r.get(&COM));
    Some(LinkChange { mass, inertia, com })
}

const DAMPING: Optional<Number> =
    optional("damping", NON_NEGATIVE, "that of the file", "viscous damping [N m s/rad, N s/m]");
const FRICTION: Optional<Number> =
    optional("friction", NON_NEGATIVE, "that of the file", "dry friction: largest effort that resists motion [N m, N]");
const LIMITS: Optional<Limits> = optional("limits", Limits, "those of the file", "lower and upper stop [rad, m]");
const EFFORT: Optional<Number> =
    optional("effort", POSITIVE, "that of the file", "largest effort of its motor [N m, N]");
const ARMATURE: Optional<Number> =
    optional("armature", NON_NEGATIVE, "that of the file", "inertia of the rotor as the joint feels it [kg m², kg]");

pub(super) const JOINT: Section<JointChange> =
    Section { about: "values of a joint, such as `{damping: 0.1, limits: [-1, 1]}`", read: read_joint };

fn read_joint(r: &mut Reader<'_>) -> Option<JointChange> {
    let (damping, friction, limits) = (r.get(&DAMPING), r.get(&FRICTION), r.get(&LIMITS));
    let (effort, armature) = (r.get(&EFFORT), r.get(&ARMATURE));
    Some(JointChange { damping, friction, limits, effort, armature })
}

const STIFFNESS: Optional<Number> = optional(
    "stiffness",
    POSITIVE,
    "that of the file, or of the plant",
    "of this side: two equal sides touch with half of it [N/m]",
);
const DISSIPATION: Optional<Number> =
    optional("dissipation", NON_NEGATIVE, "that of the file, or of the plant", "Hunt-Crossley dissipation [s/m]");
const OF_SURFACE: Optional<Number> = optional(
    "friction",
    NON_NEGATIVE,
    "that of the file, or of the plant",
    "coefficient of friction; of two shapes that state one the larger counts",
);
const ACROSS: Optional<Number> = optional(
    "friction_across",
    NON_NEGATIVE,
    "`friction`",
    "coefficient of friction in the directions orthogonal to `friction_along`, as of a skate or of brushed metal; \
     `friction` then holds along it",
);
const ALONG: Optional<Vector<3>> = optional(
    "friction_along",
    Vector { about: "[x, y, z]" },
    "[1, 0, 0]",
    "with `friction_across`: direction in the frame of the link in which `friction` holds, of any length",
);

pub(super) const MATERIAL: Section<MaterialChange> =
    Section { about: "a contact law, such as `{friction: 0.9}`", read: read_material };

fn read_material(r: &mut Reader<'_>) -> Option<MaterialChange> {
    let (stiffness, dissipation, friction) = (r.get(&STIFFNESS), r.get(&DISSIPATION), r.get(&OF_SURFACE));
    let (friction_across, friction_along) = (r.get(&ACROSS), r.get(&ALONG));
    if friction_along.is_some_and(|along| along.iter().all(|x| *x == 0.0)) {
        r.wrong(ALONG, "a vector that is not zero", "[0, 0, 0]");
    }
    if r.has(ALONG) && !r.has(ACROSS) {
        r.conflict(ALONG, "a direction needs `friction_across`, the coefficient across it");
    }
    Some(MaterialChange { stiffness, dissipation, friction, friction_across, friction_along })
}

impl Changes {
    /// The model with these values; `otherwise` is the material of shapes whose file states none. Names that the model
    /// does not have are left out.
    pub fn of(&self, model: Arc<Model>, otherwise: &Material) -> Arc<Model> {
        if self.links.is_empty() && self.joints.is_empty() && self.materials.is_empty() {
            return model;
        }
        let mut model = Arc::unwrap_or_clone(model);
        for change in &self.links {
            for link in model.links.iter_mut().filter(|link| link.name == change.name) {
                change.value.change(link);
            }
        }
        for change in &self.joints {
            for joint in model.joints.iter_mut().filter(|joint| joint.name == change.name) {
                change.value.change(joint);
            }
        }
        for link in &mut model.links {
            for (index, shape) in link.collisions.iter_mut().enumerate() {
                let Some(change) = self.material_of(&link.name, &shape.name) else { continue };
                let written = link.proximity.iter_mut().find(|(of, _)| *of == index).map(|(_, proximity)| proximity);
                change.change(shape, written, otherwise);
            }
        }
        Arc::new(model)
    }

    /// Law of a shape: its own, that of its link, or that of all.
    fn material_of(&self, link: &str, shape: &str) -> Option<&MaterialChange> {
        // The parts of a mesh are numbered after the name of the shape.
        let own = format!("{link}/{}", shape.split('~').next().unwrap_or_default());
        let named = |name: &str| self.materials.iter().find(|of| of.name == name).map(|of| &of.value);
        named(&own).or_else(|| named(link)).or_else(|| named(DEFAULT))
    }
}

impl LinkChange {
    fn change(&self, link: &mut Link) {
        let none = Inertia { mass: 0.0, p_BoBcm: Vector3::zeros(), I_BBcm: Matrix3::zeros() };
        let inertia = link.inertia.get_or_insert(none);
        if let Some(mass) = self.mass {
            inertia.mass = mass;
        }
        if let Some(I_BBcm) = self.inertia {
            inertia.I_BBcm = I_BBcm;
        }
        if let Some(com) = self.com {
            inertia.p_BoBcm = com.into();
        }
    }
}

impl JointChange {
    fn change(&self, joint: &mut Joint) {
        let set = |old: &mut f64, new: Option<f64>| *old = new.unwrap_or(*old);
        set(&mut joint.damping, self.damping);
        set(&mut joint.friction, self.friction);
        set(&mut joint.effort, self.effort);
        set(&mut joint.armature, self.armature);
        if let Some([low, high]) = self.limits {
            joint.limits = (low, high);
            // A continuous joint has no stops.
            if joint.kind == JointKind::Continuous {
                joint.kind = JointKind::Revolute;
            }
        }
    }

    /// True if the values need a joint of one axis.
    pub(super) fn needs_axis(&self) -> bool {
        self.limits.is_some() || self.effort.is_some()
    }
}

impl MaterialChange {
    /// Changes the law of a shape, of which the model file may state values beside its surface.
    fn change(&self, shape: &mut Collision, written: Option<&mut Proximity>, otherwise: &Material) {
        let mut none = Proximity::default();
        let written = written.unwrap_or(&mut none);
        let surface = shape.surface.get_or_insert(Surface {
            kind: 1,
            touches: 1,
            stiffness: written.stiffness.unwrap_or(otherwise.stiffness),
            dissipation: written.dissipation.unwrap_or(otherwise.dissipation),
            friction: written.dynamic_friction.unwrap_or(otherwise.dynamic_friction),
            grain: written.grain,
            resistance: [0.0; 2],
            resists: [false; 2],
            priority: 0,
            margin: 0.0,
            gap: 0.0,
            adhesion: 0.0,
            sheet: None,
        });
        if let Some(stiffness) = self.stiffness {
            (surface.stiffness, written.stiffness) = (stiffness, None);
        }
        if let Some(dissipation) = self.dissipation {
            (surface.dissipation, written.dissipation) = (dissipation, None);
        }
        if let Some(friction) = self.friction {
            (surface.friction, surface.grain) = (friction, None);
            (written.static_friction, written.dynamic_friction, written.grain) = (None, None, None);
        }
        if let Some(across) = self.friction_across {
            surface.grain = Some(Grain { along: self.friction_along.unwrap_or([1.0, 0.0, 0.0]), across });
            written.grain = None;
        }
    }
}

/// Decoder of a rotational inertia: three moments, or these and three products.
pub(super) struct InertiaOf;

impl Decode for InertiaOf {
    type Output = Matrix3<f64>;
    fn expects(&self) -> String {
        "[ixx, iyy, izz] or [ixx, iyy, izz, ixy, ixz, iyz] in kg m²".into()
    }
    fn decode(&self, item: Item<'_>) -> Option<Matrix3<f64>> {
        let numbers = match &item.node.value {
            Value::List(nodes) if matches!(nodes.len(), 3 | 6) => {
                ListOf { each: NUMBER, about: "moments of inertia" }.decode(item)?
            }
            _ => {
                item.wrong(self.expects());
                return None;
            }
        };
        let product = |i: usize| numbers.get(i).copied().unwrap_or(0.0);
        let (xx, yy, zz, xy, xz, yz) = (product(0), product(1), product(2), product(3), product(4), product(5));
        Some(Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz))
    }
}

/// Decoder of the stops of a joint.
pub(super) struct Limits;

impl Decode for Limits {
    type Output = [f64; 2];
    fn expects(&self) -> String {
        "[lower, upper], the lower one first".into()
    }
    fn decode(&self, item: Item<'_>) -> Option<[f64; 2]> {
        let [low, high] = Vector::<2> { about: "[lower, upper]" }.decode(item)?;
        if low < high {
            return Some([low, high]);
        }
        item.wrong_found(self.expects(), format!("[{low}, {high}]"));
        None
    }
}
