//! Rays of a sensor on a link through the shapes of its plant.

use super::link::{UnknownLink, place_of};
use super::sampled::{SampleSettings, Sampled};
use kinegraph_core::convex::ConvexPlant;
use kinegraph_core::parameter::ParameterError;
use kinegraph_core::port::Tick;
use kinegraph_core::signal::{BodyPoses, Signal};
use kinegraph_core::{Context, In, Out, Ports};
use kinegraph_geometry::{Ray, SceneHit, SceneQuery};
use nalgebra::{Isometry3, Quaternion, UnitQuaternion, Vector3};
use std::sync::{Mutex, PoisonError};

/// A bundle of rays from the origin of the sensor frame S. They ignore shapes of the link that carries the sensor.
pub(super) struct Rays {
    link: usize,
    X_LS: Isometry3<f64>,
    /// Unit vectors in S, and the range of each \[m\].
    directions: Vec<(Vector3<f64>, f64)>,
    scene: SceneQuery,
    /// Scenes for threads to place at other poses; they are reused.
    placed: Mutex<Vec<SceneQuery>>,
}

impl Rays {
    /// Rays along `directions` of S, of any length above zero, each with its range \[m\]; S is at the pose `X_LS` in
    /// the link of this full name.
    pub fn new(
        plant: &dyn ConvexPlant,
        link: &str,
        X_LS: Isometry3<f64>,
        directions: impl IntoIterator<Item = (Vector3<f64>, f64)>,
    ) -> Result<Self, UnknownLink> {
        let link = place_of(plant, link)?;
        let directions = directions.into_iter().map(|(d, distance)| (d.normalize(), distance)).collect();
        Ok(Rays { link, X_LS, directions, scene: plant.ray_query(), placed: Mutex::default() })
    }

    /// Calls `see` with the number of each ray, its direction in S and its first hit, at these poses of the links.
    pub fn cast(&self, body_poses: &[f64], mut see: impl FnMut(usize, &Vector3<f64>, Option<SceneHit<'_>>)) {
        let kept = self.placed.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut scene = kept.unwrap_or_else(|| self.scene.clone());
        // The input has the width of the plant's own output.
        if scene.place(body_poses).is_err() {
            return;
        }
        let pose = &body_poses[7 * self.link..][..7];
        let R_WL = UnitQuaternion::from_quaternion(Quaternion::new(pose[3], pose[4], pose[5], pose[6]));
        let X_WS = Isometry3::from_parts(Vector3::new(pose[0], pose[1], pose[2]).into(), R_WL) * self.X_LS;
        let R_WS = X_WS.rotation.to_rotation_matrix();
        let own = [self.link + 1];
        for (i, (direction, distance)) in self.directions.iter().enumerate() {
            let ray = Ray::new(X_WS.translation.vector, R_WS * direction);
            see(i, direction, ray.and_then(|ray| scene.cast_ray(&ray, *distance, &own)));
        }
        self.placed.lock().unwrap_or_else(PoisonError::into_inner).push(scene);
    }
}

/// Sampled readings of distances, one per ray; a ray that meets nothing reads the end of the range.
pub(super) struct SampledRays {
    /// Poses of all links of the plant.
    pub body_poses: In<BodyPoses>,
    rays: Rays,
    /// The largest reading \[m\].
    end: f64,
    pub sampled: Sampled,
}

impl SampledRays {
    /// Declares the input for the poses, the output by `output` with one number per ray, and the readings.
    pub fn declare<T: Signal>(
        ports: &mut Ports,
        plant: &dyn ConvexPlant,
        rays: Rays,
        end: f64,
        settings: SampleSettings,
        output: impl FnOnce(&mut Ports) -> Out<T>,
    ) -> Result<(Self, Out<T>), ParameterError> {
        let body_poses = ports.input_of_width("body_poses", 7 * (plant.structure().bodies.len() - 1));
        let (output, count) = (output(ports), rays.directions.len());
        ports.set_units(output, vec!["m"; count]);
        ports.no_feedthrough(output);
        let sampled = Sampled::declare(ports, count, settings)?;
        Ok((SampledRays { body_poses, rays, end, sampled }, output))
    }

    /// At an event: takes readings, or moves them to the output. `reading` computes the reading of a ray from its unit
    /// vector in S and its distance to the hit \[m\].
    pub fn update(
        &self,
        tick: Tick,
        ctx: &Context<f64>,
        next: &mut [f64],
        reading: impl Fn(&Vector3<f64>, f64) -> f64,
    ) {
        let end = self.end;
        let measure = |y: &mut [f64]| {
            let see = |i: usize, d: &Vector3<f64>, hit: Option<SceneHit<'_>>| {
                y[i] = hit.map_or(end, |hit| reading(d, hit.distance));
            };
            self.rays.cast(ctx.get(self.body_poses), see);
        };
        // A reading with noise stays within the range of the sensor, and one without a hit stays at its end.
        let within = |measured: f64, y: &mut f64| *y = if measured >= end { end } else { y.clamp(0.0, end) };
        self.sampled.update(tick, ctx, next, measure, within);
    }
}
