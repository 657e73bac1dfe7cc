//! `type: dc_motor`.

use crate::form::{
    BlockType, Group, NON_NEGATIVE, NUMBER, Needs, Optional, POSITIVE, PerChannel, Reader, ScalarOrList, SystemSpec,
    WithDefault, needs, optional, recipe, with_default,
};
use kinegraph_systems::machines::{DcMotor, DcMotorSettings};

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "dc_motor",
    group: Group::Machines,
    about: "brushed motors with winding, gear and current limit, as drives of joints",
    example: "motor: {type: dc_motor, resistance: 2, inductance: 0.01, torque_constant: 0.05, gear_ratio: 50, current_limit: 9}",
    files: &[],
    read,
};

const RESISTANCE: Needs<ScalarOrList> = needs("resistance", ScalarOrList(POSITIVE), "of the winding [Ω]");
const INDUCTANCE: WithDefault<ScalarOrList> = with_default(
    "inductance",
    ScalarOrList(NON_NEGATIVE),
    PerChannel::All(0.0),
    "of the winding; without it the current follows at once [H]",
);
const TORQUE_CONSTANT: Needs<ScalarOrList> = needs("torque_constant", ScalarOrList(POSITIVE), "k_t [N m/A]");
const BACK_EMF_CONSTANT: Optional<ScalarOrList> =
    optional("back_emf_constant", ScalarOrList(POSITIVE), "the torque constant", "k_e [V s/rad]");
const GEAR_RATIO: WithDefault<ScalarOrList> = with_default(
    "gear_ratio",
    ScalarOrList(NUMBER),
    PerChannel::All(1.0),
    "angle of the motor per joint position [-, rad/m]",
);
const EFFICIENCY: WithDefault<ScalarOrList> = with_default(
    "efficiency",
    ScalarOrList(POSITIVE),
    PerChannel::All(1.0),
    "of the gear, whichever side drives; at most 1",
);
const REVERSAL_SPEED: WithDefault<ScalarOrList> = with_default(
    "reversal_speed",
    ScalarOrList(POSITIVE),
    PerChannel::All(0.01),
    "joint speed at which a gear with losses distinguishes driving from being driven [rad/s, m/s]",
);
const CURRENT_LIMIT: Optional<ScalarOrList> =
    optional("current_limit", ScalarOrList(POSITIVE), "none", "largest current [A]");
const VOLTAGE_LIMIT: Optional<ScalarOrList> =
    optional("voltage_limit", ScalarOrList(POSITIVE), "none", "largest voltage [V]");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (resistance, inductance) = (r.get(&RESISTANCE), r.get(&INDUCTANCE));
    let (torque_constant, back_emf_constant) = (r.get(&TORQUE_CONSTANT), r.get(&BACK_EMF_CONSTANT));
    let (gear_ratio, efficiency) = (r.get(&GEAR_RATIO), r.get(&EFFICIENCY));
    let reversal_speed = r.get(&REVERSAL_SPEED);
    let (current_limit, voltage_limit) = (r.get(&CURRENT_LIMIT), r.get(&VOLTAGE_LIMIT));
    let width = r.width();
    let settings = DcMotorSettings {
        back_emf_constant,
        gear_ratio,
        efficiency,
        reversal_speed,
        current_limit,
        voltage_limit,
        ..DcMotorSettings::new(resistance?, inductance, torque_constant?)
    };
    recipe(move || DcMotor::new(width, settings.clone()))
}
