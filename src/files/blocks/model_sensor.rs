//! `type: model_sensor`: a lidar or a camera from the model file of a plant.

use super::plant_beside::{PLANT, plant_beside};
use super::sampled_sensor::{LATENCY, SEED};
use crate::example_files::SCANNER;
use crate::form::{BlockSpec, BlockType, Group, Key, Needs, Position, Reader, Site, SystemSpec, Text, needs};
use crate::names::unknown;
use kinegraph_core::convex::{RayKind, RaySensor};
use kinegraph_core::{ErasedSystem, Sampling};
use kinegraph_systems::sensors::{DepthCamera, Lens, Lidar, SampleSettings, Scan, SegmentationCamera, Shutter};
use std::sync::Arc;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "model_sensor",
    group: Group::Sensors,
    about: "a lidar or a camera of a model file (SDFormat, or Gazebo's in URDF), with its rays, rate and noise",
    example: "front: {type: model_sensor, plant: plant, sensor: scanner/front, latency: 0.01}\nplant: {type: multibody_plant, models: [{name: scanner, file: scanner.urdf, base: fixed}]}",
    files: &[SCANNER],
    read,
};

const SENSOR: Needs<Text> =
    needs("sensor", Text { about: "a sensor as `model/sensor`" }, "the sensor of the model file");

#[derive(Clone, Debug)]
struct ModelSensor {
    plant: String,
    plant_at: Position,
    sensor: String,
    sensor_at: Position,
    latency: f64,
    seed: u64,
}

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (plant, sensor) = (r.get(&PLANT), r.get(&SENSOR));
    let (plant_at, sensor_at) = (r.at_key(PLANT), r.at_key(SENSOR));
    let latency = r.get(&LATENCY);
    let seed = r.get(&SEED) as u64;
    Some(Box::new(ModelSensor { plant: plant?, plant_at, sensor: sensor?, sensor_at, latency, seed }))
}

impl BlockSpec for ModelSensor {
    fn beside(&self) -> Option<(&str, Position)> {
        Some((&self.plant, self.plant_at))
    }

    fn build(&self, site: &Site<'_>) -> Option<Arc<dyn ErasedSystem>> {
        let plant = plant_beside(site, "a model_sensor", &self.plant)?;
        let all = plant.ray_sensors();
        let Some(found) = all.iter().find(|sensor| sensor.name == self.sensor) else {
            let names = all.iter().map(|sensor| sensor.name.as_str());
            let path = format!("{}.{}", site.path, SENSOR.key());
            site.loader.report(self.sensor_at, unknown(&self.sensor, "lidar or camera", path, names, site.loader));
            return None;
        };
        let RaySensor { link, X_LS, kind, period, bias, noise, resolution, .. } = found.clone();
        let settings = SampleSettings {
            sampling: Sampling::every(period),
            latency: self.latency,
            bias: bias.into(),
            noise: noise.into(),
            resolution: resolution.into(),
            seed: self.seed,
        };
        match kind {
            RayKind::Lidar { columns, azimuths, elevations, max_range } => {
                let scan = Scan { columns, azimuths, elevations, max_range };
                site.built(Lidar::new(plant, &link, X_LS, &scan, settings))
            }
            RayKind::Camera { columns, rows, field_of_view, max_depth, labels } => {
                let lens = Lens { columns, rows, field_of_view, max_depth };
                let shutter = Shutter { sampling: settings.sampling, latency: settings.latency };
                match labels {
                    true => site.built(SegmentationCamera::new(plant, &link, X_LS, &lens, shutter)),
                    false => site.built(DepthCamera::new(plant, &link, X_LS, &lens, settings)),
                }
            }
        }
    }
}
