//! Flexible bodies and skins: they are not simulated, and a note says what is missing without them.

use super::element::Element;
use super::fields::Fields;
use super::log::Log;
use crate::notes::MjcfNote;

/// Notes what `<flexcomp>`, `<flex>` or `<skin>` would be.
pub(super) fn note(element: &Element, log: &mut Log<'_>) {
    let f = Fields::alone(element);
    let what = match element.name.as_str() {
        "flexcomp" => {
            let mass = f.number_or("mass", 1.0, log);
            let by_count = matches!(f.text("type").unwrap_or("grid"), "grid" | "box" | "cylinder" | "ellipsoid");
            let count = f.list("count", log).filter(|_| by_count).map(|count| count.iter().product::<f64>());
            let points = count.map_or("its points".to_owned(), |count| format!("{count:.0} points"));
            format!("{points} with {mass} kg together, what holds them together and what they touch are missing")
        }
        "flex" => {
            let bodies = f.text("body").map_or(0, |names| names.split_whitespace().count());
            format!("what holds {bodies} bodies together and what it touches are missing: they fall apart")
        }
        _ => "it is drawn over bodies, and nothing that moves is missing".to_owned(),
    };
    let touches = element.name != "skin";
    log.note(&element.at, MjcfNote::NotRead { element: element.describe(), what, touches });
}
