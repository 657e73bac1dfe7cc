//! Belts of a plant: `belts: [{name, link, axis, …}]`.

use super::element::ModelElement;
use crate::form::{
    Decode, Item, NUMBER, Name, Needs, Number, Optional, Position, Reader, Section, Value, Vector, WithDefault, needs,
    optional, with_default,
};
use kinegraph_multibody::plant::SurfaceMotion;

/// A surface that moves.
#[derive(Clone, Debug)]
pub struct BeltSpec {
    /// Name, unique among the belts of the plant.
    pub name: String,
    /// The model and its link; `None`: the ground.
    pub link: Option<(String, String)>,
    /// Where the link is named.
    pub at: Position,
    /// How the surface moves.
    pub motion: SurfaceMotion,
    /// Speed while the plant's input `NAME.speed` is not connected \[m/s\].
    pub speed: f64,
}

/// One item of `belts`.
pub(super) const SECTION: Section<BeltSpec> =
    Section { about: "a belt, such as `{name: line, link: conveyor/base, axis: [0, 1, 0]}`", read };

const NAME: Needs<Name> =
    needs("name", Name, "unique among the belts of the plant; its speed is the input `NAME.speed`");
pub(super) const LINK: Needs<Surface> =
    needs("link", Surface, "`MODEL/LINK` or `ground`: every collision shape of it gets the moving surface");
const AXIS: Optional<Vector<3>> = optional(
    "axis",
    Vector { about: "[x, y, z]" },
    "see `direction`",
    "as a belt on rollers that turn about this axis, in link axes: the surface moves along axis × outward normal \
     (`[0, 1, 0]`: the upper side along x, the lower one back)",
);
const DIRECTION: Optional<Vector<3>> = optional(
    "direction",
    Vector { about: "[x, y, z]" },
    "see `axis`",
    "instead of `axis`: every side moves in this direction, in link axes",
);
const SPEED: WithDefault<Number> =
    with_default("speed", NUMBER, 0.0, "speed while nothing is connected to the input [m/s]");

fn read(r: &mut Reader<'_>) -> Option<BeltSpec> {
    let (name, link) = (r.get(&NAME), r.get(&LINK));
    let (axis, direction) = (r.get(&AXIS), r.get(&DIRECTION));
    let speed = r.get(&SPEED);
    for (key, vector) in [(AXIS, axis), (DIRECTION, direction)] {
        if vector == Some([0.0; 3]) {
            r.wrong(key, "a vector that is not zero", "[0, 0, 0]");
        }
    }
    if r.has(AXIS) == r.has(DIRECTION) {
        r.conflict(LINK, "a belt has either an `axis` that its rollers turn about, or a `direction`");
        return None;
    }
    let motion = axis.map(SurfaceMotion::Around).or(direction.map(SurfaceMotion::Along))?;
    Some(BeltSpec { name: name?, link: link?, at: r.at_key(LINK), motion, speed })
}

/// `MODEL/LINK` or `ground`.
pub(super) struct Surface;

impl Decode for Surface {
    type Output = Option<(String, String)>;
    fn expects(&self) -> String {
        "a link as `model/link`, or ground".into()
    }
    fn decode(&self, item: Item<'_>) -> Option<Self::Output> {
        match &item.node.value {
            Value::Text(text) if text == "ground" => Some(None),
            _ => ModelElement { what: "link" }.decode(item).map(Some),
        }
    }
}
