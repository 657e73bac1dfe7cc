//! Poses and shapes in the schemas of Foxglove, which its program and others can draw
//! <https://docs.foxglove.dev/docs/sdk/schemas>.

use kinegraph_engine::scene::{Appearance, Geometry, PlantScene, Pose, Scene, SceneShape};
use serde_json::{Value, json};

pub const TRANSFORMS: &str = "foxglove.FrameTransforms";
pub const SCENE_UPDATE: &str = "foxglove.SceneUpdate";
/// Name of the world frame.
pub const WORLD: &str = "world";
/// Edge of the square that represents a half-space \[m\].
const GROUND_EDGE: f64 = 20.0;

/// Name of the frame of a body.
pub fn frame(plant: &PlantScene, body: usize) -> String {
    if body == 0 { WORLD.to_owned() } else { format!("{}/{}", plant.name, plant.bodies[body].name) }
}

pub fn timestamp(nanoseconds: u64) -> Value {
    json!({ "sec": nanoseconds / 1_000_000_000, "nsec": nanoseconds % 1_000_000_000 })
}

pub fn pose(pose: &Pose) -> Value {
    json!({ "position": vector(pose.xyz), "orientation": quaternion(pose.quat) })
}

pub fn vector([x, y, z]: [f64; 3]) -> Value {
    json!({ "x": x, "y": y, "z": z })
}

pub fn quaternion([w, x, y, z]: [f64; 4]) -> Value {
    json!({ "x": x, "y": y, "z": z, "w": w })
}

fn object(properties: Value) -> Value {
    json!({ "type": "object", "properties": properties })
}

fn array(items: Value) -> Value {
    json!({ "type": "array", "items": items })
}

fn numbers(names: &[&str]) -> Value {
    object(
        names
            .iter()
            .map(|name| ((*name).to_owned(), json!({ "type": "number" })))
            .collect::<serde_json::Map<_, _>>()
            .into(),
    )
}

/// The schema of a time.
pub fn time_schema() -> Value {
    object(json!({ "sec": { "type": "integer" }, "nsec": { "type": "integer" } }))
}

/// The schema of a pose.
pub fn pose_schema() -> Value {
    object(json!({ "position": numbers(&["x", "y", "z"]), "orientation": numbers(&["x", "y", "z", "w"]) }))
}

/// The schema of [`TRANSFORMS`].
pub fn transforms_schema() -> Value {
    let text = json!({ "type": "string" });
    object(json!({
        "transforms": array(object(json!({
            "timestamp": time_schema(),
            "parent_frame_id": text,
            "child_frame_id": text,
            "translation": numbers(&["x", "y", "z"]),
            "rotation": numbers(&["x", "y", "z", "w"]),
        }))),
    }))
}

/// The schema of [`SCENE_UPDATE`], with the fields in use.
pub fn scene_schema() -> Value {
    let text = json!({ "type": "string" });
    let (point, pose) = (numbers(&["x", "y", "z"]), pose_schema());
    let color = numbers(&["r", "g", "b", "a"]);
    let solid = || array(object(json!({ "pose": pose, "size": point, "color": color })));
    object(json!({
        "deletions": array(object(json!({ "timestamp": time_schema(), "type": { "type": "integer" }, "id": text }))),
        "entities": array(object(json!({
            "timestamp": time_schema(),
            "frame_id": text,
            "id": text,
            "lifetime": time_schema(),
            "frame_locked": { "type": "boolean" },
            "metadata": array(object(json!({ "key": text, "value": text }))),
            "arrows": array(json!({ "type": "object" })),
            "cubes": solid(),
            "spheres": solid(),
            "cylinders": array(object(json!({
                "pose": pose, "size": point, "bottom_scale": { "type": "number" }, "top_scale": { "type": "number" },
                "color": color,
            }))),
            "lines": array(json!({ "type": "object" })),
            "triangles": array(object(json!({
                "pose": pose, "points": array(point.clone()), "color": color, "colors": array(color.clone()),
                "indices": array(json!({ "type": "integer" })),
            }))),
            "texts": array(json!({ "type": "object" })),
            "models": array(object(json!({
                "pose": pose, "scale": point, "color": color, "override_color": { "type": "boolean" }, "url": text,
                "media_type": text, "data": { "type": "string", "contentEncoding": "base64" },
            }))),
        }))),
    }))
}

/// All bodies with shapes, each an entity in its own frame, with its visual shapes or, if it has none, its collision
/// shapes.
pub fn scene_update(scene: &Scene, nanoseconds: u64) -> Value {
    let mut entities = Vec::new();
    let mut room = MAX_MESHES_BYTES;
    for plant in &scene.plants {
        for (index, body) in plant.bodies.iter().enumerate() {
            let shapes = if body.visuals.is_empty() { &body.collisions } else { &body.visuals };
            let mut entity = Entity::default();
            shapes.iter().for_each(|shape| entity.add(shape, &mut room));
            if index == 0
                && let Some(height) = plant.ground
            {
                entity.slab(&Pose { xyz: [0.0, 0.0, height], quat: [1.0, 0.0, 0.0, 0.0] }, &color(None));
            }
            if !entity.is_empty() {
                entities.push(entity.json(&format!("{}/{}", plant.name, body.name), &frame(plant, index), nanoseconds));
            }
        }
    }
    json!({ "deletions": [], "entities": entities })
}

/// The shapes of a body.
#[derive(Default)]
struct Entity {
    cubes: Vec<Value>,
    spheres: Vec<Value>,
    cylinders: Vec<Value>,
    triangles: Vec<Value>,
    models: Vec<Value>,
}

/// A cylinder along z.
struct Cylinder {
    /// Radius at the bottom \[m\].
    radius: f64,
    /// The radius at the top over that at the bottom.
    top_scale: f64,
    /// Height \[m\].
    length: f64,
}

impl Entity {
    fn is_empty(&self) -> bool {
        [&self.cubes, &self.spheres, &self.cylinders, &self.triangles, &self.models].iter().all(|list| list.is_empty())
    }

    /// Adds a shape; mesh files are included as long as there is `room` for them \[bytes\].
    fn add(&mut self, shape: &SceneShape, room: &mut u64) {
        let (at, color) = (pose(&shape.pose), color(shape.appearance.as_ref()));
        match &shape.geometry {
            Geometry::Sphere { radius } => self.sphere(&shape.pose, *radius, &color),
            Geometry::Box { size } => self.cubes.push(json!({ "pose": at, "size": vector(*size), "color": color })),
            Geometry::Ellipsoid { semi_axes } => {
                let size = vector(semi_axes.map(|radius| 2.0 * radius));
                self.spheres.push(json!({ "pose": at, "size": size, "color": color }));
            }
            Geometry::Cylinder { radius, length } => {
                self.cylinder(&at, Cylinder { radius: *radius, top_scale: 1.0, length: *length }, &color)
            }
            Geometry::Cone { radius, length } => {
                self.cylinder(&at, Cylinder { radius: *radius, top_scale: 0.0, length: *length }, &color)
            }
            Geometry::Capsule { radius, length } => {
                self.cylinder(&at, Cylinder { radius: *radius, top_scale: 1.0, length: *length }, &color);
                for end in [-0.5, 0.5] {
                    self.sphere(&along_z(&shape.pose, end * length), *radius, &color);
                }
            }
            Geometry::Triangles { vertices, triangles } => self.triangles(&at, vertices, triangles.concat(), &color),
            Geometry::Hull { vertices, faces } => {
                // Each face becomes a fan of triangles.
                let fans =
                    faces.iter().flat_map(|face| (2..face.len()).flat_map(move |i| [face[0], face[i - 1], face[i]]));
                self.triangles(&at, vertices, fans.collect(), &color);
            }
            Geometry::Mesh { source, scale } => {
                if let Some((media_type, data)) = source.file.as_deref().and_then(|file| file_data(file, room)) {
                    let overrides = shape.appearance.as_ref().is_some_and(|look| look.rgba.is_some());
                    self.models.push(json!({
                        "pose": at, "scale": vector(*scale), "color": color, "override_color": overrides, "url": "",
                        "media_type": media_type, "data": data,
                    }));
                }
            }
            Geometry::HalfSpace => self.slab(&shape.pose, &color),
        }
    }

    fn triangles(&mut self, at: &Value, vertices: &[[f64; 3]], indices: Vec<u32>, color: &Value) {
        let points: Vec<Value> = vertices.iter().map(|v| vector(*v)).collect();
        let mesh = json!({ "pose": at, "points": points, "color": color, "colors": [], "indices": indices });
        self.triangles.push(mesh);
    }

    fn sphere(&mut self, at: &Pose, radius: f64, color: &Value) {
        self.spheres.push(json!({ "pose": pose(at), "size": vector([2.0 * radius; 3]), "color": color }));
    }

    fn cylinder(&mut self, at: &Value, Cylinder { radius, top_scale, length }: Cylinder, color: &Value) {
        self.cylinders.push(json!({
            "pose": at, "size": vector([2.0 * radius, 2.0 * radius, length]), "bottom_scale": 1.0,
            "top_scale": top_scale, "color": color,
        }));
    }

    /// A thin plate whose upper side is the plane z = 0 of the frame.
    fn slab(&mut self, at: &Pose, color: &Value) {
        let size = [GROUND_EDGE, GROUND_EDGE, 0.01];
        self.cubes.push(json!({ "pose": pose(&along_z(at, -0.005)), "size": vector(size), "color": color }));
    }

    fn json(self, id: &str, frame: &str, nanoseconds: u64) -> Value {
        let Entity { cubes, spheres, cylinders, triangles, models } = self;
        json!({
            "timestamp": timestamp(nanoseconds), "frame_id": frame, "id": id, "lifetime": timestamp(0),
            "frame_locked": true, "metadata": [], "arrows": [], "cubes": cubes, "spheres": spheres,
            "cylinders": cylinders, "lines": [], "triangles": triangles, "texts": [], "models": models,
        })
    }
}

/// The pose moved along its own z axis.
fn along_z(pose: &Pose, z: f64) -> Pose {
    let [w, x, y, q] = pose.quat;
    let axis = [2.0 * (x * q + w * y), 2.0 * (y * q - w * x), 1.0 - 2.0 * (x * x + y * y)];
    Pose { xyz: std::array::from_fn(|i| pose.xyz[i] + z * axis[i]), quat: pose.quat }
}

fn color(appearance: Option<&Appearance>) -> Value {
    let [r, g, b, a] = appearance.and_then(|look| look.rgba).unwrap_or([0.7, 0.7, 0.75, 1.0]);
    json!({ "r": r, "g": g, "b": b, "a": a })
}

/// Maximum total size of mesh files in a recording \[bytes\]; further files are left out.
const MAX_MESHES_BYTES: u64 = 64 << 20;

/// Media type and base64 of a mesh file; `None` if it is not a plain file, is very large, or does not fit into `room`.
fn file_data(file: &str, room: &mut u64) -> Option<(&'static str, String)> {
    use base64::Engine;
    const MAX_MESH_BYTES: u64 = 16 << 20;
    let path = std::path::Path::new(file);
    let media_type = match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "stl" => "model/stl",
        "obj" => "model/obj",
        "dae" => "model/vnd.collada+xml",
        "glb" => "model/gltf-binary",
        "gltf" => "model/gltf+json",
        _ => return None,
    };
    let data = path.metadata().ok().filter(|data| data.is_file() && data.len() <= MAX_MESH_BYTES.min(*room))?;
    *room -= data.len();
    let bytes = std::fs::read(path).ok()?;
    Some((media_type, base64::engine::general_purpose::STANDARD.encode(bytes)))
}
