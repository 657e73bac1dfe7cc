//! From the elements of an MJCF file to a model.

use super::attach::Attached;
use super::bodies::Bodies;
use super::classes::Classes;
use super::contacts::{Listed, Touched};
use super::element::Element;
use super::equalities::{self, Equalities, Named};
use super::geoms::{self, Form, Geom};
use super::log::Log;
use super::materials::Materials;
use super::meshes::{MeshCache, Meshes};
use super::names::Names;
use super::orientation::{least_turn, pose};
use super::settings::Settings;
use super::solids::Solid;
use super::{
    actuators, aligned, cables, composites, contacts, determined, flexible, fluids, inertials, joints, keyframes,
    recognition, replicate, sensors,
};
use super::{soft_equalities, soft_friction, soft_stops, spring_dampers, surfaces, tendons};
use crate::faults::MjcfFault;
use crate::mesh::Collides;
use crate::notes::MjcfNote;
use crate::options::MissingMeshes;
use kinegraph_core::scene::Geometry;
use kinegraph_geometry::{ExactMesh, Shape};
use kinegraph_multibody::scene_data::{CouplingLaw, LinkFrame};
use kinegraph_multibody::{Collision, Inertia, JointKind, Link, Model, Visual};
use nalgebra::{Isometry3, UnitQuaternion, Vector3};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

/// The model whose outermost element is `root`.
pub(super) fn model(root: &Element, attached: &[Attached], source_name: &str, log: &mut Log<'_>) -> Model {
    if root.name != "mujoco" {
        log.fault(&root.at, MjcfFault::NotMujoco { found: root.name.clone() });
        return Model::default();
    }
    recognition::check_children(root, log);
    let deformable = root.all("deformable").chain(root.all("asset")).flat_map(|section| &section.children);
    let unread = deformable.filter(|child| matches!(child.name.as_str(), "flex" | "skin"));
    unread.for_each(|child| flexible::note(child, log));
    let settings = Settings::read(root, attached, log);
    let written_out = replicate::expanded(root, &settings, log);
    let root = written_out.as_ref().unwrap_or(root);
    let of_composites = composites::expanded(root, &settings, log);
    let root = of_composites.as_ref().unwrap_or(root);
    let classes = Classes::read(root, log);
    let meshes = Meshes::read(root, &classes, &settings, log);
    let materials = Materials::read(root, &classes, &settings, log);
    let mut cache = MeshCache::default();
    let bodies = Bodies::read(root, &classes, &settings, log);
    let (joints, mut model_joints, between) = joints::read(&bodies, &classes, &settings, log);
    let (geoms, geom_names) = geoms::read(&bodies, &classes, &settings, &meshes, &mut cache, log);
    let inertias = inertials::read(&bodies.bodies, &geoms, &meshes, &mut cache, &settings, log);
    let masses = moving_masses(&bodies, &inertias);
    let mut links: Vec<Link> = bodies
        .bodies
        .iter()
        .zip(&inertias)
        .map(|(body, inertia)| Link { name: body.name.clone(), inertia: *inertia, ..Link::default() })
        .collect();
    let body_names: Vec<String> = bodies.bodies.iter().map(|body| body.name.clone()).collect();
    let mut shapes = Shapes {
        meshes: &meshes,
        materials: &materials,
        cache: &mut cache,
        settings: &settings,
        bodies: &body_names,
        paired: contacts::paired(root),
        mapped: None,
    };
    for geom in &geoms {
        shapes.add(geom, masses[geom.body], &mut links[geom.body], log);
    }
    if let Some((count, first, law)) = shapes.mapped {
        let (stiffness, dissipation) = law;
        log.note(&root.at, MjcfNote::ContactMapped { count, first, stiffness, dissipation });
    }
    let names: Vec<String> = links.iter().map(|link| link.name.clone()).collect();
    links.extend(between);
    let (frames, site_names) = sites(&bodies, &classes, &settings, log);
    let mut acting = tendons::Acting::default();
    let places = tendons::Places {
        joints: &joints,
        bodies: &body_names,
        geoms: (&geom_names, &geoms),
        sites: (&site_names, &frames),
    };
    let tendons = tendons::read(root, &classes, &settings, &places, &mut model_joints, &mut acting, log);
    let mut model = Model { name: model_name(root, source_name), links, joints: model_joints, ..Model::default() };
    model.scene.root_is_world = true;
    model.scene.gravity = Some(settings.gravity);
    let geom_titles: Vec<String> = geoms.iter().map(|g| g.name.clone()).collect();
    let listed_bodies = Listed { names: &bodies.names, titles: &names };
    let listed_geoms = Listed { names: &geom_names, titles: &geom_titles };
    let touched = Touched {
        bodies: listed_bodies,
        geoms: listed_geoms,
        masses: geoms.iter().map(|geom| masses[geom.body]).collect(),
        enabled: settings.contact,
        g: settings.gravity.norm(),
    };
    contacts::read(root, &classes, &touched, &mut model.scene, log);
    model.scene.tendons = acting.fixed;
    model.scene.tendons.extend(joints.all.iter().filter_map(joints::Written::higher_terms));
    model.scene.spatial_tendons = acting.spatial;
    let carried = bodies.bodies.iter().filter(|body| body.carried != 0.0 && settings.passive());
    model.scene.carried = carried.map(|body| (body.name.clone(), body.carried)).collect();
    let turned = joints.all.iter().filter(|joint| joint.turn != 0.0);
    let turns = turned.map(|joint| joint.turn_spring(&model.joints[joint.index]));
    model.scene.turns = turns.collect();
    let ranges = joints.all.iter().filter_map(|joint| Some((joint.name.clone(), joint.efforts?)));
    model.scene.effort_ranges = ranges.collect();
    model.scene.bends = cables::read(root, &bodies, &geoms, log);
    model.scene.mocap = bodies.bodies.iter().filter(|body| body.mocap).map(|body| body.name.clone()).collect();
    let filled = fluids::Filled { bodies: &bodies.bodies, geoms: &geoms, inertias: &inertias, meshes: &meshes };
    model.scene.immersed = fluids::read(&filled, &mut cache, &settings, log);
    let sites = (&site_names, &frames[..]);
    let driven = actuators::Driven { joints: &joints, tendons: &tendons, sites, bodies: &touched.bodies };
    let actuators = actuators::read(root, &classes, &driven, &settings, log);
    actuators::load(&actuators, &mut model, log);
    let named = Named {
        bodies: &bodies,
        joints: &joints,
        model_joints: &model.joints,
        sites: (&site_names, &frames),
        tendons: &tendons,
    };
    let sensed = sensors::Sensed {
        bodies: &bodies,
        inertias: &inertias,
        joints: &joints,
        geoms: (&geom_names, &geoms),
        sites: (&site_names, &frames),
        tendons: &tendons,
        actuators: &actuators,
        classes: &classes,
    };
    model.scene.sensors = sensors::read(root, &sensed, log);
    let Equalities { couplings, soft, strings } = equalities::read(root, &classes, &named, log);
    if settings.equality {
        model.scene.couplings = couplings;
    }
    model.scene.frames = frames;
    let free = aligned::frames(&bodies, &joints, &model.joints, &geoms, &inertias, &settings, log);
    model.scene.keyframes = keyframes::read(root, &joints, &model.joints, &actuators, &free, log);
    model.scene.actuators = actuators.iter().map(|written| written.actuator.clone()).collect();
    if !settings.parents_apart {
        log.differs(root, "lets bodies touch their parents (filterparent), which they do not here");
    }
    hold_massless(&mut model, &joints, log);
    spring_dampers::resolve(&mut model, &joints, &settings, log);
    soft_stops::resolve(&mut model, &joints, &tendons, log);
    soft_friction::resolve(&mut model, root, log);
    actuators::resolve(actuators, &joints, &mut model, log);
    soft_equalities::resolve(&mut model, &soft, log);
    if settings.equality {
        soft_equalities::hold(&mut model, &strings, log);
    }
    determined::check(&model, &joints, log);
    model
}

fn model_name(root: &Element, source_name: &str) -> String {
    let stem = Path::new(source_name).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    root.value("model").map(str::to_owned).or(stem).filter(|name| !name.is_empty()).unwrap_or("model".to_owned())
}

/// The mass that moves with each body: of all bodies that hang on the same body of the world; infinite of what stands
/// still.
fn moving_masses(bodies: &Bodies<'_>, inertias: &[Option<Inertia>]) -> Vec<f64> {
    let mut root_of = vec![0; bodies.bodies.len()];
    let mut sums = vec![0.0; bodies.bodies.len()];
    for (b, body) in bodies.bodies.iter().enumerate().skip(1) {
        root_of[b] = match root_of[body.parent] {
            0 if body.joints.is_empty() => 0,
            0 => b,
            root => root,
        };
        sums[root_of[b]] += inertias[b].map_or(0.0, |inertia| inertia.mass);
    }
    sums[0] = f64::INFINITY;
    root_of.into_iter().map(|root| sums[root]).collect()
}

fn sites(bodies: &Bodies<'_>, classes: &Classes, settings: &Settings, log: &mut Log<'_>) -> (Vec<LinkFrame>, Names) {
    let parts: Vec<_> =
        bodies.bodies.iter().flat_map(|body| body.sites.iter().map(move |site| (body, *site))).collect();
    let named: Vec<_> = parts.iter().map(|(body, site)| (site.element, format!("{}_site", body.name))).collect();
    let (names, found) = Names::of("site", &named, log);
    let frames = parts.iter().zip(found).map(|((body, site), name)| {
        recognition::check_attributes(site.element, log);
        let f = classes.fields(site.element, "site", site.class, log);
        let mut X = pose(&f, settings, log);
        if let Some([a, b, c, d, e, g]) = f.exactly::<6>("fromto", log) {
            let (from, to) = (Vector3::new(a, b, c), Vector3::new(d, e, g));
            let turn = if from == to { UnitQuaternion::identity() } else { least_turn(&(from - to)) };
            X = Isometry3::from_parts(((from + to) / 2.0).into(), turn);
        }
        LinkFrame { name, link: body.name.clone(), X_LF: site.X_BF * X }
    });
    (frames.collect(), names)
}

/// Fixes the joints at the ends that move nothing with mass: nothing determines their motion.
fn hold_massless(model: &mut Model, joints: &joints::Joints<'_>, log: &mut Log<'_>) {
    let mut links = HashMap::new();
    for (i, link) in model.links.iter().enumerate() {
        links.entry(link.name.as_str()).or_insert(i);
    }
    let index = |name: &str| links.get(name).copied();
    let mut carries: Vec<bool> = model.links.iter().map(|link| link.inertia.is_some()).collect();
    let ends: Vec<_> = model.joints.iter().map(|joint| index(&joint.parent).zip(index(&joint.child))).collect();
    // Joints stand parents first.
    for (parent, child) in ends.iter().rev().flatten() {
        carries[*parent] |= carries[*child];
    }
    for joint in &joints.all {
        let Some((_, child)) = ends[joint.index] else { continue };
        let of_model = &mut model.joints[joint.index];
        if carries[child] || of_model.armature > 0.0 {
            continue;
        }
        log.differs(joint.part.element, "moves nothing that has mass; it is fixed where it stands");
        of_model.kind = JointKind::Fixed;
        let name = of_model.name.clone();
        model.scene.actuators.iter_mut().for_each(|a| a.joints.retain(|(driven, _)| *driven != name));
        model.scene.couplings.retain(|c| match &c.law {
            CouplingLaw::Joints { joints, .. } => joints.iter().all(|(j, _)| *j != name),
            CouplingLaw::Polynomial { sums, .. } => sums.iter().flatten().all(|(j, _)| *j != name),
            _ => true,
        });
        model.scene.tendons.iter_mut().for_each(|t| t.joints.retain(|(pulled, _)| *pulled != name));
        model.scene.effort_ranges.retain(|(limited, _)| *limited != name);
        model.scene.keyframes.clear();
        model.scene.sensors.retain(|sensor| !sensor.quantity.is_of_joint(&name));
    }
}

/// Geoms of groups up to this one are drawn, as the format's own viewer does where nothing else is asked for; the
/// groups after it are mostly those that touch in place of what is drawn.
const LAST_SEEN_GROUP: f64 = 2.0;

/// Puts geoms on links.
struct Shapes<'a, 'm> {
    meshes: &'a Meshes<'m>,
    materials: &'a Materials,
    cache: &'a mut MeshCache,
    settings: &'a Settings,
    /// Names of the bodies.
    bodies: &'a [String],
    /// Names of geoms that touch in pairs.
    paired: HashSet<&'a str>,
    /// How many geoms had contact parameters read, and the first one's name, stiffness and dissipation.
    mapped: Option<(usize, String, (f64, f64))>,
}

impl Shapes<'_, '_> {
    fn add(&mut self, geom: &Geom<'_>, mass: f64, link: &mut Link, log: &mut Log<'_>) {
        let f = &geom.fields;
        let law = surfaces::law(f, self.settings.gravity.norm(), log).filter(|_| mass.is_finite());
        let mut surface = surfaces::surface(f, law, mass, self.settings.contact, log);
        if let Form::Plane(half_size) = geom.form {
            surface.sheet = Some(half_size);
        }
        let in_pair = self.settings.contact && self.paired.contains(geom.name.as_str());
        let touches = in_pair || surface.kind != 0 || surface.touches != 0;
        if touches && surface.stiffness.is_finite() {
            let law = (surface.stiffness, surface.dissipation);
            self.mapped.get_or_insert_with(|| (0, geom.name.clone(), law)).0 += 1;
        }
        let appearance = self.materials.of(f, geom.form, log);
        let seen = geom.group <= LAST_SEEN_GROUP;
        let mut drawn = !seen;
        if let (Form::Mesh(mesh), true) = (geom.form, seen)
            && let Some((geometry, X_GM)) = self.meshes.to_look_at(mesh)
        {
            let (name, X_BG) = (geom.name.clone(), geom.X_BG * X_GM);
            link.visuals.push(Visual { name, X_BG, geometry, appearance: appearance.clone() });
            drawn = true;
        }
        // What nothing touches is only drawn; a mesh of it is not worth reading here.
        let shapes = match geom.form {
            Form::Mesh(_) | Form::HeightField(_) if !touches => return,
            form => self.shapes(form, geom, touches, log),
        };
        for (name, shape) in shapes {
            let X_BG = geom.X_BG;
            if !drawn {
                let (geometry, appearance) = (Geometry::from(&shape), appearance.clone());
                link.visuals.push(Visual { name: name.clone(), X_BG, geometry, appearance });
            }
            if touches {
                link.collisions.push(Collision { name, X_BG, shape, surface: Some(surface) });
            }
        }
    }

    /// The shapes of a geom with their names: one, several of a mesh in parts, or none of what is lost.
    fn shapes(&mut self, form: Form, geom: &Geom<'_>, touches: bool, log: &mut Log<'_>) -> Vec<(String, Shape)> {
        let element = geom.fields.element;
        let lost = |why: String, log: &mut Log<'_>| {
            if touches {
                log.note(&element.at, MjcfNote::NoShape { element: element.describe(), why });
            }
            Vec::new()
        };
        let shape = match form {
            Form::Plane(_) => Shape::HalfSpace,
            Form::Solid(Solid::Sphere { r }) => Shape::Sphere { radius: r },
            Form::Solid(Solid::Capsule { r, l }) => Shape::Capsule { radius: r, half_length: l },
            Form::Solid(Solid::Cylinder { r, l }) => Shape::Cylinder { radius: r, half_length: l },
            Form::Solid(Solid::Box(half_extents)) => Shape::Box { half_extents },
            Form::Solid(Solid::Ellipsoid(axes)) if axes.min() == axes.max() => Shape::Sphere { radius: axes.x },
            Form::Solid(Solid::Ellipsoid(semi_axes)) => Shape::Ellipsoid { semi_axes },
            Form::HeightField(field) => match self.meshes.height_fields.mesh(field) {
                // Its fault is known.
                None => return Vec::new(),
                Some(mesh) => {
                    log.note(&element.at, of_triangles(element, mesh));
                    Shape::Mesh(Arc::clone(mesh))
                }
            },
            Form::Mesh(mesh) => return self.mesh(mesh, geom, lost, log),
            Form::Other(why) => return lost(why.to_owned(), log),
        };
        vec![(geom.name.clone(), shape)]
    }

    fn mesh(
        &mut self,
        mesh: usize,
        geom: &Geom<'_>,
        lost: impl FnOnce(String, &mut Log<'_>) -> Vec<(String, Shape)>,
        log: &mut Log<'_>,
    ) -> Vec<(String, Shape)> {
        let element = geom.fields.element;
        let how = log.options().meshes.of(&self.bodies[geom.body], &geom.name);
        match self.meshes.collides(mesh, how, self.cache) {
            Ok(found) => {
                let title = element.describe();
                log.note(
                    &element.at,
                    match &found {
                        Collides::Hull { hull, .. } => {
                            MjcfNote::Hull { element: title, vertices: hull.vertices().len() }
                        }
                        Collides::Parts { parts, error } => {
                            MjcfNote::Decomposed { element: title, parts: parts.len(), error: 100.0 * error }
                        }
                        Collides::Exact(mesh) => of_triangles(element, mesh),
                    },
                );
                found.shapes(&geom.name)
            }
            Err(fault) if log.options().missing_meshes == MissingMeshes::Ignore => lost(fault.to_string(), log),
            Err(fault) => {
                let (link, filename) = (element.describe(), self.meshes.describe(mesh));
                log.fault(&element.at, crate::faults::FaultKind::MeshMissing { link, filename, fault });
                Vec::new()
            }
        }
    }
}

fn of_triangles(element: &Element, mesh: &ExactMesh) -> MjcfNote {
    MjcfNote::Exact { element: element.describe(), triangles: mesh.triangles().len(), faces: mesh.num_faces() }
}
