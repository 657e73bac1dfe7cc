//! `type: butterworth`.

use crate::form::{
    BlockType, Count, Group, Needs, Number, Optional, POSITIVE, Reader, SystemSpec, WIDTH, needs, optional, recipe,
};
use kinegraph_systems::dynamics::{Band, Butterworth};

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "butterworth",
    group: Group::Dynamics,
    about: "a low pass, high pass or band pass that is flat in its band",
    example: "flat: {type: butterworth, order: 4, to: 60}",
    files: &[],
    read,
};

const ORDER: Needs<Count> =
    needs("order", Count { limit: 30 }, "n: the gain falls by 20 n dB per decade; a band pass has 2 n states");
const FROM: Optional<Number> = optional("from", POSITIVE, "none: a low pass", "lower end of the band [rad/s]");
const TO: Optional<Number> = optional("to", POSITIVE, "none: a high pass", "upper end of the band [rad/s]");

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let order = r.get(&ORDER);
    let (from, to) = (r.get(&FROM), r.get(&TO));
    let width = r.get(&WIDTH);
    let band = match (from, to) {
        (None, Some(to)) => Band::Low(to),
        (Some(from), None) => Band::High(from),
        (Some(from), Some(to)) => Band::Between(from, to),
        (None, None) => {
            r.conflict(ORDER, "no band is given: `to` makes a low pass, `from` a high pass, both a band pass");
            return None;
        }
    };
    let order = order?;
    recipe(move || Butterworth::new(width, order, band))
}
