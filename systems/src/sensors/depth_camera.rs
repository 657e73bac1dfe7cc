//! Depth cameras.

use super::lens::Lens;
use super::rays::{Rays, SampledRays};
use super::sampled::SampleSettings;
use super::sensor_error::SensorError;
use crate::convex::ConvexPlant;
use crate::picture::{Picture, Shows};
use crate::port::Tick;
use crate::signal::{BodyPoses, Image};
use crate::{Context, In, LeafSystem, Out, Outputs, Ports, Scalar};
use nalgebra::Isometry3;

/// A picture of distances along the axis of a camera on a link, to the first collision shape of the plant, those of
/// this link left out; a picture every period. A pixel that meets nothing within the range reads the end of the range.
pub struct DepthCamera {
    /// Poses of all links of the plant.
    pub body_poses: In<BodyPoses>,
    /// The distances along z of the camera \[m\], row by row from the upper left pixel on.
    pub depth: Out<Image>,
    readings: SampledRays,
    ports: Ports,
}

impl DepthCamera {
    /// A camera at the pose `X_LS` in the link of this full name (`arm/hand`).
    ///
    /// # Errors
    /// A link that the plant does not have, numbers that do not fit.
    pub fn new(
        plant: &dyn ConvexPlant,
        link: &str,
        X_LS: Isometry3<f64>,
        lens: &Lens,
        settings: SampleSettings,
    ) -> Result<Self, SensorError> {
        lens.check()?;
        let max_depth = lens.max_depth;
        let rays = Rays::new(plant, link, X_LS, lens.rays())?;
        let (rows, columns, focal_length) = (lens.rows, lens.columns, lens.focal_length());
        let (sampling, latency) = (settings.sampling, settings.latency);
        let mut ports = Ports::new();
        let declare = |ports: &mut Ports| ports.output_of_width::<Image>("depth", rows * columns);
        let (readings, depth) = SampledRays::declare(&mut ports, plant, rays, max_depth, settings, declare)?;
        let (link, shows) = (link.to_owned(), Shows::Depth { focal_length });
        ports.set_picture(depth, Picture { rows, columns, link, X_LS, sampling, latency, shows });
        Ok(DepthCamera { body_poses: readings.body_poses, depth, readings, ports })
    }
}

impl LeafSystem for DepthCamera {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        self.readings.sampled.write(ctx, out.slice(self.depth));
    }

    fn update(&self, tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        self.readings.update(tick, ctx, next, |d, distance| distance * d.z);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sensors::two_bodies::{at, plant_with_shapes};
    use crate::testing::{Bench, conformance};
    use nalgebra::Vector3;
    use std::f64::consts::PI;

    /// A camera that looks straight down sees the ground at one depth all over the picture, and the ball before it
    /// where the lens says.
    #[test]
    fn the_ground_has_one_depth_and_a_ball_its_outline() {
        let lens = Lens { columns: 40, rows: 30, field_of_view: 1.2, max_depth: 50.0 };
        let down = Isometry3::rotation(Vector3::x() * PI);
        let sensor =
            DepthCamera::new(&plant_with_shapes(), "drone/body", down, &lens, SampleSettings::every(0.1)).unwrap();
        conformance::check(&sensor);
        let bench = Bench::new(&sensor).input(sensor.body_poses, [at(0.0, 0.0, 0.0), at(0.0, 0.0, 4.0)].concat());
        let discrete = bench.update(Tick { index: 0 });
        let depth = bench.discrete(discrete).eval(sensor.depth);
        // The outline of a ball of radius r at the distance d is a cone with the sine r/d.
        let outline = (0.5_f64 / 4.0).asin();
        let mut of_ball = 0;
        for (d, depth) in lens.directions().zip(depth) {
            let angle = d.xy().norm().atan();
            if angle > outline {
                assert!((depth - 5.0).abs() < 1e-9, "{depth}");
            } else {
                of_ball += 1;
                assert!((3.5..4.0).contains(&depth), "{depth}");
            }
        }
        assert!(of_ball > 20, "{of_ball}");
    }
}
