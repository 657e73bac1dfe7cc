//! The values of the parameters of a file: formulas in the order in which they need each other.

use super::declared::{Declared, Placement};
use super::keys::PARAMETERS;
use super::set::SetFrom;
use super::written::{Text, Written};
use crate::fault::FaultKind;
use crate::item::Path;
use crate::loader::Loader;
use crate::names::unknown;
use crate::node::{Origin, Position, shorten, show_number};
use kinegraph_core::unit::Unit;
use kinegraph_systems::operators::NameInFormula;
use std::collections::HashMap;

/// Name of the number of a copy of a repeated diagram.
const INDEX: &str = "index";

/// Maximum number of characters that say where a value comes from.
const MAX_DERIVATION: usize = 400;

/// The parameters of a file with their values.
pub(super) struct Table<'a> {
    pub loader: &'a Loader,
    rows: Vec<Row>,
    places: HashMap<String, usize>,
    /// Values that the outer file sets.
    set: Option<&'a SetFrom<'a>>,
    /// The copy of a repeated diagram that is being read.
    pub copy: Option<usize>,
}

/// A parameter, its value, and the places where it is used.
pub(super) struct Row {
    pub declared: Declared,
    pub state: State,
    /// Place from which the value comes, in words; empty for a number of the file.
    origin: String,
    /// True if the outer file sets it.
    is_set: bool,
    /// The formula as written, if it is one.
    pub formula: Option<String>,
    /// Smallest and largest value.
    pub range: Option<[f64; 2]>,
    pub uses: Vec<String>,
}

/// State of a value while formulas are evaluated.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum State {
    /// Not asked for.
    Unknown,
    /// Being evaluated.
    Open,
    /// Found; `None` after a fault was recorded.
    Known(Option<f64>),
}

/// Value of a formula, with its derivation in words.
pub(super) struct Derived {
    pub value: f64,
    pub from: String,
}

impl<'a> Table<'a> {
    pub fn new(declared: Vec<Declared>, loader: &'a Loader) -> Self {
        let places = declared.iter().enumerate().map(|(i, one)| (one.name.clone(), i)).collect();
        let row = |declared| Row {
            declared,
            state: State::Unknown,
            origin: String::new(),
            is_set: false,
            formula: None,
            range: None,
            uses: Vec::new(),
        };
        Table { loader, rows: declared.into_iter().map(row).collect(), places, set: None, copy: None }
    }

    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Takes the values that an outer file sets. A value of the command line goes before them.
    pub fn set_from(&mut self, set: &'a SetFrom<'a>) {
        self.set = Some(set);
        for one in set.set {
            let Some(&place) = self.places.get(&one.name) else {
                let (what, path) = (format!("parameter of {}", set.file), set.path(""));
                let names = self.rows.iter().map(|row| row.declared.name.as_str());
                let path = path.trim_end_matches('.').to_owned();
                let kind = unknown(&one.name, &what, path, names, set.outer);
                set.outer.report(one.at, kind);
                continue;
            };
            let row = &mut self.rows[place];
            let is_overridden = |value: &Placement| matches!(value.at.origin, Origin::Override(_));
            if row.declared.value.as_ref().is_some_and(is_overridden) {
                continue;
            }
            let (at, given) = &one.value;
            let made = set.outer.derivations().of(*at, set.copy());
            // A name alone has the unit of its parameter; a formula has none that is known.
            let of_name = set.outer.derivations().unit(*at);
            let number = match (given.unit.as_ref().or(of_name.as_ref()), &row.declared.unit) {
                (Some(unit), Some(own)) if !unit.gives(own.dimension) => {
                    let message =
                        format!("the value is in {}, the parameter `{}` in {}", unit.name, one.name, own.name);
                    set.outer.report(*at, FaultKind::Conflict { path: set.path(&one.name), message });
                    row.state = State::Known(None);
                    continue;
                }
                (Some(unit), _) if given.unit.is_some() => unit.to_si(given.number),
                // Formulas compute in SI units.
                (None, Some(own)) if made.is_none() => own.to_si(given.number),
                (Some(_) | None, _) => given.number,
            };
            let path = format!("systems.{}.set.{}", set.block, one.name);
            let place = set.outer.place(*at);
            let by = made.map_or_else(String::new, |made| format!(": {made}"));
            row.origin = cut(format!("set by {path}, {place}{by}"));
            row.is_set = true;
            row.declared.value = Some(Placement { at: *at, written: Written::Number(number) });
        }
    }

    /// Finds all values, and checks that each lies in its range.
    pub fn find_values(&mut self) {
        for row in 0..self.rows.len() {
            self.value_of(row, &mut Vec::new());
        }
    }

    /// Value of a parameter; `open` are those whose formulas need it.
    fn value_of(&mut self, i: usize, open: &mut Vec<usize>) -> Option<f64> {
        match self.rows[i].state {
            State::Known(value) => return value,
            State::Open => {
                self.report_circle(&open[open.iter().position(|one| *one == i).unwrap_or(0)..]);
                return None;
            }
            State::Unknown => self.rows[i].state = State::Open,
        }
        let written = self.rows[i].declared.value.take();
        open.push(i);
        let value = written.as_ref().and_then(|written| self.value_written(i, written, open));
        open.pop();
        self.rows[i].declared.value = written;
        self.rows[i].state = State::Known(value);
        // A value out of its range is one fault: what follows from it is no other.
        if !self.is_in_range(i, open) {
            self.rows[i].state = State::Known(None);
            return None;
        }
        value
    }

    fn value_written(&mut self, i: usize, value: &Placement, open: &mut Vec<usize>) -> Option<f64> {
        let (at, name) = (value.at, self.rows[i].declared.name.clone());
        if matches!(at.origin, Origin::Override(_)) && !self.rows[i].is_set {
            self.rows[i].origin = self.loader.place(at);
        }
        let path = format!("{PARAMETERS}.{name}");
        let number = match &value.written {
            Written::Number(number) if self.rows[i].is_set => *number,
            Written::Number(number) => in_si(*number, self.rows[i].declared.unit.as_ref()),
            Written::Quantity(number, unit) => unit.to_si(*number),
            Written::Formula(text) => {
                let key = Path::Key(&Path::Root, PARAMETERS);
                self.rows[i].formula = Some(text.written.clone());
                let derived = self.derive(text, at, &Path::Key(&key, &name), open)?;
                if self.rows[i].origin.is_empty() {
                    self.rows[i].origin = format!("`{}`", shorten(&text.written));
                }
                self.loader.derivations().made(at, None, derived.from);
                return Some(derived.value);
            }
        };
        if number.is_finite() {
            return Some(number);
        }
        self.loader
            .report(at, FaultKind::Value { path, expected: "a finite number".into(), found: show_number(number) });
        None
    }

    /// Records that parameters need each other in a circle.
    fn report_circle(&self, circle: &[usize]) {
        let names = circle.iter().chain(&circle[..1]).map(|&i| self.rows[i].declared.name.as_str());
        let names = names.collect::<Vec<_>>().join(" -> ");
        let first = &self.rows[circle[0]].declared;
        let (path, at) = (format!("{PARAMETERS}.{}", first.name), first.at);
        let message = format!("its value needs itself: {names}; give one of them a number");
        self.loader.report(at, FaultKind::Conflict { path, message });
    }

    /// Unit of a formula that is the name of a parameter and nothing else, if the parameter has one.
    pub fn unit_of(&self, text: &Text) -> Option<&Unit> {
        let name = text.written.strip_prefix('$')?;
        self.rows[*self.places.get(name)?].declared.unit.as_ref()
    }

    /// Value of a formula of the file at `path`; `None` after its faults were recorded.
    pub fn value(&mut self, text: &Text, at: Position, path: &Path<'_>) -> Option<Derived> {
        self.derive(text, at, path, &mut Vec::new())
    }

    fn derive(&mut self, text: &Text, at: Position, path: &Path<'_>, open: &mut Vec<usize>) -> Option<Derived> {
        let names = text.formula.names();
        let values: Vec<Option<f64>> = names.iter().map(|name| self.named(name, text, at, path, open)).collect();
        let Some(values) = values.into_iter().collect::<Option<Vec<f64>>>() else {
            self.loader.derivations().fail(at);
            return None;
        };
        let (value, from) = (text.formula.value(&values), self.derivation(text, &values));
        if value.is_finite() {
            return Some(Derived { value, from });
        }
        let what = if value.is_nan() { "is not a number" } else { "is infinite" };
        let (path, formula) = (path.to_string(), shorten(&text.written));
        let with = from.split_once(" with ").map_or_else(String::new, |(_, with)| format!(" with {with}"));
        let message = format!("its value {what}{with}: look at divisions, roots and logarithms");
        self.loader.report_formula(at, at, FaultKind::Formula { path, formula, message });
        None
    }

    /// Value of a name in a formula; `None` after a fault was recorded.
    fn named(
        &mut self,
        name: &NameInFormula,
        text: &Text,
        at: Position,
        path: &Path<'_>,
        open: &mut Vec<usize>,
    ) -> Option<f64> {
        if name.name == INDEX && self.copy.is_some() {
            return self.copy.map(|copy| copy as f64);
        }
        if let Some(&place) = self.places.get(&name.name) {
            // Each copy of a repeated diagram uses the same.
            if self.copy.is_none_or(|copy| copy == 0) {
                self.rows[place].uses.push(path.to_string());
            }
            return self.value_of(place, open);
        }
        let place = text.place(at, name.column);
        if name.name == INDEX {
            let message = "`$index` counts the copies of a diagram: it stands in a block with `type: diagram` and \
                           `repeat`";
            let (path, formula) = (path.to_string(), shorten(&text.written));
            self.loader.report_formula(at, place, FaultKind::Formula { path, formula, message: message.into() });
            return None;
        }
        let names = self.rows.iter().map(|row| row.declared.name.as_str());
        let kind = match names.clone().next() {
            Some(_) => unknown(&name.name, "parameter", path.to_string(), names, self.loader),
            None => FaultKind::Formula {
                path: path.to_string(),
                formula: shorten(&text.written),
                message: format!(
                    "the file has no parameters: declare it at the top of the file, `parameters: {{{}: 1}}`",
                    shorten(&name.name)
                ),
            },
        };
        self.loader.report_formula(at, place, kind);
        None
    }

    /// Derivation of a value in words: the formula and the values in it, each with its origin.
    fn derivation(&self, text: &Text, values: &[f64]) -> String {
        let is_reference = !text.written.starts_with('=');
        let named = text.formula.names().iter().zip(values).map(|(name, value)| {
            let origin = self.places.get(&name.name).map_or("", |&place| self.rows[place].origin.as_str());
            let origin = if origin.is_empty() { String::new() } else { format!(" ({origin})") };
            if is_reference { origin } else { format!("{} = {}{origin}", name.name, show_number(*value)) }
        });
        let named = named.collect::<Vec<_>>().join(", ");
        let with = if is_reference || named.is_empty() { "" } else { " with " };
        cut(format!("`{}`{with}{named}", shorten(&text.written)))
    }

    /// True if a value lies in its range, which is kept; false after a fault was recorded.
    fn is_in_range(&mut self, i: usize, open: &mut Vec<usize>) -> bool {
        let Some(range) = self.rows[i].declared.range.take() else { return true };
        let (name, unit) = (self.rows[i].declared.name.clone(), self.rows[i].declared.unit.clone());
        let (top, key) = (Path::Root, "range");
        let all = Path::Key(&top, PARAMETERS);
        let of_one = Path::Key(&all, &name);
        let path = Path::Key(&of_one, key);
        let mut bound = |table: &mut Self, bound: &Placement| match &bound.written {
            Written::Number(number) => Some(in_si(*number, unit.as_ref())),
            Written::Quantity(number, unit) => Some(unit.to_si(*number)),
            Written::Formula(text) => table.derive(text, bound.at, &path, open).map(|derived| derived.value),
        };
        let (low, high) = (bound(self, &range[0]), bound(self, &range[1]));
        let (Some(low), Some(high)) = (low, high) else { return false };
        let shown = |x: f64| show_number(x);
        if low > high {
            let message = format!("{} is above {}: the smaller one comes first", shown(low), shown(high));
            self.loader.report(range[0].at, FaultKind::Conflict { path: path.to_string(), message });
            return false;
        }
        let row = &mut self.rows[i];
        row.range = Some([low, high]);
        let (State::Known(Some(value)), Some(Placement { at, .. })) = (row.state, &row.declared.value) else {
            return true;
        };
        if (low..=high).contains(&value) {
            return true;
        }
        let unit = unit.filter(|unit| unit.name != "1").map_or_else(String::new, |unit| format!(" {}", unit.name));
        let of = match self.set {
            Some(set) if row.is_set => format!("the `range` of `{name}` in {}", set.file),
            _ => format!("the `range` of `{name}`"),
        };
        let expected = format!("a number from {} to {}{unit} ({of})", shown(low), shown(high));
        match self.set {
            Some(set) if row.is_set => {
                let kind = FaultKind::Value { path: set.path(&name), expected, found: shown(value) };
                set.outer.report_of_copy(*at, set.copy(), kind);
            }
            _ => {
                let path = of_one.to_string();
                self.loader.report(*at, FaultKind::Value { path, expected, found: shown(value) });
            }
        }
        false
    }

    /// Notes the parameters that nothing uses.
    pub fn note_unused(&self) {
        for row in self.rows.iter().filter(|row| row.uses.is_empty()) {
            let (name, place) = (&row.declared.name, self.loader.place(row.declared.at));
            self.loader.note_doubt(format!("{place}: nothing uses the parameter `{name}`"));
        }
    }
}

fn in_si(number: f64, unit: Option<&Unit>) -> f64 {
    unit.map_or(number, |unit| unit.to_si(number))
}

/// The beginning of a long derivation.
fn cut(text: String) -> String {
    match text.char_indices().nth(MAX_DERIVATION) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
