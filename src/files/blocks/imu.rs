//! `type: imu`.

use super::multibody_plant::pose::{Pose, SECTION};
use super::plant_beside::OnLink;
use crate::example_files::PENDULUM;
use crate::form::{
    BlockSpec, BlockType, Group, NON_NEGATIVE, NUMBER, Needs, Number, Optional, POSITIVE, PerChannel, Position, Reader,
    ScalarOrList, Section, Site, SystemSpec, WHOLE, WithDefault, needs, optional, with_default,
};
use kinegraph_core::ErasedSystem;
use kinegraph_systems::sensors::{Imu, ImuSettings};
use std::sync::Arc;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "imu",
    group: Group::Sensors,
    about: "specific force and angular velocity of a link, with bias and noise",
    example: "imu: {type: imu, plant: plant, link: pendulum/rod, pose: {xyz: [0, 0, -1]}, period: 0.01, gyroscope_noise: 0.01}\nplant: {type: multibody_plant, models: [{name: pendulum, file: pendulum.urdf, base: fixed}]}",
    files: &[PENDULUM],
    read,
};

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
    on: OnLink,
    settings: ImuSettings,
}

impl BlockSpec for Form {
    fn beside(&self) -> Option<(&str, Position)> {
        Some(self.on.beside())
    }
    fn build(&self, site: &Site<'_>) -> Option<Arc<dyn ErasedSystem>> {
        let plant = self.on.plant(site, "an imu")?;
        site.built(Imu::new(plant, &self.on.link, self.settings.clone()))
    }
}

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let on = OnLink::read(r);
    let pose = r.get(&POSE).unwrap_or_default();
    let period = r.get(&PERIOD);
    let (accelerometer_bias, accelerometer_noise) = (r.get(&ACCELEROMETER_BIAS), r.get(&ACCELEROMETER_NOISE));
    let (gyroscope_bias, gyroscope_noise) = (r.get(&GYROSCOPE_BIAS), r.get(&GYROSCOPE_NOISE));
    let seed = r.get(&SEED) as u64;
    let settings = ImuSettings {
        X_LS: pose.isometry(),
        accelerometer_bias,
        accelerometer_noise,
        gyroscope_bias,
        gyroscope_noise,
        seed,
        ..ImuSettings::new(period?)
    };
    Some(Box::new(Form { on: on?, settings }))
}
