//! Notes on the start of a plant: joints beyond their stops, bodies without collision shapes.

use super::collisions::Collides;
use super::model::{Base, ModelSpec};
use super::spec::MultibodyPlant;
use crate::form::Site;
use crate::node::show_number;
use kinegraph_multibody::Model;
use std::sync::Arc;

/// Notes of the models of a plant.
pub(super) fn note(site: &Site<'_>, spec: &MultibodyPlant, models: &[Arc<Model>]) {
    for (m, model) in spec.models.iter().zip(models) {
        beyond_stops(site, spec, m, model);
        let collides = spec.collisions.iter().find(|c| c.name == m.name).map(|c| c.value.with);
        let shapeless = model.links.iter().all(|link| link.collisions.is_empty());
        if shapeless && m.base == Some(Base::Floating) && spec.ground.is_some() && collides != Some(Collides::None) {
            let path = site.path;
            let name = &m.name;
            site.loader
                .note_loss(format!("{path}: no link of {name} has a shape that touches: it falls through the ground"));
        }
    }
}

/// Notes joints that start beyond their stops. A joint starts at zero if `initial` does not name it; a mimic joint
/// follows its joint.
fn beyond_stops(site: &Site<'_>, spec: &MultibodyPlant, m: &ModelSpec, model: &Model) {
    let given = spec.initial.iter().find(|named| named.name == m.name);
    for joint in &model.joints {
        let state = given.and_then(|named| named.value.iter().find(|state| state.name == joint.name));
        let (lower, upper) = joint.limits;
        let q = state.map_or(joint.start, |state| state.value.q);
        if m.keyframe.is_some() || (state.is_none() && joint.mimic.is_some()) || (lower..=upper).contains(&q) {
            continue;
        }
        let (path, name, start) = (site.path, &m.name, show_number(q));
        let limits = format!("{} to {}", show_number(lower), show_number(upper));
        let cure = if state.is_none() { "; give it a position under `initial`" } else { "" };
        site.loader.note(format!(
            "{path}: joint {name}/{} starts at {start}, outside of its limits {limits}: its stop pushes it back{cure}",
            joint.name
        ));
    }
}
