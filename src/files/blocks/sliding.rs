//! Parameters of sliding friction, which the models of friction share.

use crate::form::{
    NON_NEGATIVE, Needs, Optional, POSITIVE, PerChannel, Reader, ScalarOrList, WithDefault, needs, optional,
    with_default,
};
use kinegraph_systems::dynamics::Sliding;

const COULOMB: Needs<ScalarOrList> =
    needs("coulomb", ScalarOrList(POSITIVE), "friction of fast sliding without its viscous part [N or N m]");
const BREAKAWAY: Optional<ScalarOrList> =
    optional("breakaway", ScalarOrList(POSITIVE), "`coulomb`", "friction of the slowest sliding [N or N m]");
const STRIBECK_SPEED: WithDefault<ScalarOrList> = with_default(
    "stribeck_speed",
    ScalarOrList(POSITIVE),
    PerChannel::All(0.01),
    "speed over which it falls from `breakaway` to `coulomb` [m/s or rad/s]",
);
const VISCOUS: WithDefault<ScalarOrList> = with_default(
    "viscous",
    ScalarOrList(NON_NEGATIVE),
    PerChannel::All(0.0),
    "friction per speed besides [N s/m or N m s/rad]",
);

/// Reads the parameters.
pub(super) fn sliding(r: &mut Reader<'_>) -> Option<Sliding> {
    let (coulomb, breakaway) = (r.get(&COULOMB), r.get(&BREAKAWAY));
    let (stribeck_speed, viscous) = (r.get(&STRIBECK_SPEED), r.get(&VISCOUS));
    let coulomb = coulomb?;
    let breakaway = breakaway.unwrap_or_else(|| coulomb.clone());
    Some(Sliding { coulomb, breakaway, stribeck_speed, viscous })
}
