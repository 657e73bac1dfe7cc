//! `view: {eye, target, up}`.

use crate::lists::Vector;
use crate::parameter::{Needs, WithDefault, needs, with_default};
use crate::reader::Reader;
use crate::section::Section;
use kinegraph_engine::scene::View;

/// `view: {…}`.
pub(super) const SECTION: Section<View> =
    Section { about: "where to look from, such as `{eye: [2, -2, 1.5], target: [0, 0, 0.5]}`", read };

const EYE: Needs<Vector<3>> = needs("eye", Vector { about: "[x, y, z]" }, "where the eye is [m]");
const TARGET: Needs<Vector<3>> = needs("target", Vector { about: "[x, y, z]" }, "what it looks at [m]");
const UP: WithDefault<Vector<3>> =
    with_default("up", Vector { about: "[x, y, z]" }, [0.0, 0.0, 1.0], "what is up in the picture");

fn read(r: &mut Reader<'_>) -> Option<View> {
    let (eye, target, up) = (r.get(&EYE), r.get(&TARGET), r.get(&UP));
    let view = View { eye: eye?, target: target?, up };
    let along: Vec<f64> = (0..3).map(|i| view.target[i] - view.eye[i]).collect();
    let across =
        [along[1] * up[2] - along[2] * up[1], along[2] * up[0] - along[0] * up[2], along[0] * up[1] - along[1] * up[0]];
    if across.iter().all(|x| x.abs() < 1e-9) {
        r.wrong(UP, "a direction across the line of sight", "one along it");
    }
    Some(view)
}
