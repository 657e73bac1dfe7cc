//! Depth cameras.

use super::rays::{Rays, SampledRays};
use super::sampled::SampleSettings;
use super::sensor_error::SensorError;
use crate::convex::ConvexPlant;
use crate::parameter::{self, ParameterError};
use crate::port::Tick;
use crate::signal::{BodyPoses, Dyn};
use crate::{Context, In, LeafSystem, Out, Outputs, Ports, Scalar};
use nalgebra::{Isometry3, Vector3};
use std::f64::consts::PI;

/// The picture of a camera without distortion. It looks along z of its frame, with x to the right and y down: the
/// middle of the pixel in row r and column c lies along `((c + 1/2 - columns/2)/f, (r + 1/2 - rows/2)/f, 1)` with
/// `f = columns/2 / tan(field_of_view/2)` (Hartley and Zisserman, Multiple View Geometry, section 6.1).
#[derive(Clone, Debug, PartialEq)]
pub struct Lens {
    /// Pixels of a row.
    pub columns: usize,
    /// Rows.
    pub rows: usize,
    /// The angle between the left and the right edge \[rad\].
    pub field_of_view: f64,
    /// The end of the range, along z \[m\].
    pub max_depth: f64,
}

impl Lens {
    /// Focal length \[pixels\].
    pub fn focal_length(&self) -> f64 {
        0.5 * self.columns as f64 / (0.5 * self.field_of_view).tan()
    }

    fn check(&self) -> Result<(), ParameterError> {
        for (name, count) in [("columns", self.columns), ("rows", self.rows)] {
            parameter::within(name, &[count as f64], "at least 1", |count| count >= 1.0)?;
        }
        let open = |angle: f64| angle > 0.0 && angle < PI;
        parameter::within("field_of_view", &[self.field_of_view], "an angle between 0 and 180°", open)?;
        parameter::finite("max_depth", &[self.max_depth])?;
        parameter::positive("max_depth", &[self.max_depth])?;
        parameter::held("columns", self.columns, self.rows).map(|_| ())
    }

    /// The direction of each pixel, whose third number is one, row by row.
    fn directions(&self) -> impl Iterator<Item = Vector3<f64>> {
        let (focal, half) = (self.focal_length(), |count: usize| 0.5 * count as f64 - 0.5);
        let (right, down) = (half(self.columns), half(self.rows));
        let columns = self.columns;
        (0..self.rows).flat_map(move |r| {
            (0..columns).map(move |c| Vector3::new((c as f64 - right) / focal, (r as f64 - down) / focal, 1.0))
        })
    }
}

/// A picture of distances along the axis of a camera on a link, to the first collision shape of the plant, those of
/// this link left out; a picture every period. A pixel that meets nothing within the range reads the end of the range.
pub struct DepthCamera {
    /// Poses of all links of the plant.
    pub body_poses: In<BodyPoses>,
    /// The distances along z of the camera \[m\], row by row from the upper left pixel on.
    pub depth: Out<Dyn>,
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
        let rays = Rays::new(plant, link, X_LS, lens.directions().map(|d| (d, max_depth * d.norm())))?;
        let mut ports = Ports::new();
        let declare = |ports: &mut Ports| ports.output_of_width("depth", lens.rows * lens.columns);
        let (readings, depth) = SampledRays::declare(&mut ports, plant, rays, max_depth, settings, declare)?;
        ports.set_shape(depth, lens.rows, lens.columns);
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
