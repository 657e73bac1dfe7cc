//! Numbers by which a run is differentiated, as they are named in files and on the command line.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A number by which is differentiated: `systems.controller.kp`, `parameters.m`, with its value where the file has
/// none: `systems.plant.models.box.links.box.mass=2`; or `initial(STATE)`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum GradientBy {
    /// A value that `--set` reaches, with the value that was given.
    Path(String, Option<f64>),
    /// A number of the initial state, or what stands for several (`plant.box`).
    Initial(String),
}

impl GradientBy {
    /// Its name: without the value that was given.
    pub fn name(&self) -> String {
        match self {
            GradientBy::Path(path, _) => path.clone(),
            initial @ GradientBy::Initial(_) => initial.to_string(),
        }
    }
}

impl From<GradientBy> for String {
    fn from(by: GradientBy) -> String {
        by.to_string()
    }
}

impl TryFrom<String> for GradientBy {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl fmt::Display for GradientBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GradientBy::Path(path, None) => f.write_str(path),
            GradientBy::Path(path, Some(value)) => write!(f, "{path}={value:?}"),
            GradientBy::Initial(name) => write!(f, "initial({name})"),
        }
    }
}

impl FromStr for GradientBy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if let Some(rest) = text.strip_prefix("initial(") {
            let name = rest.strip_suffix(')').map(str::trim).filter(|name| !name.is_empty());
            return match name {
                Some(name) => Ok(GradientBy::Initial(name.to_owned())),
                None => Err(format!("`{text}` is not initial(STATE), as in initial(plant.box.x)")),
            };
        }
        if let Some(head) = ["end(", "at(", "time(", "max(", "min("].iter().find(|head| text.starts_with(**head)) {
            return Err(format!(
                "`{text}` is a measure, of which is differentiated (`of`), as {head}…) is; `by` is a number of the file \
                 like systems.controller.kp, or initial(STATE)"
            ));
        }
        let (path, value) = match text.split_once('=') {
            None => (text, None),
            Some((path, value)) => {
                let number = value.trim().parse::<f64>().ok().filter(|number| number.is_finite());
                let reason = || format!("`{}` is not a number: {}=1 is differentiated at 1", value.trim(), path.trim());
                (path.trim(), Some(number.ok_or_else(reason)?))
            }
        };
        if path.is_empty() || path.contains(char::is_whitespace) || path.split('.').any(str::is_empty) {
            return Err(format!("`{path}` is not a dotted path like systems.controller.kp, nor initial(STATE)"));
        }
        Ok(GradientBy::Path(path.to_owned(), value))
    }
}
