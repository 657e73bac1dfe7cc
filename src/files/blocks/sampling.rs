//! When periodic events fire.

use crate::files::decode::{NON_NEGATIVE, POSITIVE};
use crate::files::reader::Reader;
use kinegraph_systems::Sampling;

/// Reads `period` and `offset` \[s\].
pub(super) fn sampling(r: &mut Reader<'_>) -> Option<Sampling> {
    let period = r.required("period", POSITIVE);
    let offset = r.or("offset", NON_NEGATIVE, 0.0);
    Some(Sampling { period: period?, offset })
}
