//! Contact surfaces, to draw.

use super::block::MultibodyPlant;
use super::volume;
use kinegraph_core::convex::PlantPoint;
use kinegraph_core::scene::ContactSurface;
use kinegraph_geometry::hydroelastic::{Surface, contact_surface};
use kinegraph_geometry::overlap::{Patch, overlap};
use kinegraph_geometry::{Aabb, aabb};
use nalgebra::{Isometry3, Matrix3, Rotation3, Translation3, UnitQuaternion, Vector3};

impl MultibodyPlant {
    /// Contact surfaces of bodies at the poses of `point`, without those of bodies apart within their margins.
    pub(super) fn surfaces(&self, point: &PlantPoint) -> Vec<ContactSurface> {
        let world = &self.collision;
        let shapes = world.geometries();
        let pose = |body: usize| {
            let R = Rotation3::from_matrix_unchecked(Matrix3::from_column_slice(&point.R_WB[body]));
            let p = Translation3::from(Vector3::from(point.p_WB[body]));
            Isometry3::from_parts(p, UnitQuaternion::from_rotation_matrix(&R))
        };
        let placed: Vec<(Isometry3<f64>, Aabb)> = shapes
            .iter()
            .map(|g| {
                let X = pose(g.body) * g.X_BG;
                (X, aabb(&g.shape, &X).inflated(g.bulge()))
            })
            .collect();
        let (mut found, mut surface, mut patch) = (Vec::new(), Surface::default(), Patch::default());
        for j in 0..shapes.len() {
            for i in (0..j).filter(|&i| placed[i].1.overlaps(&placed[j].1) && world.may_touch(i, j)) {
                if let (Some(a), Some(b)) = (&shapes[i].volume, &shapes[j].volume) {
                    let (X, Y) = (&placed[i].0, &placed[j].0);
                    if overlap(&a.solid, X, &b.solid, Y, || None, &mut patch) {
                        found.push(patch_to_draw([shapes[i].body, shapes[j].body], &patch, volume::gradient([a, b])));
                    }
                    continue;
                }
                let (Some(a), Some(b)) = (&shapes[i].pressure, &shapes[j].pressure) else { continue };
                let pressing = contact_surface(&a.field, &placed[i].0, &b.field, &placed[j].0, &mut surface).is_ok();
                if pressing && surface.faces.iter().any(|face| !face.speculative) {
                    found.push(to_draw([shapes[i].body, shapes[j].body], &surface));
                }
            }
        }
        found
    }
}

/// The contact plane of a volume with the pressure above each of its polygons.
fn patch_to_draw(bodies: [usize; 2], patch: &Patch, gradient: f64) -> ContactSurface {
    let mut drawn = ContactSurface { bodies, ..ContactSurface::default() };
    for cell in patch.cells() {
        let corners = patch.corners(cell);
        drawn.polygons.push(corners.len());
        for p in corners {
            drawn.pressures.push(gradient * patch.depth_at(cell, &p));
            drawn.corners.push(p.into());
        }
    }
    drawn
}

fn to_draw(bodies: [usize; 2], surface: &Surface) -> ContactSurface {
    let mut drawn = ContactSurface { bodies, ..ContactSurface::default() };
    for face in surface.faces.iter().filter(|face| !face.speculative) {
        let corners = &surface.corners[face.corners.start as usize..face.corners.end as usize];
        drawn.polygons.push(corners.len());
        drawn.corners.extend(corners.iter().map(|&p| <[f64; 3]>::from(p)));
        drawn.pressures.extend(corners.iter().map(|p| face.pressure_at(p)));
    }
    drawn
}
