//! Mesh assets and height fields: files or points in the file, read when something needs them, and their mass
//! properties.
//!
//! A mesh's volume, centre and second moments are sums over the tetrahedra that its triangles make with a point,
//! signed, so that the point does not matter where the surface is closed [Eberly, "Polyhedral mass properties"]: of a
//! tetrahedron with one corner at the origin and the others at a, b, c, with d = a · (b × c): volume d/6, first moment
//! d (a + b + c)/24, second moment d/120 (Σ xᵢ xᵢᵀ + s sᵀ) with s = a + b + c.
//!
//! `inertia="exact"` is that. Where a mesh says nothing, the format means `legacy`: every tetrahedron counts as
//! positive, first about the centroid of the surface, which gives the centre of mass, then about that. Of a body that
//! is star-shaped from these points it is the same; of others, and of surfaces with holes, it is what the format does.

use super::classes::Classes;
use super::element::Element;
use super::fields::Fields;
use super::fluids::jacobi;
use super::height_fields::HeightFields;
use super::log::Log;
use super::names::Names;
use super::recognition;
use super::schema::words::{FILLED, Filled};
use super::settings::Settings;
use crate::access::FileAccess;
use crate::faults::MjcfFault;
use crate::mesh::{self, Collides, MeshFault, TriangleMesh};
use crate::options::MeshCollision;
use kinegraph_geometry::{ConvexHull, Drawing, FileReference};
use nalgebra::{Isometry3, Matrix3, Quaternion, UnitQuaternion, Vector3};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A mesh as written.
struct Mesh {
    path: Option<PathBuf>,
    inline: Option<TriangleMesh>,
    scale: Vector3<f64>,
    p_ref: Vector3<f64>,
    q_ref: UnitQuaternion<f64>,
    inertia: Filled,
}

/// All meshes of a model.
pub(super) struct Meshes<'a> {
    meshes: Vec<Mesh>,
    /// Of each mesh the first that has the same surface: parts that are attached several times have their meshes as
    /// often.
    alike: Vec<usize>,
    names: Names,
    elements: Vec<&'a Element>,
    pub height_fields: HeightFields<'a>,
    access: FileAccess,
}

/// Mass properties for a density of one, about the origin of the mesh's frame.
#[derive(Clone, Copy, Debug)]
pub struct MeshMoments {
    /// Volume \[m³\], or area \[m²\] of a shell.
    pub amount: f64,
    /// The centre of that.
    pub center: Vector3<f64>,
    /// Inertia about the centre of the amount above.
    pub inertia: Matrix3<f64>,
}

/// Contents of the meshes read so far, each once.
#[derive(Default)]
pub(super) struct MeshCache {
    read: HashMap<usize, Result<Arc<TriangleMesh>, MeshFault>>,
    collided: HashMap<(usize, MeshCollision), Result<Collides, MeshFault>>,
}

impl<'a> Meshes<'a> {
    /// Reads the meshes of a model.
    pub fn read(root: &'a Element, classes: &Classes, settings: &Settings, log: &mut Log<'_>) -> Self {
        let elements: Vec<&'a Element> = root.all("asset").flat_map(|asset| asset.all("mesh")).collect();
        for asset in root.all("asset") {
            recognition::check_children(asset, log);
        }
        let stem = |element: &Element| {
            let file = element.value("file").map(|file| Path::new(file).file_stem().unwrap_or_default());
            file.map_or("mesh".to_owned(), |stem| stem.to_string_lossy().into_owned())
        };
        let named: Vec<_> = elements.iter().map(|element| (*element, stem(element))).collect();
        let (names, _) = Names::of("mesh", &named, log);
        let meshes = elements.iter().map(|element| {
            recognition::check_attributes(element, log);
            let defaults = classes.defaults(element, "mesh", log);
            read_mesh(&Fields { element, defaults }, settings, log)
        });
        let meshes: Vec<Mesh> = meshes.collect();
        let alike = first_alike(&meshes);
        let (height_fields, access) = (HeightFields::read(root, settings, log), log.options().access.clone());
        Meshes { meshes, alike, names, elements, height_fields, access }
    }

    /// The mesh that a geom names.
    pub fn named(&self, f: &Fields<'_>, log: &mut Log<'_>) -> Option<usize> {
        let Some(name) = f.text("mesh") else {
            log.fault(&f.element.at, MjcfFault::Missing { element: f.element.describe(), attribute: "mesh" });
            return None;
        };
        let found = self.names.get(name);
        if found.is_none() {
            let nearest = log.nearest(name, self.elements.iter().filter_map(|element| element.value("name")));
            let (element, name) = (f.element.describe(), name.to_owned());
            log.fault(&f.element.at, MjcfFault::Unknown { element, what: "mesh", name, nearest });
        }
        found
    }

    /// How messages call a mesh.
    pub fn describe(&self, mesh: usize) -> String {
        let element = self.elements[mesh];
        element.value("file").or(element.value("name")).unwrap_or_default().to_owned()
    }

    /// The file of a mesh as it is drawn, and where that stands in the frame of its geom; `None` where there is no file
    /// that may be opened, and where the file is turned before it is scaled unevenly.
    pub fn to_look_at(&self, mesh: usize) -> Option<(Drawing, Isometry3<f64>)> {
        let Mesh { path, scale, p_ref, q_ref, .. } = &self.meshes[mesh];
        let path = path.as_deref().filter(|path| self.access.check(path).is_ok())?;
        let (even, turned) = (scale.x == scale.y && scale.y == scale.z, q_ref.angle() != 0.0);
        if turned && !even {
            return None;
        }
        let R = q_ref.inverse();
        let X_GM = Isometry3::from_parts((-(R * p_ref).component_mul(scale)).into(), R);
        let source = FileReference { uri: self.describe(mesh), file: Some(path.display().to_string()) };
        Some((Drawing::Mesh { source, scale: (*scale).into() }, X_GM))
    }

    fn triangles(&self, mesh: usize, cache: &mut MeshCache) -> Result<Arc<TriangleMesh>, MeshFault> {
        let read = || {
            let m = &self.meshes[mesh];
            let mut surface = match (&m.inline, &m.path) {
                (Some(surface), _) => surface.clone(),
                (None, Some(path)) => {
                    self.access.check(path)?;
                    mesh::read_found(path, &self.access)?
                }
                (None, None) => TriangleMesh::default(),
            };
            for point in &mut surface.positions {
                // The reference is that of the file's own numbers, the scale that of what comes out.
                *point = (m.q_ref.inverse() * (*point - m.p_ref)).component_mul(&m.scale);
            }
            // A mirrored mesh is inside out.
            if m.scale.product() < 0.0 {
                surface.triangles.iter_mut().for_each(|t| t.swap(1, 2));
            }
            Ok(Arc::new(surface.measured()?))
        };
        cache.read.entry(self.alike[mesh]).or_insert_with(read).clone()
    }

    /// Returns the form in which a mesh collides: its hull, convex parts, or the mesh itself.
    pub fn collides(&self, mesh: usize, how: MeshCollision, cache: &mut MeshCache) -> Result<Collides, MeshFault> {
        let key = (self.alike[mesh], how);
        if let Some(known) = cache.collided.get(&key) {
            return known.clone();
        }
        let found = self.triangles(mesh, cache).and_then(|surface| mesh::collides(&surface, how));
        cache.collided.insert(key, found.clone());
        found
    }

    /// The largest distances of its points from its centre of mass along its principal axes, and where these are;
    /// `None` if it has no volume.
    pub fn half_extents(&self, mesh: usize, cache: &mut MeshCache) -> Option<(Vector3<f64>, Isometry3<f64>)> {
        let of = self.moments(mesh, false, cache).ok().filter(|of| of.amount > 0.0)?;
        let R = jacobi(&of.inertia);
        let surface = self.triangles(mesh, cache).ok()?;
        let along = surface.positions.iter().map(|p| (R.inverse() * (p - of.center)).abs());
        let half = along.fold(Vector3::zeros(), |most: Vector3<f64>, next| most.sup(&next));
        Some((half, Isometry3::from_parts(of.center.into(), UnitQuaternion::from_rotation_matrix(&R))))
    }

    /// Its mass properties; as a shell if it or the geom says so.
    pub fn moments(&self, mesh: usize, shell: bool, cache: &mut MeshCache) -> Result<MeshMoments, MeshFault> {
        let mut surface = self.triangles(mesh, cache)?;
        let filled = if shell { Filled::Shell } else { self.meshes[mesh].inertia };
        // Points without triangles stand for their hull.
        if surface.triangles.is_empty() {
            surface = Arc::new(of_hull(&ConvexHull::new(&surface.positions)?));
        }
        Ok(match filled {
            Filled::Shell => shell_moments(&surface),
            Filled::Convex => volume_moments(&of_hull(&ConvexHull::new(&surface.positions)?)),
            Filled::Exact => volume_moments(&surface),
            Filled::Legacy => legacy_moments(&surface),
        })
    }
}

/// Of each mesh the first of the same file that is moved and scaled alike.
fn first_alike(meshes: &[Mesh]) -> Vec<usize> {
    let mut first = HashMap::new();
    let of = meshes.iter().enumerate().map(|(i, mesh)| {
        let Some(path) = &mesh.path else { return i };
        let numbers = mesh.scale.iter().chain(mesh.p_ref.iter()).chain(mesh.q_ref.coords.iter());
        let bits: Vec<u64> = numbers.map(|x| x.to_bits()).collect();
        *first.entry((path.as_path(), bits)).or_insert(i)
    });
    of.collect()
}

fn read_mesh(f: &Fields<'_>, settings: &Settings, log: &mut Log<'_>) -> Mesh {
    let path = f.text("file").map(|file| {
        let settings = settings.of(f.element);
        let file = Path::new(file);
        let file = if settings.strip_path { Path::new(file.file_name().unwrap_or_default()) } else { file };
        let folder = settings.folder.as_deref().unwrap_or(log.folder());
        let first = folder.join(&settings.mesh_folder).join(file);
        // What the folders of the main file do not have may lie beside the file that names it.
        let beside = log.folder_of(&f.element.at).join(file);
        if !first.is_file() && beside.is_file() { beside } else { first }
    });
    let inline = f.list("vertex", log).map(|vertex| {
        let points: Vec<Vector3<f64>> = vertex.chunks_exact(3).map(Vector3::from_column_slice).collect();
        let face = f.list("face", log).unwrap_or_default();
        let index = |x: &f64| (*x >= 0.0 && (*x as usize) < points.len()).then_some(*x as u32);
        let triangle = |t: &[f64]| Some([index(&t[0])?, index(&t[1])?, index(&t[2])?]);
        let triangles = face.chunks_exact(3).filter_map(triangle).collect();
        TriangleMesh { positions: points, triangles, ..TriangleMesh::default() }
    });
    if path.is_none() && inline.is_none() {
        log.fault(&f.element.at, MjcfFault::Missing { element: f.element.describe(), attribute: "file" });
    }
    let [w, x, y, z] = f.exactly("refquat", log).unwrap_or([1.0, 0.0, 0.0, 0.0]);
    let inertia = f.word("inertia", &FILLED, Filled::Legacy, log);
    Mesh {
        path,
        inline,
        scale: f.exactly::<3>("scale", log).map_or_else(|| Vector3::repeat(1.0), Vector3::from),
        p_ref: f.exactly::<3>("refpos", log).unwrap_or_default().into(),
        q_ref: UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z)),
        inertia,
    }
}

/// The surface of a hull as triangles.
pub fn of_hull(hull: &ConvexHull) -> TriangleMesh {
    let points: Vec<Vector3<f64>> = hull.vertices().collect();
    let fan = |corners: &[u32]| {
        (1..corners.len().saturating_sub(1)).map(|i| [corners[0], corners[i], corners[i + 1]]).collect::<Vec<_>>()
    };
    let triangles = hull.faces().flat_map(fan).collect();
    TriangleMesh { positions: points, triangles, ..TriangleMesh::default() }
}

fn corners(surface: &TriangleMesh) -> impl Iterator<Item = [Vector3<f64>; 3]> {
    surface.triangles.iter().map(|t| t.map(|i| surface.positions[i as usize]))
}

/// Of the volume that the triangles enclose.
pub fn volume_moments(surface: &TriangleMesh) -> MeshMoments {
    // About a point of the mesh: little cancels then.
    moments_about(surface, surface.positions.first().copied().unwrap_or_default(), |volume| volume)
}

/// As the format has always done it: every tetrahedron as positive.
pub fn legacy_moments(surface: &TriangleMesh) -> MeshMoments {
    let first = moments_about(surface, shell_moments(surface).center, f64::abs);
    let about_center = moments_about(surface, first.center, f64::abs);
    // The moments are about the centre found first, which is where the centre of mass stays.
    let d = about_center.center - first.center;
    let shift = (Matrix3::identity() * d.norm_squared() - d * d.transpose()) * about_center.amount;
    MeshMoments { center: first.center, inertia: about_center.inertia + shift, ..about_center }
}

fn moments_about(surface: &TriangleMesh, origin: Vector3<f64>, count: fn(f64) -> f64) -> MeshMoments {
    let (mut volume, mut first, mut second) = (0.0, Vector3::zeros(), Matrix3::zeros());
    for triangle in corners(surface) {
        let [a, b, c] = triangle.map(|p| p - origin);
        let d = count(a.dot(&b.cross(&c)));
        let s = a + b + c;
        volume += d / 6.0;
        first += s * (d / 24.0);
        second += (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose()) * (d / 120.0);
    }
    about_center(volume, first, second, origin)
}

/// Of the triangles themselves.
pub fn shell_moments(surface: &TriangleMesh) -> MeshMoments {
    let origin = surface.positions.first().copied().unwrap_or_default();
    let (mut area, mut first, mut second) = (0.0, Vector3::zeros(), Matrix3::zeros());
    for triangle in corners(surface) {
        let [a, b, c] = triangle.map(|p| p - origin);
        let A = (b - a).cross(&(c - a)).norm() / 2.0;
        let s = a + b + c;
        area += A;
        first += s * (A / 3.0);
        second += (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose()) * (A / 12.0);
    }
    about_center(area, first, second, origin)
}

fn about_center(amount: f64, first: Vector3<f64>, second: Matrix3<f64>, origin: Vector3<f64>) -> MeshMoments {
    let c = if amount == 0.0 { Vector3::zeros() } else { first / amount };
    let P = second - c * c.transpose() * amount;
    MeshMoments { amount, center: origin + c, inertia: Matrix3::identity() * P.trace() - P }
}
