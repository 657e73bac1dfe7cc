//! `type: imu`.

use super::multibody_plant::pose::{Pose, SECTION};
use super::plant_beside::{NamedLink, PLANT, has_link, plant_beside};
use crate::files::example_files::PENDULUM;
use crate::files::form::{
    BlockSpec, BlockType, Group, Key, NON_NEGATIVE, NUMBER, Needs, Number, Optional, POSITIVE, PerChannel, Position,
    Reader, ScalarOrList, Section, Site, SystemSpec, Text, WHOLE, WithDefault, needs, optional, with_default,
};
use kinegraph_systems::ErasedSystem;
use kinegraph_systems::sensors::{Imu, ImuSettings};
use std::sync::Arc;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "imu",
    group: Group::Machines,
    about: "specific force and angular velocity of a link, with bias and noise",
    example: "imu: {type: imu, plant: plant, link: pendulum/rod, pose: {xyz: [0, 0, -1]}, period: 0.01, gyroscope_noise: 0.01}\nplant: {type: multibody_plant, models: [{name: pendulum, file: pendulum.urdf, base: fixed}]}",
    files: &[PENDULUM],
    read,
};

const LINK: Needs<Text> = needs("link", Text { about: "a link as `model/link`" }, "the link that it is on");
const POSE: Optional<Section<Pose>> = optional("pose", SECTION, "identity", "of the sensor in the frame of the link");
const PERIOD: Needs<Number> = needs("period", POSITIVE, "time between two readings [s]");
const ACCELEROMETER_BIAS: WithDefault<ScalarOrList> = with_default(
    "accelerometer_bias",
    ScalarOrList(NUMBER),
    PerChannel::All(0.0),
    "what is added to the specific force, for all axes or one each [m/s²]",
);
const ACCELEROMETER_NOISE: WithDefault<ScalarOrList> = with_default(
    "accelerometer_noise",
    ScalarOrList(NON_NEGATIVE),
    PerChannel::All(0.0),
    "standard deviation of each reading; for a noise density N, N/√period [m/s²]",
);
const GYROSCOPE_BIAS: WithDefault<ScalarOrList> = with_default(
    "gyroscope_bias",
    ScalarOrList(NUMBER),
    PerChannel::All(0.0),
    "what is added to the angular velocity [rad/s]",
);
const GYROSCOPE_NOISE: WithDefault<ScalarOrList> = with_default(
    "gyroscope_noise",
    ScalarOrList(NON_NEGATIVE),
    PerChannel::All(0.0),
    "standard deviation of each reading [rad/s]",
);
const SEED: WithDefault<Number> = with_default("seed", WHOLE, 0.0, "another seed gives other noise");

/// A unit on a link of a plant.
#[derive(Clone, Debug)]
struct Form {
    plant: String,
    plant_at: Position,
    link: String,
    link_at: Position,
    settings: ImuSettings,
}

impl BlockSpec for Form {
    fn beside(&self) -> Option<(&str, Position)> {
        Some((&self.plant, self.plant_at))
    }
    fn build(&self, site: &Site<'_>) -> Option<Arc<dyn ErasedSystem>> {
        let plant = plant_beside(site, "an imu", &self.plant)?;
        let named = NamedLink { link: &self.link, key: LINK.key(), at: self.link_at };
        if !has_link(site, plant, &named) {
            return None;
        }
        site.built(Imu::new(plant, &self.link, self.settings.clone()))
    }
}

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (plant, link) = (r.get(&PLANT), r.get(&LINK));
    let pose = r.get(&POSE).unwrap_or_default();
    let period = r.get(&PERIOD);
    let (accelerometer_bias, accelerometer_noise) = (r.get(&ACCELEROMETER_BIAS), r.get(&ACCELEROMETER_NOISE));
    let (gyroscope_bias, gyroscope_noise) = (r.get(&GYROSCOPE_BIAS), r.get(&GYROSCOPE_NOISE));
    let seed = r.get(&SEED) as u64;
    let (plant_at, link_at) = (r.at_key(PLANT), r.at_key(LINK));
    let settings = ImuSettings {
        X_LS: pose.isometry(),
        accelerometer_bias,
        accelerometer_noise,
        gyroscope_bias,
        gyroscope_noise,
        seed,
        ..ImuSettings::new(period?)
    };
    Some(Box::new(Form { plant: plant?, plant_at, link: link?, link_at, settings }))
}
