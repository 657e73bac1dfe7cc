//! Builds the plant from its description.

use super::belt::BeltSpec;
use super::collisions::{Collides, CollisionSpec, SRDF};
use super::constraint::{ComplianceSpec, ConstraintSpec, FrameSpec, LawSpec};
use super::contact::{Contact, ContactPoints};
use super::element::JointRef;
use super::fibre::FibreSpec;
use super::model::{Actuated, Base, ModelSpec, Surfaces};
use super::names::Joints;
use super::read::{COLLISIONS, GRAVITY};
use super::spec::MultibodyPlant;
use super::start;
use crate::block_type::NamedKeyframe;
use crate::form::{BlockSpec, FaultKind, Key, Loader, Site};
use kinegraph_core::ErasedSystem;
use kinegraph_core::convex::Compliance;
use kinegraph_geometry::Points;
use kinegraph_models::read_disabled_collisions;
use kinegraph_multibody as multibody;
use kinegraph_multibody::plant::{self, Attachment, Belt, BushingLaw, Collisions, Constraint, ConstraintLaw};
use kinegraph_multibody::plant::{ContactParameters, ExcludedPairs, Hydroelastics, Material, PlantModel};
use kinegraph_multibody::proximity::Proximity;
use kinegraph_multibody::{AssemblyWarning, Model, PlantBuilder};
use std::ops::Deref;
use std::sync::Arc;

impl BlockSpec for MultibodyPlant {
    fn build(&self, site: &Site<'_>) -> Option<Arc<dyn ErasedSystem>> {
        build(self, site)
    }

    fn keyframes(&self, loader: &Loader) -> Vec<NamedKeyframe> {
        let of = |m: &ModelSpec| {
            let model = loader.model_with(&m.file, m.inertia, m.missing_meshes, m.meshes.collisions())?;
            let names = model.scene.keyframes.iter().map(|key| key.name.clone());
            Some(names.map(|name| NamedKeyframe { model: m.name.clone(), name }).collect::<Vec<_>>())
        };
        self.models.iter().filter_map(of).flatten().collect()
    }
}

fn build(spec: &MultibodyPlant, site: &Site<'_>) -> Option<Arc<dyn ErasedSystem>> {
    // Every model file is read and every name looked up, so that all their faults are reported together.
    let material = material_of(spec);
    let read = |m: &ModelSpec| {
        let model = site.loader.model_with(&m.file, m.inertia, m.missing_meshes, m.meshes.collisions())?;
        Some(m.changes.of(model, &material))
    };
    let models: Vec<Option<Arc<Model>>> = spec.models.iter().map(read).collect();
    let joints = Joints::new(site, spec, &models);
    let names_are_known = joints.check(spec);
    let disabled: Option<Vec<_>> = spec.models.iter().map(|m| disabled_collisions(spec, m, site)).collect();
    let models: Vec<Arc<Model>> = models.into_iter().collect::<Option<_>>()?;
    let disabled = disabled?;
    if !names_are_known {
        return None;
    }
    start::note(site, spec, &models);

    let gravity = gravity(site, spec, &models);
    let mut builder = PlantBuilder::new().gravity(gravity).contact(contact(spec));
    builder = builder.hydroelastics(hydroelastics(spec));
    if let Some(height) = spec.ground {
        builder = builder.ground(height);
    }
    for ((m, model), disabled) in spec.models.iter().zip(models).zip(disabled) {
        builder = builder.add(plant_model(spec, m, Arc::unwrap_or_clone(model), disabled));
    }
    for FibreSpec { fibre, .. } in &spec.fibres {
        builder = builder.fibre(fibre.clone());
    }
    for spring in &spec.springs {
        builder = builder.spring(format!("{}/{}", spring.model, spring.joint), spring.stiffness, spring.rest);
    }
    for belt in &spec.belts {
        let link = belt.link.as_ref().map_or("ground".into(), |(model, link)| format!("{model}/{link}"));
        let BeltSpec { name, motion, speed, .. } = belt.clone();
        builder = builder.belt(Belt { name, link, motion, speed });
    }
    for constraint in &spec.constraints {
        builder = builder.constraint(plant_constraint(constraint));
    }
    for (joints, locked) in [(&spec.locked, true), (&spec.lockable, false)] {
        for joint in joints {
            builder = builder.lock(format!("{}/{}", joint.model, joint.joint), locked);
        }
    }
    for model in &spec.stops {
        for joint in &model.value {
            builder = builder.stops(format!("{}/{}", model.name, joint.name), joint.value);
        }
    }
    builder = builder.correction_speed(spec.correction_speed);
    for model in &spec.initial {
        for joint in &model.value {
            let state = &joint.value;
            builder = builder.initial(format!("{}/{}", model.name, joint.name), state.q, state.v);
        }
    }
    match builder.build_with_warnings() {
        Ok((plant, warnings)) => {
            for warning in &warnings {
                let text = format!("{}: {warning}", site.path);
                match warning {
                    AssemblyWarning::ExcludedSupport { .. } | AssemblyWarning::StartsInside { .. } => {
                        site.loader.note_loss(text);
                    }
                    _ => site.loader.note(text),
                }
            }
            Some(Arc::new(plant))
        }
        Err(errors) => {
            // Errors of assembly come as one text; each line becomes a fault of its own.
            errors.0.iter().for_each(|error| error.to_string().lines().for_each(|message| site.fault(message)));
            None
        }
    }
}

/// Gravity of the plant, with a note on every model file that states another.
fn gravity(site: &Site<'_>, spec: &MultibodyPlant, models: &[Arc<Model>]) -> [f64; 3] {
    let taken = gravity_of(spec, models.iter().map(|model| &**model));
    for (m, model) in spec.models.iter().zip(models) {
        let of_file = model.scene.gravity.map(<[f64; 3]>::from);
        if let Some(of_file) = of_file.filter(|of_file| *of_file != taken) {
            let (path, name) = (site.path, &m.name);
            site.loader.note(format!("{path}: gravity is {taken:?}; the file of {name} has {of_file:?}"));
        }
    }
    taken
}

/// Gravity of the diagram file; if it states none, gravity of the first model file that does.
pub(in crate::blocks) fn gravity_of(
    spec: &MultibodyPlant,
    mut models: impl Iterator<Item = impl Deref<Target = Model>>,
) -> [f64; 3] {
    let of_files = || models.find_map(|model| model.scene.gravity.map(Into::into));
    spec.gravity.or_else(of_files).unwrap_or_else(|| GRAVITY.default())
}

fn contact(spec: &MultibodyPlant) -> ContactParameters {
    let contact = &spec.contact;
    ContactParameters {
        pair: Material {
            stiffness: contact.stiffness,
            dissipation: contact.dissipation,
            static_friction: contact.static_friction,
            dynamic_friction: contact.dynamic_friction,
        },
        stiction_tolerance: contact.stiction_tolerance,
        points: match contact.points {
            ContactPoints::Manifold => Points::Manifold,
            ContactPoints::Deepest => Points::Deepest,
            ContactPoints::LocalMinima => Points::LocalMinima,
        },
        resistance: [contact.torsional_friction, contact.rolling_friction],
    }
}

/// Material of shapes whose file states none.
pub(in crate::blocks) fn material_of(spec: &MultibodyPlant) -> Material {
    contact(spec).default_material()
}

fn hydroelastics(spec: &MultibodyPlant) -> Hydroelastics {
    let Contact { model, modulus, resolution, volume, .. } = spec.contact;
    let standard = Hydroelastics::default();
    Hydroelastics {
        model,
        bodies: Proximity { resolution, ..Proximity::compliant(modulus) },
        ground: Proximity { modulus: Some(modulus), ..standard.ground },
        volume,
        named: spec.hydroelastic.iter().map(|of| (of.name.clone(), of.value)).collect(),
    }
}

fn plant_constraint(spec: &ConstraintSpec) -> Constraint {
    let compliance = |c: &Option<ComplianceSpec>| c.map(|c| Compliance { stiffness: c.stiffness, damping: c.damping });
    let frame = |frame: &FrameSpec| {
        let link = frame.link.as_ref().map_or_else(|| "world".into(), |(model, link)| format!("{model}/{link}"));
        Attachment::new(link, frame.pose.isometry())
    };
    let full = |j: &JointRef| format!("{}/{}", j.model, j.joint);
    let law = match &spec.law {
        LawSpec::Weld { frames: [a, b], linear, angular } => {
            ConstraintLaw::Weld { a: frame(a), b: frame(b), linear: compliance(linear), angular: compliance(angular) }
        }
        LawSpec::Bushing { frames: [a, b], linear, angular } => {
            let laws =
                |specs: &[ComplianceSpec; 3]| specs.map(|c| Compliance { stiffness: c.stiffness, damping: c.damping });
            let law = BushingLaw { linear: laws(linear), angular: laws(angular) };
            ConstraintLaw::Bushing { a: frame(a), b: frame(b), law }
        }
        LawSpec::Ball { frames: [a, b], compliance: c } => {
            ConstraintLaw::Ball { a: frame(a), b: frame(b), compliance: compliance(c) }
        }
        LawSpec::Distance { frames: [a, b], length, compliance: c } => {
            ConstraintLaw::Distance { a: frame(a), b: frame(b), length: *length, compliance: compliance(c) }
        }
        LawSpec::Coupler { joints, ratio, offset, compliance: c } => ConstraintLaw::Coupler {
            joints: joints.each_ref().map(full),
            ratio: *ratio,
            offset: *offset,
            compliance: compliance(c),
        },
        LawSpec::Sum { joints, coefficients, offset, compliance: c } => ConstraintLaw::Sum {
            joints: joints.iter().map(full).zip(coefficients.iter().copied()).collect(),
            offset: *offset,
            compliance: compliance(c),
        },
        LawSpec::Polynomial { joints, coefficients, compliance: c } => ConstraintLaw::Polynomial {
            joints: joints.each_ref().map(full),
            coefficients: *coefficients,
            compliance: compliance(c),
        },
    };
    Constraint { name: spec.name.clone(), law, active: spec.active, capture: spec.capture }
}

fn collisions<'s>(spec: &'s MultibodyPlant, m: &ModelSpec) -> Option<&'s CollisionSpec> {
    spec.collisions.iter().find(|c| c.name == m.name).map(|c| &c.value)
}

/// Pairs of links that the SRDF file of a model disables; `None` after a fault.
fn disabled_collisions(spec: &MultibodyPlant, m: &ModelSpec, site: &Site<'_>) -> Option<Vec<[String; 2]>> {
    let Some((file, at)) = collisions(spec, m).and_then(|c| Some((c.srdf.as_ref()?, c.srdf_at))) else {
        return Some(Vec::new());
    };
    read_disabled_collisions(file)
        .map_err(|message| {
            let path = format!("{}.{}.{}.{}", site.path, COLLISIONS.key(), m.name, SRDF.key());
            site.loader.report(at, FaultKind::Conflict { path, message: format!("{}: {message}", file.display()) });
        })
        .ok()
}

/// True if the root link of a model is called `world` and has no mass: it stands for the world, on any base.
fn is_rooted_in_world(model: &Model) -> bool {
    const WORLD: &str = "world";
    let is_root = !model.joints.iter().any(|joint| joint.child == WORLD);
    is_root && model.links.iter().any(|link| link.name == WORLD && link.inertia.is_none())
}

fn plant_model(spec: &MultibodyPlant, m: &ModelSpec, mut model: Model, disabled: Vec<[String; 2]>) -> PlantModel {
    let X = m.pose.isometry();
    let root_is_world = is_rooted_in_world(&model);
    if m.surfaces == Surfaces::Plant {
        let law = contact(spec).default_material();
        for surface in model.links.iter_mut().flat_map(|l| &mut l.collisions).filter_map(|c| c.surface.as_mut()) {
            (surface.stiffness, surface.dissipation) = (law.stiffness, law.dissipation);
            (surface.friction, surface.grain) = (law.dynamic_friction, None);
        }
        for pair in &mut model.scene.touching {
            (pair.stiffness, pair.dissipation) = ([law.stiffness; 2], law.dissipation);
            pair.friction = law.dynamic_friction;
        }
    }
    let keyframe = m.keyframe.as_ref().and_then(|name| model.scene.keyframes.iter().find(|key| key.name == *name));
    let start = keyframe.map(|key| (key.positions.clone(), key.velocities.clone()));
    let controls = keyframe.and_then(|key| key.controls.clone());
    for (actuator, control) in model.scene.actuators.iter_mut().zip(controls.iter().flatten()) {
        actuator.idle = *control;
    }
    let activations = keyframe.and_then(|key| key.activations.clone());
    let own = model.scene.actuators.iter_mut().filter_map(|actuator| actuator.activation.as_mut());
    own.zip(activations.iter().flatten()).for_each(|(activation, start)| activation.initial = *start);
    let collisions = collisions(spec, m);
    PlantModel {
        name: m.name.clone(),
        model,
        base: match &m.base {
            // A root link that stands for the world is fixed.
            Some(Base::Floating) if root_is_world => multibody::Base::Fixed { X_WR: X },
            None | Some(Base::Fixed) => multibody::Base::Fixed { X_WR: X },
            Some(Base::Floating) => {
                multibody::Base::Floating { X_WR: X, w_WR: m.velocity.angular.into(), v_WR: m.velocity.linear.into() }
            }
            Some(Base::Link { model, link }) => {
                multibody::Base::Welded { model: model.clone(), link: link.clone(), X_LR: X }
            }
        },
        actuated: match &m.actuated {
            Actuated::Default => plant::Actuated::Default,
            Actuated::All => plant::Actuated::All,
            Actuated::None => plant::Actuated::None,
            Actuated::Joints(joints) => plant::Actuated::Joints(joints.clone()),
        },
        excluded: ExcludedPairs {
            links: collisions.iter().flat_map(|c| c.exclude.iter().cloned()).chain(disabled).collect(),
            touching_at_start: collisions.is_none_or(|c| c.exclude_touching_at_start),
        },
        collisions: match collisions.map(|c| c.with) {
            None | Some(Collides::All) => Collisions::All,
            Some(Collides::GroundOnly) => Collisions::GroundOnly,
            Some(Collides::None) => Collisions::None,
        },
        start,
    }
}
