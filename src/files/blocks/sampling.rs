//! Times of periodic events.

use crate::form::{NON_NEGATIVE, Needs, Number, POSITIVE, Reader, WithDefault, needs, with_default};
use kinegraph_core::Sampling;

const PERIOD: Needs<Number> = needs("period", POSITIVE, "time between two samples [s]");
const OFFSET: WithDefault<Number> = with_default("offset", NON_NEGATIVE, 0.0, "time of the first sample [s]");

/// Reads `period` and `offset` \[s\].
pub(super) fn sampling(r: &mut Reader<'_>) -> Option<Sampling> {
    let period = r.get(&PERIOD);
    let offset = r.get(&OFFSET);
    Some(Sampling { period: period?, offset })
}
