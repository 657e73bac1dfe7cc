//! Values as a file writes them: a number, a number with its unit, `$name`, or a formula.

use crate::fault::FaultKind;
use crate::item::Path;
use crate::loader::Loader;
use crate::node::{Entry, Node, Position, Value, shorten};
use crate::quantity;
use kinegraph_core::parameter::ParameterError;
use kinegraph_core::unit::Unit;
use kinegraph_systems::operators::Formula;

/// A value as it is written.
#[derive(Debug)]
pub(super) enum Written {
    /// A number, in the unit of its key.
    Number(f64),
    /// A number with a unit.
    Quantity(f64, Unit),
    /// A formula, or a name alone.
    Formula(Text),
}

/// A formula with its text.
#[derive(Debug)]
pub(super) struct Text {
    /// The text as it is written, with its `=` or as `$name`.
    pub written: String,
    pub formula: Formula,
    /// Characters of `written` before the formula itself.
    pub before: usize,
}

/// Words for what a parameter may be, that fit "expected …".
pub(super) const EXPECTED: &str = "a number, a number with its unit such as `2 kg`, or a formula such as `\"=2*$m\"`";

impl Written {
    /// Reads the value of a parameter; `None` after a fault was recorded.
    pub fn read(node: &Node, path: &Path<'_>, loader: &Loader) -> Option<Self> {
        let expected = |expected: &str| {
            let (path, found) = (path.to_string(), node.value.describe());
            loader.report(node.at, FaultKind::Value { path, expected: expected.into(), found });
            None
        };
        match &node.value {
            Value::Number(number) if number.is_nan() => expected(EXPECTED),
            Value::Number(number) => Some(Written::Number(*number)),
            Value::Text(text) => match Text::read(text, node.at, path, loader) {
                Reading::Formula(text) => Some(Written::Formula(text)),
                Reading::Faulty => None,
                Reading::Other => match quantity::split(text) {
                    Some((number, unit)) => match Unit::read(unit) {
                        Some(unit) => Some(Written::Quantity(number, unit)),
                        None => expected("a unit of SI symbols, such as `kg`, `N m`, `kg m^2` or `rad/s`"),
                    },
                    None => expected(EXPECTED),
                },
            },
            _ => expected(EXPECTED),
        }
    }
}

/// Outcome of reading a text.
pub(super) enum Reading {
    /// A formula.
    Formula(Text),
    /// A formula with a fault, which was recorded.
    Faulty,
    /// A text that is no formula.
    Other,
}

impl Text {
    /// Reads `$name` or `=formula`.
    pub fn read(text: &str, at: Position, path: &Path<'_>, loader: &Loader) -> Reading {
        let (before, inner) = match text.trim_start().strip_prefix('=') {
            Some(inner) => (text.chars().count() - inner.chars().count(), inner),
            None if is_reference(text.trim()) => (0, text),
            None => {
                // A formula without its sign, but not a formula of a block, which has other names too.
                let is_formula = |formula: Formula| !formula.names().is_empty();
                if !text.contains('$') || !Formula::new(text).is_ok_and(is_formula) {
                    return Reading::Other;
                }
                let message = format!("a formula begins with `=`: write \"={}\"", shorten(text.trim()));
                fault(loader, at, text, 1, message, path);
                return Reading::Faulty;
            }
        };
        match Formula::new(inner) {
            Ok(formula) => Reading::Formula(Text { written: text.trim().to_owned(), formula, before }),
            Err(ParameterError::Expression { column, message, .. }) => {
                let open = |c| text.matches(c).count();
                let is_cut = open('(') > open(')');
                let hint = if is_cut { "; a formula with commas stands between quotes: \"=max($a, $b)\"" } else { "" };
                fault(loader, at, text, before + column, message + hint, path);
                Reading::Faulty
            }
            Err(error) => {
                fault(loader, at, text, 1, error.to_string(), path);
                Reading::Faulty
            }
        }
    }

    /// Place of a column of the formula in the file.
    pub fn place(&self, at: Position, column: usize) -> Position {
        at.column_of(&self.written, self.before + column)
    }
}

/// Records the fault of a formula: the column in its text, and the message.
fn fault(loader: &Loader, at: Position, text: &str, column: usize, message: String, path: &Path<'_>) {
    let kind = FaultKind::Formula { path: path.to_string(), formula: shorten(text.trim()), message };
    loader.report_formula(at, at.column_of(text, column), kind);
}

/// True if a text is `$name` and nothing else.
fn is_reference(text: &str) -> bool {
    text.strip_prefix('$').is_some_and(is_parameter_name)
}

/// True if a parameter may have this name: letters, digits and `_`, not beginning with a digit.
pub(super) fn is_parameter_name(text: &str) -> bool {
    const MAX_BYTES: usize = 200;
    let begins = text.starts_with(|c: char| c.is_alphabetic() || c == '_');
    begins && text.len() <= MAX_BYTES && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Puts `value` in place of that of a parameter, which keeps its unit, its range and its meaning.
pub(crate) fn keep_unit(parameter: &mut Node, value: Node) {
    if matches!(value.value, Value::Map(_)) {
        *parameter = value;
        return;
    }
    let unit = |node: &Node| match &node.value {
        Value::Text(text) => quantity::split(text).map(|(_, unit)| unit.to_owned()),
        _ => None,
    };
    match &mut parameter.value {
        Value::Map(entries) => {
            let default = entries.iter_mut().find(|entry| entry.key == "default");
            let lost = default.as_ref().and_then(|entry| unit(&entry.node));
            match default {
                Some(entry) => entry.node = value,
                None => entries.push(Entry { key: "default".into(), key_at: value.at, node: value }),
            }
            if let Some(lost) = lost.filter(|_| entries.iter().all(|entry| entry.key != "unit")) {
                let at = parameter.at;
                entries.push(Entry { key: "unit".into(), key_at: at, node: Node { at, value: Value::Text(lost) } });
            }
        }
        _ => match unit(parameter) {
            Some(unit) => {
                let at = parameter.at;
                let entry = |key: &str, node| Entry { key: key.into(), key_at: at, node };
                let unit = Node { at, value: Value::Text(unit) };
                parameter.value = Value::Map(vec![entry("default", value), entry("unit", unit)]);
            }
            None => *parameter = value,
        },
    }
}

/// Number of a parameter that is one, in the unit in which it is written, with its meaning and unit.
pub(crate) fn declared_number(parameter: &Node) -> Option<(f64, String)> {
    let (value, about, unit) = match &parameter.value {
        Value::Map(_) => (parameter.get("default")?, parameter.get("about"), parameter.get("unit")),
        _ => (parameter, None, None),
    };
    let text = |node: Option<&Node>| match node.map(|node| &node.value) {
        Some(Value::Text(text)) => Some(text.clone()),
        _ => None,
    };
    let (number, of_value) = match &value.value {
        Value::Number(number) => (*number, None),
        Value::Text(text) => quantity::split(text).map(|(number, unit)| (number, Some(unit.to_owned())))?,
        _ => return None,
    };
    let unit = of_value.or_else(|| text(unit)).map(|unit| format!("[{unit}]"));
    let words: Vec<String> = text(about).into_iter().chain(unit).collect();
    number.is_finite().then(|| (number, words.join(" ")))
}
