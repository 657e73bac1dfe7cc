//! Sensors of model files, as outputs of the plant: `MODEL.sensors` are functions of its state; `MODEL.step_sensors`
//! report the last step, like the other read-outs.
//!
//! The numbers are called `MODEL.sensors.SENSOR` on both ports, or with a suffix (`arm.sensors.tip_gyro.x`), so that a
//! wire names a sensor whichever its port is.

mod of_state;
mod of_step;
mod place;

use super::error::PlantError;
use super::model::PlantModel;
use super::spatial_tendon::PlacedTendon;
use crate::Tree;
use crate::sensor_data::{OfFrame, OfSubtree};
use kinegraph_core::convex::RaySensor;
use kinegraph_core::port::{Out, Ports};
use kinegraph_core::signal::Dyn;
use nalgebra::{Isometry3, Vector3};
use std::ops::Range;

pub(super) use of_state::Surroundings;
pub(super) use of_step::StepValues;

/// A frame on a body.
#[derive(Clone, Copy, Debug)]
struct Placed {
    body: usize,
    X_BF: Isometry3<f64>,
}

#[derive(Clone, Debug)]
enum PlacedLength {
    /// Position, velocity, coefficient.
    Joints(Vec<(usize, usize, f64)>),
    /// Index among the tendons of the plant, coefficient.
    Tendon(usize, f64),
}

/// Quantity of a sensor, by indices.
#[derive(Clone, Debug)]
enum Measure {
    Time,
    PotentialEnergy,
    KineticEnergy,
    Length(PlacedLength),
    Rate(PlacedLength),
    /// Index of the first of four positions.
    Turn(usize),
    /// Index of the first of three velocities.
    TurnRate(usize),
    /// Index of a stop.
    StopDistance(usize),
    StopRate(usize),
    StopForce(usize),
    /// A joint without stops.
    NoStop,
    /// Velocity, and effort per force.
    Effort(usize, f64),
    Frame {
        frame: Placed,
        seen_from: Option<Placed>,
        what: OfFrame,
    },
    Subtree {
        bodies: Vec<usize>,
        what: OfSubtree,
    },
    Field {
        frame: Placed,
        field_W: Vector3<f64>,
    },
    Touch {
        frame: Placed,
        zone: kinegraph_geometry::Shape,
    },
    Range(Placed),
}

/// A placed sensor, with the range of its numbers on the port.
#[derive(Clone, Debug)]
struct PlacedSensor {
    measure: Measure,
    numbers: Range<usize>,
    cutoff: f64,
}

/// The sensors of one model.
#[derive(Clone, Debug, Default)]
struct ModelSensors {
    of_state: Vec<PlacedSensor>,
    of_step: Vec<PlacedSensor>,
    /// Names and units of the numbers of both ports.
    names: [Vec<String>; 2],
    units: [Vec<&'static str>; 2],
}

/// The sensors of all models of a plant.
#[derive(Clone, Debug, Default)]
pub(super) struct PlantSensors {
    models: Vec<(String, ModelSensors)>,
    /// The ports of each model that has sensors.
    ports: Vec<[Option<Out<Dyn>>; 2]>,
    /// Ranges of the numbers of the step in the discrete state.
    held: Vec<Range<usize>>,
    /// True if any sensor uses a ray.
    has_rays: bool,
    /// Ray sensors that blocks read, with full names.
    rays: Vec<RaySensor>,
}

impl PlantSensors {
    /// Places the sensors of all models.
    pub fn place(
        tree: &Tree,
        models: &[PlantModel],
        tendons: &[PlacedTendon],
        faults: &mut Vec<PlantError>,
    ) -> PlantSensors {
        let mut all = PlantSensors::default();
        for model in models {
            let mut sensors = ModelSensors::default();
            for sensor in &model.model.scene.sensors {
                let Some(measure) = place::measure(tree, &model.name, sensor, tendons, faults) else { continue };
                all.has_rays |= matches!(measure, Measure::Range(_));
                sensors.add(&model.name, sensor, measure);
            }
            all.models.push((model.name.clone(), sensors));
            for rays in &model.model.scene.rays {
                let full = |name: &str| format!("{}/{name}", model.name);
                all.rays.push(RaySensor { name: full(&rays.name), link: full(&rays.link), ..rays.clone() });
            }
        }
        all
    }

    /// Declares ports and discrete state, after all others.
    pub fn declare(&mut self, ports: &mut Ports) {
        for (model, sensors) in &self.models {
            let mut declare = |which: usize, name: &str| {
                let names = &sensors.names[which];
                (!names.is_empty()).then(|| {
                    let port = ports.output_of_width(format!("{model}.{name}"), names.len());
                    ports.name_elements(port, names.clone());
                    ports.set_units(port, sensors.units[which].clone());
                    ports.no_feedthrough(port);
                    port
                })
            };
            self.ports.push([declare(0, "sensors"), declare(1, "step_sensors")]);
        }
        for (_, sensors) in &self.models {
            let (first, count) = (ports.discrete_width(), sensors.names[1].len());
            if count > 0 {
                ports.discrete_state("step_sensors", vec![0.0; count]);
            }
            self.held.push(first..first + count);
        }
    }

    /// True if there are no sensors.
    pub fn is_empty(&self) -> bool {
        self.models.iter().all(|(_, sensors)| sensors.of_state.is_empty() && sensors.of_step.is_empty())
    }

    /// Index of the first number of the step in the discrete state.
    pub fn first_held(&self) -> usize {
        self.held.first().map_or(0, |held| held.start)
    }

    /// Ray sensors that blocks read, with full names.
    pub fn rays(&self) -> &[RaySensor] {
        &self.rays
    }

    /// True if any sensor uses a ray.
    pub fn has_rays(&self) -> bool {
        self.has_rays
    }

    /// True if output `port` is constant within a step.
    pub fn is_of_step(&self, port: usize) -> bool {
        self.ports.iter().any(|[_, of_step]| of_step.is_some_and(|of_step| of_step.index == port))
    }
}

impl ModelSensors {
    fn add(&mut self, model: &str, sensor: &crate::sensor_data::ModelSensor, measure: Measure) {
        let which = usize::from(sensor.quantity.is_of_step());
        let first = self.names[which].len();
        let name = format!("{model}.sensors.{}", sensor.name);
        match sensor.quantity.elements() {
            [] => self.names[which].push(name),
            elements => self.names[which].extend(elements.iter().map(|element| format!("{name}.{element}"))),
        }
        let numbers = first..self.names[which].len();
        self.units[which].extend(numbers.clone().map(|_| sensor.quantity.unit()));
        let cutoff = if sensor.quantity.has_cutoff() { sensor.cutoff } else { f64::INFINITY };
        let list = if which == 0 { &mut self.of_state } else { &mut self.of_step };
        list.push(PlacedSensor { measure, numbers, cutoff });
    }
}
