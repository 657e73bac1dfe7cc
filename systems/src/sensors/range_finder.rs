//! Range finders.

use super::rays::{Rays, SampledRays};
use super::sampled::SampleSettings;
use super::sensor_error::SensorError;
use crate::convex::ConvexPlant;
use crate::parameter;
use crate::port::Tick;
use crate::signal::BodyPoses;
use crate::{Context, Fixed, In, LeafSystem, Out, Outputs, Ports, Scalar};
use nalgebra::{Isometry3, Vector3};

/// The distance along x of the sensor to the first collision shape of the plant, those of its own link left out;
/// sampled. Where there is nothing within its range, the reading is the end of the range.
pub struct RangeFinder {
    /// Poses of all links of the plant.
    pub body_poses: In<BodyPoses>,
    /// The distance \[m\].
    pub range: Out<Fixed<1>>,
    readings: SampledRays,
    ports: Ports,
}

impl RangeFinder {
    /// A sensor at the pose `X_LS` in the link of this full name (`arm/hand`), that sees up to `max_range` \[m\].
    ///
    /// # Errors
    /// A link that the plant does not have, numbers that do not fit.
    pub fn new(
        plant: &dyn ConvexPlant,
        link: &str,
        X_LS: Isometry3<f64>,
        max_range: f64,
        settings: SampleSettings,
    ) -> Result<Self, SensorError> {
        let rays = Rays::new(plant, link, X_LS, [(Vector3::x(), max_range)])?;
        parameter::finite("max_range", &[max_range])?;
        parameter::positive("max_range", &[max_range])?;
        let mut ports = Ports::new();
        let declared =
            SampledRays::declare(&mut ports, plant, rays, max_range, settings, |ports| ports.output("range"));
        let (readings, range) = declared?;
        Ok(RangeFinder { body_poses: readings.body_poses, range, readings, ports })
    }
}

impl LeafSystem for RangeFinder {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        self.readings.sampled.write(ctx, out.slice(self.range));
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

    fn reading(link: &str, X_LS: Isometry3<f64>, max_range: f64, settings: SampleSettings) -> f64 {
        let sensor = RangeFinder::new(&plant_with_shapes(), link, X_LS, max_range, settings).unwrap();
        conformance::check(&sensor);
        // `other` is a ball of radius 0.5 at the origin, `drone` a box 3 m along x of it, the ground 1 m below.
        let bench = Bench::new(&sensor).input(sensor.body_poses, [at(0.0, 0.0, 0.0), at(3.0, 0.0, 0.0)].concat());
        let discrete = bench.update(Tick { index: 0 });
        bench.discrete(discrete).eval(sensor.range)[0]
    }

    #[test]
    fn reads_the_distance_to_the_first_shape() {
        let every = SampleSettings::every(0.1);
        let back = Isometry3::rotation(Vector3::z() * std::f64::consts::PI);
        assert!((reading("drone/body", back, 10.0, every.clone()) - 2.5).abs() < 1e-12);
        // Its own link is passed through, and so is nothing: the end of the range.
        assert_eq!(reading("drone/body", Isometry3::identity(), 10.0, every.clone()), 10.0);
        let down = Isometry3::rotation(Vector3::y() * std::f64::consts::FRAC_PI_2);
        assert!((reading("drone/body", down, 10.0, every.clone()) - 1.0).abs() < 1e-12);
        assert_eq!(reading("drone/body", down, 0.7, every.clone()), 0.7);
        // Spoilt readings stay within the range, and nothing stays nothing.
        let noisy = SampleSettings { noise: 100.0.into(), ..every };
        assert_eq!(reading("drone/body", Isometry3::identity(), 10.0, noisy.clone()), 10.0);
        assert!((0.0..=10.0).contains(&reading("drone/body", down, 10.0, noisy)));
    }
}
