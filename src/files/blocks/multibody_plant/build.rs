//! From the description of a plant to the block.

use super::belt::BeltSpec;
use super::constraint::{ComplianceSpec, ConstraintSpec, FrameSpec, LawSpec};
use super::contact::ContactPoints;
use super::model::{Actuated, Base, ModelSpec};
use super::names::Joints;
use super::spec::{Collides, MultibodyPlant};
use crate::files::form::{BlockSpec, Site};
use kinegraph_systems::ErasedSystem;
use kinegraph_systems::convex::Compliance;
use kinegraph_systems::geometry::Points;
use kinegraph_systems::multibody::plant::{self, Attachment, Belt, Collisions, Constraint, ConstraintLaw};
use kinegraph_systems::multibody::plant::{ContactParameters, Material, PlantModel};
use kinegraph_systems::multibody::{self, Model, PlantBuilder};
use std::sync::Arc;

impl BlockSpec for MultibodyPlant {
    fn build(&self, site: &Site<'_>) -> Option<Arc<dyn ErasedSystem>> {
        build(self, site)
    }
}

fn build(spec: &MultibodyPlant, site: &Site<'_>) -> Option<Arc<dyn ErasedSystem>> {
    // Every model file is read and every name looked up, so that the faults of all of them are reported together.
    let models: Vec<Option<Arc<Model>>> = spec.models.iter().map(|m| site.loader.model(&m.file)).collect();
    let joints = Joints::new(site, spec, &models);
    let names_are_known = joints.check(spec);
    let models: Vec<Arc<Model>> = models.into_iter().collect::<Option<_>>()?;
    if !names_are_known {
        return None;
    }

    let mut builder = PlantBuilder::new().gravity(spec.gravity).contact(contact(spec));
    if let Some(height) = spec.ground {
        builder = builder.ground(height);
    }
    for (m, model) in spec.models.iter().zip(models) {
        builder = builder.add(plant_model(spec, m, Arc::unwrap_or_clone(model)));
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
    builder = builder.correction_speed(spec.correction_speed);
    for model in &spec.initial {
        for joint in &model.value {
            let state = &joint.value;
            builder = builder.initial(format!("{}/{}", model.name, joint.name), state.q, state.v);
        }
    }
    match builder.build_with_warnings() {
        Ok((plant, warnings)) => {
            warnings.iter().for_each(|warning| site.loader.note(format!("{}: {warning}", site.path)));
            Some(Arc::new(plant))
        }
        Err(errors) => {
            // Faults of assembly come together; each is one of its own.
            errors.0.iter().for_each(|error| error.to_string().lines().for_each(|message| site.fault(message)));
            None
        }
    }
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
        },
    }
}

fn plant_constraint(spec: &ConstraintSpec) -> Constraint {
    let compliance = |c: &Option<ComplianceSpec>| c.map(|c| Compliance { stiffness: c.stiffness, damping: c.damping });
    let frame = |frame: &FrameSpec| {
        let link = frame.link.as_ref().map_or_else(|| "world".into(), |(model, link)| format!("{model}/{link}"));
        Attachment::new(link, frame.pose.isometry())
    };
    let law = match &spec.law {
        LawSpec::Weld { frames: [a, b], linear, angular } => {
            ConstraintLaw::Weld { a: frame(a), b: frame(b), linear: compliance(linear), angular: compliance(angular) }
        }
        LawSpec::Ball { frames: [a, b], compliance: c } => {
            ConstraintLaw::Ball { a: frame(a), b: frame(b), compliance: compliance(c) }
        }
        LawSpec::Distance { frames: [a, b], length, compliance: c } => {
            ConstraintLaw::Distance { a: frame(a), b: frame(b), length: *length, compliance: compliance(c) }
        }
        LawSpec::Coupler { joints, ratio, offset, compliance: c } => ConstraintLaw::Coupler {
            joints: joints.each_ref().map(|j| format!("{}/{}", j.model, j.joint)),
            ratio: *ratio,
            offset: *offset,
            compliance: compliance(c),
        },
    };
    Constraint { name: spec.name.clone(), law, active: spec.active, capture: spec.capture }
}

fn plant_model(spec: &MultibodyPlant, m: &ModelSpec, model: Model) -> PlantModel {
    let X = m.pose.isometry();
    PlantModel {
        name: m.name.clone(),
        model,
        base: match &m.base {
            Base::Fixed => multibody::Base::Fixed { X_WR: X },
            Base::Floating => {
                multibody::Base::Floating { X_WR: X, w_WR: m.velocity.angular.into(), v_WR: m.velocity.linear.into() }
            }
            Base::Link { model, link } => multibody::Base::Welded { model: model.clone(), link: link.clone(), X_LR: X },
        },
        actuated: match &m.actuated {
            Actuated::Default => plant::Actuated::Default,
            Actuated::All => plant::Actuated::All,
            Actuated::None => plant::Actuated::None,
            Actuated::Joints(joints) => plant::Actuated::Joints(joints.clone()),
        },
        collisions: match spec.collisions.iter().find(|c| c.name == m.name).map(|c| c.value) {
            None | Some(Collides::All) => Collisions::All,
            Some(Collides::GroundOnly) => Collisions::GroundOnly,
            Some(Collides::None) => Collisions::None,
        },
    }
}
