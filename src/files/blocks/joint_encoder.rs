//! `type: joint_encoder`.

use super::plant_beside::{PLANT, plant_beside};
use super::sampled_sensor::sampled;
use crate::example_files::PENDULUM;
use crate::form::{
    BlockSpec, BlockType, Group, ListOf, Needs, Number, Optional, POSITIVE, PerChannel, Position, Reader, Site,
    SystemSpec, Text, WithDefault, needs, optional, with_default,
};
use kinegraph_core::ErasedSystem;
use kinegraph_systems::sensors::{JointEncoder, SampleSettings};
use std::f64::consts::TAU;
use std::sync::Arc;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "joint_encoder",
    group: Group::Sensors,
    about: "positions of joints as encoders count them, and velocities from their differences, sampled",
    example: "encoder: {type: joint_encoder, plant: plant, joints: [pendulum/pivot], counts_per_turn: 4096, gear_ratio: 50, period: 0.001, latency: 0.002}\nplant: {type: multibody_plant, models: [{name: pendulum, file: pendulum.urdf, base: fixed}]}",
    files: &[PENDULUM],
    read,
};

const JOINTS: Needs<ListOf<Text>> = needs(
    "joints",
    ListOf { each: Text { about: "a joint as `model/joint`" }, about: "a list of joints as `model/joint`" },
    "the joints, each of one coordinate",
);
const COUNTS_PER_TURN: Optional<Number> = optional(
    "counts_per_turn",
    POSITIVE,
    "`resolution` says it",
    "counts of the encoder per turn of its shaft: in place of `resolution`",
);
const GEAR_RATIO: WithDefault<Number> =
    with_default("gear_ratio", POSITIVE, 1.0, "turns of the shaft of the encoder per turn of the joint");

/// Encoders of a plant.
#[derive(Clone, Debug)]
struct Form {
    plant: String,
    plant_at: Position,
    joints: Vec<String>,
    settings: SampleSettings,
}

impl BlockSpec for Form {
    fn beside(&self) -> Option<(&str, Position)> {
        Some((&self.plant, self.plant_at))
    }
    fn build(&self, site: &Site<'_>) -> Option<Arc<dyn ErasedSystem>> {
        let plant = plant_beside(site, "a joint_encoder", &self.plant)?;
        site.built(JointEncoder::new(plant, &self.joints, self.settings.clone()))
    }
}

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (plant, plant_at) = (r.get(&PLANT), r.at_key(PLANT));
    let joints = r.get(&JOINTS);
    let (counts, ratio) = (r.get(&COUNTS_PER_TURN), r.get(&GEAR_RATIO));
    let mut settings = sampled(r)?;
    if let Some(counts) = counts {
        if settings.resolution != PerChannel::All(0.0) {
            r.conflict(COUNTS_PER_TURN, "`resolution` says that already: keep one of the two");
        }
        settings.resolution = PerChannel::All(TAU / (counts * ratio));
    }
    Some(Box::new(Form { plant: plant?, plant_at, joints: joints?, settings }))
}
