//! `type: lead_lag`.

use crate::form::{
    BlockType, Group, NON_NEGATIVE, NUMBER, Needs, POSITIVE, PerChannel, Reader, ScalarOrList, SystemSpec, WithDefault,
    needs, recipe, with_default,
};
use kinegraph_systems::dynamics::LeadLag;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "lead_lag",
    group: Group::Dynamics,
    about: "advances or delays the phase: gain (1 + lead s)/(1 + lag s)",
    example: "advance: {type: lead_lag, lead: 0.1, lag: 0.01}",
    files: &[],
    read,
};

const LEAD: Needs<ScalarOrList> = needs("lead", ScalarOrList(NON_NEGATIVE), "time constant of the zero [s]");
const LAG: Needs<ScalarOrList> = needs("lag", ScalarOrList(POSITIVE), "time constant of the pole [s]");
const GAIN: WithDefault<ScalarOrList> =
    with_default("gain", ScalarOrList(NUMBER), PerChannel::All(1.0), "gain of slow signals [any]").live();

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (lead, lag) = (r.get(&LEAD), r.get(&LAG));
    let gain = r.get(&GAIN);
    let width = r.width();
    let (lead, lag) = (lead?, lag?);
    recipe(move || LeadLag::new(width, lead.clone(), lag.clone(), gain.clone()))
}
