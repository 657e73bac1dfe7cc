//! Contact models of the shapes of a plant, and their compliance.
//!
//! The compliance of a shape comes from four places, of which the first that states a value counts: the plant's entry
//! for the shape, for its link, or for its model; its model file; the plant's entry for all shapes.

use super::collision::CollisionWorld;
use super::collision_geometry::Geometry;
use super::error::PlantError;
use super::model::PlantModel;
use super::pressure_field::{RESOLUTION, pressure_field};
use super::volume::VolumeSide;
use crate::proximity::Proximity;
use crate::{AssemblyWarning, Tree};
use kinegraph_core::names::nearest;
use kinegraph_geometry::hydroelastic::Volume;

/// Contact models.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContactModel {
    /// Points.
    #[default]
    Point,
    /// Contact surfaces on which pressures balance; a pair that has none is a fault.
    Hydroelastic,
    /// Contact surfaces; pairs that have none touch in points.
    HydroelasticWithFallback,
    /// Volumes of overlap; a pair that shares none is a fault.
    Volume,
}

/// Contact model of a plant, and compliance of its shapes.
#[derive(Clone, Debug, PartialEq)]
pub struct Hydroelastics {
    /// Contact model.
    pub model: ContactModel,
    /// Compliance of all shapes but the ground. By default they are compliant, with a modulus of 1e7 Pa.
    pub bodies: Proximity,
    /// Compliance of the ground. By default it is rigid.
    pub ground: Proximity,
    /// Discretization of curved shapes.
    pub volume: Volume,
    /// Compliance of particular shapes: by the name of a model, of a link (`model/link`), of a shape
    /// (`model/link/shape`), or `ground`.
    pub named: Vec<(String, Proximity)>,
}

impl Default for Hydroelastics {
    fn default() -> Self {
        Hydroelastics {
            model: ContactModel::Point,
            bodies: Proximity::compliant(1e7),
            ground: Proximity::rigid(),
            volume: Volume::Preserved,
            named: Vec::new(),
        }
    }
}

/// Sets the material of every shape, and gives shapes that touch with surfaces their pressure fields.
pub(super) fn place(
    world: &mut CollisionWorld,
    settings: &Hydroelastics,
    tree: &Tree,
    models: &[PlantModel],
    faults: &mut Vec<PlantError>,
) {
    check_names(world, settings, tree, models, faults);
    let written = written_in_files(tree, models);
    let (mut body, mut shape) = (usize::MAX, 0);
    for g in world.geometries_mut() {
        // Shapes of one body are consecutive, in the order of its link.
        shape = if g.body == body && !g.ground { shape + 1 } else { 0 };
        body = if g.ground { usize::MAX } else { g.body };
        let name = full_name(g, tree);
        let said = settings.named.iter().filter(|(of, _)| applies(of, &name));
        let mut said: Vec<&(String, Proximity)> = said.collect();
        said.sort_by_key(|(of, _)| std::cmp::Reverse(of.len()));
        let plant = said.iter().fold(Proximity::default(), |all, (_, one)| all.or(*one));
        let file = written.iter().find(|(b, s, _)| !g.ground && (*b, *s) == (g.body, shape));
        let file = file.map_or_else(Proximity::default, |(.., proximity)| *proximity);
        let proximity = plant.or(file);
        g.set_material(&proximity);
        if settings.model == ContactModel::Volume {
            let said = proximity.or(if g.ground { settings.ground } else { settings.bodies });
            let resolution = said.resolution.unwrap_or(RESOLUTION * g.shape.half_thickness());
            match VolumeSide::new(&g.shape, &said, resolution, settings.volume) {
                Ok(side) => g.volume = side,
                Err(error) => faults.push(PlantError::Volume { shape: name, error }),
            }
        } else if settings.model != ContactModel::Point {
            let all = if g.ground { settings.ground } else { settings.bodies };
            match pressure_field(&g.shape, &proximity.or(all), settings.volume) {
                Ok(field) => g.pressure = field,
                Err(error) => faults.push(PlantError::PressureField { shape: name, error }),
            }
        }
    }
    world.grow_by_bulges();
}

/// The name of a shape: `model/link/shape`, or `ground`.
pub(super) fn full_name(g: &Geometry, tree: &Tree) -> String {
    match (g.ground, g.name.as_str()) {
        (true, _) => "ground".into(),
        (false, "") => tree.bodies()[g.body].name.clone(),
        (false, name) => format!("{}/{name}", tree.bodies()[g.body].name),
    }
}

/// True if the entry for `of` applies to the shape of this name.
fn applies(of: &str, name: &str) -> bool {
    name.strip_prefix(of).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn check_names(
    world: &CollisionWorld,
    settings: &Hydroelastics,
    tree: &Tree,
    models: &[PlantModel],
    faults: &mut Vec<PlantError>,
) {
    let shapes: Vec<String> = world.geometries().iter().map(|g| full_name(g, tree)).collect();
    for (of, _) in &settings.named {
        if !shapes.iter().any(|name| applies(of, name)) && !models.iter().any(|model| model.name == *of) {
            let links = tree.bodies().iter().map(|body| body.name.as_str());
            let known = shapes.iter().map(String::as_str).chain(links).chain(models.iter().map(|m| m.name.as_str()));
            let nearest = nearest(of, known);
            faults.push(PlantError::Unknown { kind: "model, link or shape", name: of.clone(), nearest });
        }
    }
}

/// Compliances in model files: body, index among the shapes of its link, compliance.
fn written_in_files(tree: &Tree, models: &[PlantModel]) -> Vec<(usize, usize, Proximity)> {
    let mut written = Vec::new();
    for model in models {
        for link in model.model.links.iter().filter(|link| !link.proximity.is_empty()) {
            if let Some(body) = tree.body(&format!("{}/{}", model.name, link.name)) {
                written.extend(link.proximity.iter().map(|(shape, proximity)| (body, *shape, *proximity)));
            }
        }
    }
    written
}

/// Maximum number of pairs without a surface that are named.
const NAMED: usize = 10;

/// Reports pairs that may touch and have no surface: as faults of a plant that requires one for every pair, otherwise
/// as a warning.
pub(super) fn check_pairs(
    world: &CollisionWorld,
    settings: &Hydroelastics,
    tree: &Tree,
    faults: &mut Vec<PlantError>,
) -> Option<AssemblyWarning> {
    if settings.model == ContactModel::Point {
        return None;
    }
    let shapes = world.geometries();
    let (mut count, mut first) = (0, None);
    for i in 0..shapes.len() {
        for j in (0..i).filter(|&j| world.may_touch(j, i)) {
            if settings.model == ContactModel::Volume {
                let why = match (&shapes[j].volume, &shapes[i].volume) {
                    (Some(a), Some(b)) => a.cannot_meet(b),
                    _ => Some("one of them takes no part"),
                };
                if let Some(why) = why.filter(|_| count < NAMED) {
                    count += 1;
                    let shapes = [j, i].map(|shape| full_name(&shapes[shape], tree));
                    faults.push(PlantError::NoContactVolume { shapes, why });
                }
                continue;
            }
            let why = match (&shapes[j].pressure, &shapes[i].pressure) {
                (Some(a), Some(b)) => match a.field.meets(&b.field) {
                    Ok(()) => continue,
                    Err(why) => why.to_string(),
                },
                _ => "one of them has no pressure field".into(),
            };
            let shapes = [j, i].map(|shape| full_name(&shapes[shape], tree));
            count += 1;
            if settings.model == ContactModel::Hydroelastic && count <= NAMED {
                faults.push(PlantError::NoContactSurface { shapes: shapes.clone(), why: why.clone() });
            }
            first.get_or_insert((shapes, why));
        }
    }
    let (shapes, why) = first?;
    (settings.model != ContactModel::Hydroelastic).then_some(AssemblyWarning::TouchInPoints {
        pairs: count,
        shapes,
        why,
    })
}
