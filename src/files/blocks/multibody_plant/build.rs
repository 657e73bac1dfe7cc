//! From the description of a plant to the block.

use super::{Actuated, Base, Collides, ContactPoints, MultibodyPlant, Pose};
use crate::files::blocks::urdf;
use crate::files::loader::Loader;
use crate::files::registry::built;
use crate::files::schema::diagram::NamedSystem;
use kinegraph_systems::ErasedSystem;
use kinegraph_systems::geometry::Points;
use kinegraph_systems::multibody::plant::{self, Collisions, ContactParameters, Material, PlantModel};
use kinegraph_systems::multibody::{self, PlantBuilder};
use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion};
use std::sync::Arc;

pub(super) fn build(spec: &MultibodyPlant, system: &NamedSystem, loader: &Loader) -> Option<Arc<dyn ErasedSystem>> {
    let contact = &spec.contact;
    let mut builder = PlantBuilder::new().gravity(spec.gravity).contact(ContactParameters {
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
    });
    if let Some(height) = spec.ground {
        builder = builder.ground(height);
    }
    // Every model file is read, so that the faults of all of them are reported together.
    let models: Vec<_> = spec.models.iter().map(|m| (m, urdf(&m.file, m.file_at, loader))).collect();
    for (m, model) in models {
        let X = pose(&m.pose);
        builder = builder.add(PlantModel {
            name: m.name.clone(),
            model: model?,
            base: match &m.base {
                Base::Fixed => multibody::Base::Fixed { X_WR: X },
                Base::Floating => multibody::Base::Floating {
                    X_WR: X,
                    w_WR: m.velocity.angular.into(),
                    v_WR: m.velocity.linear.into(),
                },
                Base::Link { model, link } => {
                    multibody::Base::Welded { model: model.clone(), link: link.clone(), X_LR: X }
                }
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
        });
    }
    for spring in &spec.springs {
        builder = builder.spring(format!("{}/{}", spring.model, spring.joint), spring.stiffness, spring.rest);
    }
    for model in &spec.initial {
        for joint in &model.value {
            let state = &joint.value;
            builder = builder.initial(format!("{}/{}", model.name, joint.name), state.q, state.v);
        }
    }
    built(builder.build(), system, loader)
}

fn pose(pose: &Pose) -> Isometry3<f64> {
    let [w, x, y, z] = pose.quat;
    let rotation = UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z));
    Isometry3::from_parts(Translation3::from(nalgebra::Vector3::from(pose.xyz)), rotation)
}
