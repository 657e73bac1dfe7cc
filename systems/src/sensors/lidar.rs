//! Lidars: many range finders that turn about one axis.

use super::rays::{Rays, SampledRays};
use super::sampled::SampleSettings;
use super::sensor_error::SensorError;
use crate::convex::ConvexPlant;
use crate::parameter::{self, ParameterError};
use crate::picture::{Picture, Shows};
use crate::port::Tick;
use crate::signal::{BodyPoses, Dyn};
use crate::{Context, In, LeafSystem, Out, Outputs, Ports, Scalar};
use nalgebra::{Isometry3, Vector3};
use std::f64::consts::{FRAC_PI_2, TAU};

/// Where the rays of a lidar go, in its axes: z is up, and an azimuth turns from x to y.
#[derive(Clone, Debug, PartialEq)]
pub struct Scan {
    /// How many azimuths there are, with equal angles between them.
    pub columns: usize,
    /// The first and the last azimuth \[rad\]. Of a whole turn the last ray stands one angle before the first.
    pub azimuths: [f64; 2],
    /// The elevation of each layer above the plane of x and y \[rad\].
    pub elevations: Vec<f64>,
    /// The end of the range \[m\].
    pub max_range: f64,
}

impl Scan {
    /// Distance of two azimuths \[rad\].
    pub fn increment(&self) -> f64 {
        let [from, to] = self.azimuths;
        let is_turn = (to - from - TAU).abs() < 1e-9;
        (to - from) / (self.columns - usize::from(!is_turn)).max(1) as f64
    }

    fn check(&self) -> Result<(), ParameterError> {
        let counted =
            |name: &str, count: usize| parameter::within(name, &[count as f64], "at least 1", |count| count >= 1.0);
        counted("columns", self.columns)?;
        parameter::finite("azimuths", &self.azimuths)?;
        let [from, to] = self.azimuths;
        let within_a_turn = |width: f64| (0.0..=TAU + 1e-9).contains(&width);
        parameter::within("azimuths", &[to - from], "two angles, at most a turn apart, in order", within_a_turn)?;
        if self.elevations.is_empty() {
            return Err(ParameterError::Empty { parameter: "elevations".into() });
        }
        let upright = |angle: f64| angle.abs() <= FRAC_PI_2 + 1e-9;
        parameter::within("elevations", &self.elevations, "an angle from -90° to 90°", upright)?;
        parameter::finite("max_range", &[self.max_range])?;
        parameter::positive("max_range", &[self.max_range])?;
        parameter::held("columns", self.columns, self.elevations.len()).map(|_| ())
    }

    /// The direction of each ray, layer by layer.
    fn directions(&self) -> impl Iterator<Item = Vector3<f64>> {
        let (from, increment) = (self.azimuths[0], self.increment());
        self.elevations.iter().flat_map(move |elevation| {
            (0..self.columns).map(move |i| {
                let azimuth = from + i as f64 * increment;
                let (up, out) = elevation.sin_cos();
                Vector3::new(out * azimuth.cos(), out * azimuth.sin(), up)
            })
        })
    }
}

/// Distances to the first collision shape of the plant along many rays from a link, those of this link left out: a scan
/// every period, all of it of one time. A ray that meets nothing within the range reads the end of the range.
pub struct Lidar {
    /// Poses of all links of the plant.
    pub body_poses: In<BodyPoses>,
    /// The distances \[m\], a row for each elevation, along it one for each azimuth.
    pub ranges: Out<Dyn>,
    readings: SampledRays,
    ports: Ports,
}

impl Lidar {
    /// A sensor at the pose `X_LS` in the link of this full name (`robot/mast`).
    ///
    /// # Errors
    /// A link that the plant does not have, numbers that do not fit.
    pub fn new(
        plant: &dyn ConvexPlant,
        link: &str,
        X_LS: Isometry3<f64>,
        scan: &Scan,
        settings: SampleSettings,
    ) -> Result<Self, SensorError> {
        scan.check()?;
        let max_range = scan.max_range;
        let rays = Rays::new(plant, link, X_LS, scan.directions().map(|d| (d, max_range)))?;
        let (sampling, latency) = (settings.sampling, settings.latency);
        let mut ports = Ports::new();
        let declare = |ports: &mut Ports| ports.output_of_width("ranges", scan.elevations.len() * scan.columns);
        let (readings, ranges) = SampledRays::declare(&mut ports, plant, rays, max_range, settings, declare)?;
        let (azimuths, elevations) = ([scan.azimuths[0], scan.increment()], scan.elevations.clone());
        let (rows, columns, link) = (elevations.len(), scan.columns, link.to_owned());
        let shows = Shows::Ranges { azimuths, elevations, end: max_range };
        ports.set_picture(ranges, Picture { rows, columns, link, X_LS, sampling, latency, shows });
        Ok(Lidar { body_poses: readings.body_poses, ranges, readings, ports })
    }
}

impl LeafSystem for Lidar {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        self.readings.sampled.write(ctx, out.slice(self.ranges));
    }

    fn update(&self, tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        self.readings.update(tick, ctx, next, |_, distance| distance);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sensors::two_bodies::{at, plant_with_shapes};
    use crate::testing::{Bench, conformance};

    fn whole_turn(columns: usize, elevations: Vec<f64>) -> Scan {
        Scan { columns, azimuths: [-std::f64::consts::PI, std::f64::consts::PI], elevations, max_range: 20.0 }
    }

    /// Beside a ball every ray reads the nearer of its circle, in closed form, and the ground.
    #[test]
    fn a_scan_is_that_of_the_closed_form() {
        let scan = whole_turn(360, vec![-0.4, 0.0, 0.2]);
        let sensor =
            Lidar::new(&plant_with_shapes(), "drone/body", Isometry3::identity(), &scan, SampleSettings::every(0.1))
                .unwrap();
        conformance::check(&sensor);
        let bench = Bench::new(&sensor).input(sensor.body_poses, [at(0.0, 0.0, 0.0), at(1.5, -0.5, 0.0)].concat());
        let discrete = bench.update(Tick { index: 0 });
        let ranges = bench.discrete(discrete).eval(sensor.ranges);
        let (from, mut met) = (Vector3::new(1.5, -0.5, 0.0), 0);
        for (d, found) in scan.directions().zip(ranges) {
            let middle = -from.dot(&d);
            let square = middle * middle - from.norm_squared() + 0.25;
            // A ray that grazes the ball may meet or miss it.
            if square.abs() < 1e-9 {
                continue;
            }
            let ball = if square >= 0.0 && middle > 0.0 { middle - square.sqrt() } else { f64::INFINITY };
            let ground = if d.z < 0.0 { -1.0 / d.z } else { f64::INFINITY };
            let expected = ball.min(ground).min(20.0);
            met += usize::from(ball < ground);
            assert!((found - expected).abs() < 1e-9, "{d}: {found}, {expected}");
        }
        assert!(met > 50);
    }

    #[test]
    fn a_turn_has_no_ray_twice() {
        assert!((whole_turn(360, vec![0.0]).increment().to_degrees() - 1.0).abs() < 1e-12);
        let part = Scan { azimuths: [-1.0, 1.0], ..whole_turn(21, vec![0.0]) };
        assert!((part.increment() - 0.1).abs() < 1e-12);
        let sensor = |scan: Scan| {
            let every = SampleSettings::every(0.1);
            Lidar::new(&plant_with_shapes(), "drone/body", Isometry3::identity(), &scan, every)
                .err()
                .unwrap()
                .to_string()
        };
        let text = sensor(Scan { azimuths: [0.0, 7.0], ..part.clone() });
        assert_eq!(text, "azimuths[0] is 7, expected two angles, at most a turn apart, in order");
        assert_eq!(sensor(Scan { elevations: Vec::new(), ..part }), "elevations is empty");
    }
}
