//! The stops of joints: `stops: {MODEL: {JOINT: {restitution: 0.5}}}`.

use crate::form::{
    NON_NEGATIVE, Number, Optional, POSITIVE, Reader, Section, UNIT, WithDefault, optional, with_default,
};
use kinegraph_multibody::plant::StopLaw;

pub(super) const SECTION: Section<StopLaw> =
    Section { about: "the stops of a joint, such as `{restitution: 0.5}` or `{stiffness: 1e5}`", read };

const RESTITUTION: WithDefault<Number> =
    with_default("restitution", UNIT, 0.0, "the part of the speed that a rigid stop gives back where it is struck");
const STIFFNESS: Optional<Number> = optional(
    "stiffness",
    POSITIVE,
    "rigid",
    "where given the stops are compliant, with the force `stiffness x (1 + dissipation x')`, x the way beyond the limit [N/m, \
     N m/rad]",
);
const DISSIPATION: Optional<Number> = optional("dissipation", NON_NEGATIVE, "0", "of that force [s/m, s/rad]");

fn read(r: &mut Reader<'_>) -> Option<StopLaw> {
    let restitution = r.get(&RESTITUTION);
    let (stiffness, dissipation) = (r.get(&STIFFNESS), r.get(&DISSIPATION));
    if r.has(DISSIPATION) && !r.has(STIFFNESS) {
        r.conflict(DISSIPATION, "dissipation belongs to compliant stops: give `stiffness` too");
    }
    if r.has(STIFFNESS) && r.has(RESTITUTION) {
        r.conflict(RESTITUTION, "compliant stops have no restitution: `dissipation` decides");
    }
    Some(match stiffness {
        Some(stiffness) => StopLaw::compliant(stiffness, dissipation.unwrap_or(0.0)),
        None => StopLaw::giving_back(restitution),
    })
}
