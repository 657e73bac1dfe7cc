//! Lidars: many range finders that turn about one axis.

use super::rays::{Rays, SampledRays};
use super::sampled::SampleSettings;
use super::sensor_error::SensorError;
use kinegraph_core::convex::ConvexPlant;
use kinegraph_core::parameter::{self, ParameterError};
use kinegraph_core::picture::{Picture, Shows};
use kinegraph_core::port::Tick;
use kinegraph_core::signal::{BodyPoses, Dyn};
use kinegraph_core::{Context, In, LeafSystem, Out, Outputs, Ports, Scalar};
use nalgebra::{Isometry3, Vector3};
use std::f64::consts::{FRAC_PI_2, TAU};

/// Directions of the rays of a lidar, in its axes: z is up, and azimuths are from x towards y.
#[derive(Clone, Debug, PartialEq)]
pub struct Scan {
    /// Number of azimuths, at equal angles.
    pub columns: usize,
    /// First and last azimuth \[rad\]. For a full turn the last ray is one increment before the first.
    pub azimuths: [f64; 2],
    /// The elevation of each layer above the plane of x and y \[rad\].
    pub elevations: Vec<f64>,
    /// The end of the range \[m\].
    pub max_range: f64,
}

impl Scan {
    /// Angle between two azimuths \[rad\].
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

    /// Directions of the rays, layer by layer.
    pub fn directions(&self) -> impl Iterator<Item = Vector3<f64>> {
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

/// A scan every period of the distances along many rays from a link to the first collision shape of the plant, without
/// those of this link. All rays of a scan are of one time. A ray that meets nothing within the range reads the end of
/// the range.
pub struct Lidar {
    /// Poses of all links of the plant.
    pub body_poses: In<BodyPoses>,
    /// The distances \[m\], one row per elevation with one number per azimuth.
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
    kinegraph_core::compiled_here!();

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
