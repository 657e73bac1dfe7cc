//! Diagram file of one model, as `kinegraph import MODEL` writes it and `kinegraph check MODEL` checks it.
//!
//! The text is plain, as a person who knows the format would write it, and is meant to be edited.

use super::catalog::Catalog;
use super::decode::is_name;
use super::file_cache::FileCache;
use super::load::{LoadError, Loaded};
use super::loader::Loader;
use super::notes::{FileNote, condensed};
use super::overrides::Override;
use kinegraph_geometry::{Aabb, Shape, aabb};
use kinegraph_models::{InertiaPolicy, MeshCollisions, MissingMeshes};
use kinegraph_multibody::{Base, InertiaCheck, Joint, JointKind, Kinematics, Model, ModelInstance, Tree};
use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};
use std::fmt::Write;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// Base of an imported model's root link, if its file does not state one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImportBase {
    /// Fixed to the world.
    #[default]
    Fixed,
    /// Free, above a ground.
    Floating,
}

/// A model and the diagram file that simulates it.
#[derive(Debug)]
pub struct ModelDiagram {
    /// The name of the model and of the diagram.
    pub name: String,
    /// The diagram file.
    pub path: PathBuf,
    /// Model file as the diagram file names it.
    file: String,
    /// Folder of the model, if it is not below the folder of the diagram file.
    model_path: Option<String>,
    base: Option<ImportBase>,
    model: Arc<Model>,
    notes: Vec<FileNote>,
    cache: Arc<FileCache>,
}

impl ModelDiagram {
    /// Reads the model in `file` for a diagram file in `folder`.
    ///
    /// # Errors
    /// All faults of the model file.
    pub fn read(catalog: &Catalog, file: &Path, folder: &Path, base: ImportBase) -> Result<Self, LoadError> {
        let (written, model_path) = named_from(folder, file);
        let cache = Arc::new(FileCache::default());
        let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let loader = Loader::new(file)
            .anywhere(catalog.allows_outside())
            .with_integrators(catalog.integrators())
            .sharing(&cache);
        loader.add_model_paths(model_path.iter().map(|path| folder.join(path)));
        let (inertia, meshes) = (InertiaPolicy::default(), MeshCollisions::default());
        let Some(model) = loader.model_with(&folder.join(&written), inertia, MissingMeshes::Error, meshes) else {
            return Err(super::load::failed(&loader, String::new()));
        };
        let name = [model.name.as_str(), &stem].into_iter().find(|name| is_name(name)).unwrap_or("model").to_owned();
        let says_base = model.scene.root_is_world || !model.scene.separate_roots.is_empty();
        Ok(ModelDiagram {
            path: folder.join(format!("{name}.yaml")),
            base: (!says_base).then_some(base),
            file: written,
            notes: loader.take_notes(),
            name,
            model_path,
            model,
            cache,
        })
    }

    /// Notes on how the model file was read.
    pub fn notes(&self) -> &[FileNote] {
        &self.notes
    }

    /// The names of the states in which the model can start.
    pub fn keyframes(&self) -> impl Iterator<Item = &str> {
        self.model.scene.keyframes.iter().map(|key| key.name.as_str())
    }

    /// Reads the diagram, without writing its file and without a block for its actuators, with `overrides`.
    ///
    /// # Errors
    /// All faults of the diagram.
    pub fn load(&self, catalog: &Catalog, overrides: &[Override]) -> Result<Loaded, LoadError> {
        let loader = Loader::new(&self.path)
            .anywhere(catalog.allows_outside())
            .with_integrators(catalog.integrators())
            .sharing(&self.cache);
        // The model is not read again; its notes were taken when it was read.
        self.notes.iter().for_each(|note| loader.note_again(note.clone()));
        catalog.load_text(&self.path, self.text(&[]), overrides, loader)
    }

    /// Text of the diagram file. `actuators` are the names of the model's actuation, which one block drives.
    pub fn text(&self, actuators: &[String]) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = self.write(actuators, &mut text);
        text
    }

    fn write(&self, actuators: &[String], out: &mut String) -> std::fmt::Result {
        let name = &self.name;
        writeln!(out, "# {} as a diagram. Look at it: `kinegraph view {name}.yaml`", comment(&self.file))?;
        writeln!(out, "kinegraph: 1\nname: {}", quoted(name))?;
        if let Some(folder) = &self.model_path {
            writeln!(out, "model_paths: [{}]", quoted(folder))?;
        }
        writeln!(out, "\nsystems:\n  plant:\n    type: multibody_plant")?;
        let floats = self.base == Some(ImportBase::Floating);
        if floats {
            writeln!(out, "    ground: {{}}")?;
        }
        writeln!(out, "    models:\n      - name: {}\n        file: {}", quoted(name), quoted(&self.file))?;
        match self.base {
            None => {}
            Some(ImportBase::Fixed) => {
                writeln!(out, "        base: fixed                      # `floating`: it is free to move")?;
            }
            Some(ImportBase::Floating) => {
                writeln!(out, "        base: floating")?;
                if let Some(z) = lowest(&self.model).filter(|z| z.is_finite() && *z < 0.0) {
                    writeln!(out, "        pose: {{xyz: [0, 0, {:.4}]}}      # just above the ground", CLEARANCE - z)?;
                }
            }
        }
        let start = self.model.scene.keyframes.first();
        if let Some(start) = start {
            let all: Vec<String> = self.keyframes().map(comment).collect();
            writeln!(out, "        keyframe: {}", quoted(&start.name))?;
            lines("        # It can start in: ", &all.join(", "), out)?;
        }
        let away: Vec<_> = self.model.joints.iter().filter_map(|j| Some((&j.name, nearest_to_zero(j)?))).collect();
        if start.is_none() && !self.model.scene.root_is_world && !away.is_empty() {
            writeln!(out, "    initial:                             # zero is beyond the stops of these joints")?;
            writeln!(out, "      {}:", quoted(name))?;
            for (joint, q) in away {
                writeln!(out, "        {}: {{q: {q}}}", quoted(joint))?;
            }
        }
        if !actuators.is_empty() {
            let idle = start.and_then(|key| key.controls.clone()).filter(|controls| controls.len() == actuators.len());
            let values: Vec<String> =
                idle.unwrap_or(vec![0.0; actuators.len()]).iter().map(ToString::to_string).collect();
            writeln!(out, "\n  # What drives the actuators, in this order; a controller can stand here.")?;
            lines("  # ", &actuators.iter().map(|name| comment(name)).collect::<Vec<_>>().join(", "), out)?;
            writeln!(out, "  controls:\n    type: constant")?;
            writeln!(out, "    value: [{}]", values.join(", "))?;
        }
        let rays: Vec<&str> = self.model.scene.rays.iter().map(|rays| rays.name.as_str()).collect();
        let rays: Vec<&str> = rays.into_iter().filter(|name| is_name(name) && !TAKEN.contains(name)).collect();
        if !rays.is_empty() {
            writeln!(out, "\n  # What looks along rays, at the rate of the model file; leave out what nobody reads.")?;
            for sensor in &rays {
                let full = quoted(&format!("{name}/{sensor}"));
                writeln!(out, "  {sensor}: {{type: model_sensor, plant: plant, sensor: {full}}}")?;
            }
        }
        let sensors = self.model.scene.sensors.iter();
        let sensors: Vec<String> = sensors.map(|s| format!("plant.{name}.sensors.{}", comment(&s.name))).collect();
        if !sensors.is_empty() {
            writeln!(out, "\n  # Its sensors are outputs of the plant, which wires and recorded channels name:")?;
            lines("  # ", &sensors.join(", "), out)?;
        }
        if !actuators.is_empty() || !rays.is_empty() {
            writeln!(out, "\nconnections:")?;
        }
        if !actuators.is_empty() {
            writeln!(out, "  - controls.output -> plant.{name}.actuation")?;
        }
        for sensor in &rays {
            writeln!(out, "  - plant.body_poses -> {sensor}.body_poses")?;
        }
        writeln!(out, "\nsimulation: {{integrator: cenic, accuracy: 1.0e-3, duration: 2}}")?;
        writeln!(out, "record: {{every: 0.01}}")?;
        let lift = if floats { CLEARANCE - lowest(&self.model).unwrap_or(0.0).min(0.0) } else { 0.0 };
        if let Some([eye, target]) = view(&self.model, lift) {
            let point = |p: Vector3<f64>| format!("[{:.2}, {:.2}, {:.2}]", p.x, p.y, p.z);
            writeln!(out, "view: {{eye: {}, target: {}}}", point(eye), point(target))?;
        }
        if !self.notes.is_empty() {
            writeln!(out, "\n# What was ignored, assumed or found suspicious in the model file:")?;
            for note in condensed(&self.notes) {
                lines("# - ", &comment(&note.to_string()), out)?;
            }
        }
        Ok(())
    }
}

/// Names of the blocks that every such file may have.
const TAKEN: [&str; 2] = ["plant", "controls"];

/// Height above the ground at which a free model starts \[m\].
const CLEARANCE: f64 = 0.001;

/// Name of `file` in a diagram file in `folder`, and its own folder if that is elsewhere.
fn named_from(folder: &Path, file: &Path) -> (String, Option<String>) {
    let real = |path: &Path| {
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        path.canonicalize().unwrap_or_else(|_| path.to_owned())
    };
    let (folder, file) = (real(folder), real(file));
    let text = |path: &Path| path.to_string_lossy().replace('\\', "/");
    if let Ok(below) = file.strip_prefix(&folder) {
        return (text(below), None);
    }
    let common = folder.components().zip(file.components()).take_while(|(a, b)| a == b).count();
    // Without a common folder, as between two drives, only the absolute path works.
    let shared = folder.components().take(common).any(|part| matches!(part, Component::Normal(_)));
    let relative = |path: &Path| -> PathBuf {
        if !shared {
            return path.to_owned();
        }
        let up = folder.components().skip(common).map(|_| Component::ParentDir);
        up.chain(path.components().skip(common)).collect()
    };
    let parent = file.parent().map(|parent| text(&relative(parent))).unwrap_or_default();
    (text(&relative(&file)), Some(parent))
}

/// Position nearest to zero within the limits of a joint with one axis, if zero is beyond its stops.
fn nearest_to_zero(joint: &Joint) -> Option<f64> {
    let (least, most) = joint.limits;
    let has_one = matches!(joint.kind, JointKind::Revolute | JointKind::Prismatic | JointKind::Screw);
    let near = if least > 0.0 { least } else { most };
    (has_one && joint.mimic.is_none() && least <= most && (least > 0.0 || most < 0.0)).then_some(near)
}

/// Height of the lowest point of the collision shapes, with the root link at the origin and all joints at zero; `None`
/// if there are none.
fn lowest(model: &Model) -> Option<f64> {
    extent(model, |_| true).map(|around| around.min.z)
}

/// Eye and target of the camera for a model lifted this far above the ground. All shapes but those of the world of a
/// scene are in view.
fn view(model: &Model, lift: f64) -> Option<[Vector3<f64>; 2]> {
    let is_scene = model.scene.root_is_world;
    let around = extent(model, |link| !is_scene || link != 0)?;
    let target = (around.min + around.max) * 0.5 + Vector3::z() * lift;
    let size = (around.max - around.min).norm().max(0.1);
    (target.amax() + size < 1e4).then(|| [target + Vector3::new(0.9, -1.2, 0.6) * size, target])
}

/// Bounding box of the collision shapes of the links, by index, for which `counts` is true, with the root link at the
/// origin and all joints at zero.
fn extent(model: &Model, counts: impl Fn(usize) -> bool) -> Option<Aabb> {
    const NAME: &str = "m";
    let instance = ModelInstance { name: NAME.into(), model, base: Base::fixed() };
    let (tree, _) = Tree::assemble(&[instance], InertiaCheck::Lenient).ok()?;
    let mut k = Kinematics::<f64>::default();
    tree.position_kinematics(tree.initial_positions(), &mut k);
    let mut around: Option<Aabb> = None;
    for (_, link) in model.links.iter().enumerate().filter(|(i, _)| counts(*i)) {
        let Some(body) = tree.body(&format!("{NAME}/{}", link.name)) else { continue };
        let X = tree.X_WB(&k, body);
        let X_WB = Isometry3::from_parts(Translation3::from(X.p_WB), UnitQuaternion::from_matrix(&X.R_WB));
        for collision in link.collisions.iter().filter(|c| !matches!(c.shape, Shape::HalfSpace)) {
            let own = aabb(&collision.shape, &(X_WB * collision.X_BG));
            around = Some(around.map_or(own, |all| Aabb { min: all.min.inf(&own.min), max: all.max.sup(&own.max) }));
        }
    }
    around
}

/// Quotes a text for YAML, with the syntax of JSON strings.
fn quoted(text: &str) -> String {
    let is_plain = is_name(text) && !["yes", "no", "on", "off", "true", "false", "null", "y", "n"].contains(&text);
    if is_plain { text.to_owned() } else { serde_json::Value::from(text).to_string() }
}

/// Puts a text of a comment in one line.
fn comment(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// Writes a comment in lines of at most about 110 characters.
fn lines(first: &str, text: &str, out: &mut String) -> std::fmt::Result {
    const WIDTH: usize = 110;
    let next = format!("{}# {}", &first[..first.find('#').unwrap_or(0)], if first.ends_with("- ") { "  " } else { "" });
    let mut line = first.to_owned();
    for (i, word) in text.split(' ').enumerate() {
        if i > 0 && line.chars().count() + word.chars().count() >= WIDTH {
            writeln!(out, "{}", line.trim_end())?;
            line.clone_from(&next);
        }
        let _ = write!(line, "{word} ");
    }
    writeln!(out, "{}", line.trim_end())
}
