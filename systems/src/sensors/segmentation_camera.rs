//! Segmentation cameras: pictures of the body and the shape in each pixel.

use super::lens::Lens;
use super::link::place_of;
use super::rays::Rays;
use super::sampled::{SampleSettings, Sampled};
use super::sensor_error::SensorError;
use kinegraph_core::convex::ConvexPlant;
use kinegraph_core::picture::{Picture, Shows};
use kinegraph_core::port::{Sampling, Tick};
use kinegraph_core::signal::{BodyPoses, Image};
use kinegraph_core::{Context, In, LeafSystem, Out, Outputs, Ports, Scalar};
use kinegraph_geometry::SceneHit;
use nalgebra::{Isometry3, Vector3};

/// Sampling times and latency of a segmentation camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shutter {
    /// Time between two pictures, and time of the first \[s\].
    pub sampling: Sampling,
    /// Delay from taking a picture until it is at the output \[s\].
    pub latency: f64,
}

/// Two pictures of a camera on a link every period: the body in each pixel, and the collision shape. A pixel reads zero
/// if there is nothing within the range, otherwise one more than the index of the body (so that the world reads 1) or
/// of the shape among those of the plant. Shapes of its own link are ignored.
pub struct SegmentationCamera {
    /// Poses of all links of the plant.
    pub body_poses: In<BodyPoses>,
    /// Bodies, row by row from the upper left pixel on.
    pub bodies: Out<Image>,
    /// Shapes, row by row from the upper left pixel on.
    pub shapes: Out<Image>,
    rays: Rays,
    pixels: usize,
    sampled: Sampled,
    ports: Ports,
}

impl SegmentationCamera {
    /// A camera at the pose `X_LS` in the link of this full name (`arm/hand`).
    ///
    /// # Errors
    /// A link that the plant does not have, numbers that do not fit.
    pub fn new(
        plant: &dyn ConvexPlant,
        link: &str,
        X_LS: Isometry3<f64>,
        lens: &Lens,
        shutter: Shutter,
    ) -> Result<Self, SensorError> {
        lens.check()?;
        place_of(plant, link)?;
        let Shutter { sampling, latency } = shutter;
        let (rows, columns, focal_length) = (lens.rows, lens.columns, lens.focal_length());
        let pixels = rows * columns;
        let bodies: Vec<String> = plant.structure().bodies.iter().map(|body| body.name.clone()).collect();
        let query = plant.ray_query();
        let shapes = query.shapes().map(|on| match on.name.as_str() {
            "" => bodies[on.body].clone(),
            name => format!("{}/{name}", bodies[on.body]),
        });
        let shapes = shapes.collect();
        let mut ports = Ports::new();
        let body_poses = ports.input_of_width("body_poses", 7 * (bodies.len() - 1));
        let mut declare = |name: &str, names: Vec<String>| {
            let port = ports.output_of_width::<Image>(name, pixels);
            ports.no_feedthrough(port);
            let (link, shows) = (link.to_owned(), Shows::Labels { focal_length, names });
            ports.set_picture(port, Picture { rows, columns, link, X_LS, sampling, latency, shows });
            port
        };
        let (bodies, shapes) = (declare("bodies", bodies), declare("shapes", shapes));
        let settings = SampleSettings { sampling, latency, ..SampleSettings::every(sampling.period) };
        let sampled = Sampled::declare(&mut ports, 2 * pixels, settings)?;
        let rays = Rays::new(plant, link, X_LS, lens.rays())?;
        Ok(SegmentationCamera { body_poses, bodies, shapes, rays, pixels, sampled, ports })
    }
}

impl LeafSystem for SegmentationCamera {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let (bodies, shapes) = self.sampled.held(ctx).split_at(self.pixels);
        for (port, labels) in [(self.bodies, bodies), (self.shapes, shapes)] {
            out.slice(port).iter_mut().zip(labels).for_each(|(y, &label)| *y = S::constant(label));
        }
    }

    fn update(&self, tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        let measure = |y: &mut [f64]| {
            let (bodies, shapes) = y.split_at_mut(self.pixels);
            let see = |i: usize, _: &Vector3<f64>, hit: Option<SceneHit<'_>>| {
                bodies[i] = hit.map_or(0.0, |hit| (hit.body + 1) as f64);
                shapes[i] = hit.map_or(0.0, |hit| (hit.index + 1) as f64);
            };
            self.rays.cast(ctx.get(self.body_poses), see);
        };
        self.sampled.update(tick, ctx, next, measure, |_, _| {});
    }
}
