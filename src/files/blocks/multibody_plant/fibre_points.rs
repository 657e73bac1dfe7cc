//! Points of a fibre: a list in the diagram file, or a separate file with one point per line.

use crate::form::{Decode, FaultKind, FileName, Item, ListOf, Value, Vector};
use kinegraph_multibody::fibre::CURVE_COINCIDENT;
use nalgebra::Vector3;

/// More points than this are taken for a mistake.
const MAX_POINTS: usize = 1_000_000;
const LIST: ListOf<Vector<3>> =
    ListOf { each: Vector { about: "[x, y, z] in m" }, about: "a list of points [x, y, z], or the name of a file" };
const FILE: FileName = FileName { about: "the name of a file with a point `x, y, z` in m on each line" };

/// A list of points, or the name of a file.
pub(super) struct Points;

impl Decode for Points {
    type Output = Vec<Vector3<f64>>;
    fn expects(&self) -> String {
        LIST.expects()
    }
    fn decode(&self, item: Item<'_>) -> Option<Vec<Vector3<f64>>> {
        if !matches!(item.node.value, Value::Text(_)) {
            return Some(LIST.decode(item)?.into_iter().map(Into::into).collect());
        }
        let file = FILE.decode(item)?;
        let text = match item.loader.text(&file) {
            Ok(text) => text,
            Err(kind) => {
                let path = item.path.to_string();
                item.report(FaultKind::Conflict { path, message: format!("{}: {kind}", file.display()) });
                return None;
            }
        };
        read(&text)
            .map_err(|(line, reason)| {
                let (path, message) = (item.path.to_string(), format!("{}:{line}: {reason}", file.display()));
                item.report(FaultKind::Conflict { path, message });
            })
            .ok()
    }
}

/// Reads points from a text: three numbers per line, separated by commas, semicolons or spaces. A first line without
/// numbers is a header; empty lines and everything after a `#` are ignored. On failure, returns the number of the wrong
/// line and the reason.
pub fn read(text: &str) -> Result<Vec<Vector3<f64>>, (usize, String)> {
    let mut points: Vec<Vector3<f64>> = Vec::new();
    let mut named = false;
    for (i, line) in text.lines().enumerate() {
        let wrong = |reason: String| Err((i + 1, reason));
        let line = line.split('#').next().unwrap_or_default().trim_start_matches('\u{feff}');
        let fields: Vec<&str> = line.split([',', ';']).flat_map(str::split_whitespace).collect();
        if fields.is_empty() {
            continue;
        }
        if points.is_empty() && !named && fields.iter().all(|field| field.parse::<f64>().is_err()) {
            named = true;
            continue;
        }
        if fields.len() != 3 {
            return wrong(format!("{} numbers, but a point has three", fields.len()));
        }
        let mut point = Vector3::zeros();
        for (x, field) in point.iter_mut().zip(&fields) {
            match field.parse::<f64>() {
                Ok(number) if number.is_finite() => *x = number,
                _ => return wrong(format!("`{}` is not a finite number", field.chars().take(40).collect::<String>())),
            }
        }
        if let Some(before) = points.last()
            && (point - before).norm() <= CURVE_COINCIDENT * point.norm().max(before.norm())
        {
            return wrong("the point is where the one before it is".into());
        }
        if points.len() == MAX_POINTS {
            return wrong(format!("more than {MAX_POINTS} points"));
        }
        points.push(point);
    }
    match points.len() {
        0 | 1 => Err((text.lines().count().max(1), format!("{} points, but a fibre needs two or more", points.len()))),
        _ => Ok(points),
    }
}
