//! The grammar as tables of a Markdown document.

use super::GROUPS;
use super::declaration::{Attribute, Element, Kind, Status};
use std::collections::BTreeSet;

/// Of more elements than these, a row has their number.
const MAX_LISTED: usize = 13;

/// A row: the cells that elements have alike, and the names of these.
struct Row {
    cells: Vec<String>,
    names: Vec<&'static str>,
}

/// Tables of what is read, group by group, and of what is not.
pub fn tables() -> String {
    let of_groups = GROUPS.map(|(_, elements)| rows_of_read(elements));
    let all: Vec<Element> = GROUPS.iter().flat_map(|(_, elements)| *elements).copied().collect();
    // Rows of elements of several groups come first.
    let (mut once, mut shared) = (BTreeSet::new(), BTreeSet::new());
    for row in of_groups.iter().flatten().filter(|row| !once.insert(&row.cells)) {
        shared.insert(&row.cells);
    }
    let of_several = rows_of_read(&all).into_iter().filter(|row| shared.contains(&row.cells));
    let mut text = section("Elements of several groups", &of_several.collect::<Vec<_>>());
    for ((title, _), rows) in GROUPS.iter().zip(&of_groups) {
        let own: Vec<Row> = rows.iter().filter(|row| !shared.contains(&row.cells)).map(Row::cloned).collect();
        text += &section(title, &own);
    }
    let head = "| element | in | noted: not simulated | noted: not read | without a note |\n|---|---|---|---|---|\n";
    let unread =
        rows_of_unread(&all).into_iter().map(|row| format!("| {} | {} |\n", row.listed(), row.cells.join(" | ")));
    text + "Not read:\n\n" + head + &unread.collect::<String>()
}

impl Row {
    fn cloned(&self) -> Row {
        Row { cells: self.cells.clone(), names: self.names.clone() }
    }

    fn listed(&self) -> String {
        if self.names.len() > MAX_LISTED {
            return format!("{} elements", self.names.len());
        }
        self.names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
    }
}

fn section(title: &str, rows: &[Row]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let row = |row: &Row| match &row.cells[..] {
        [name, rest @ ..] => format!("| {name} | {} | {} |\n", row.listed(), rest.join(" | ")),
        [] => String::new(),
    };
    let rows = rows.iter().map(row).collect::<String>();
    format!("{title}:\n\n| attribute | of | value | meaning |\n|---|---|---|---|\n{rows}\n")
}

/// One row for each attribute that is read.
fn rows_of_read(elements: &[Element]) -> Vec<Row> {
    let cells = |of: &Attribute| vec![format!("`{}`", of.names), value(of), of.meaning.to_owned()];
    let read = |element: &Element| element.attributes().filter(|of| of.status == Status::Read).map(cells);
    merged(elements.iter().flat_map(|element| read(element).map(|cells| (*element, cells))))
}

/// One row for each element that is not read, or has attributes that are not.
fn rows_of_unread(elements: &[Element]) -> Vec<Row> {
    let statuses = [Status::Ignored, Status::Unread, Status::Silent];
    let rows = elements.iter().filter_map(|element| {
        let cell = |status: Status| {
            let of_status = element.attributes().filter(|of| of.status == status).map(|of| format!("`{}`", of.names));
            let names = of_status.collect::<Vec<_>>().join(" ").replace("` `", " ");
            match element.status {
                Status::Read => names,
                whole if whole == status => "the element".to_owned(),
                // Of an element that is not read as a whole there is nothing more to say.
                _ => String::new(),
            }
        };
        let cells = statuses.map(cell);
        let says = cells.iter().any(|cell| !cell.is_empty());
        let within = element.within.replace("worldbody body frame replicate", "bodies");
        says.then(|| (*element, [vec![within], cells.to_vec()].concat()))
    });
    merged(rows)
}

/// Rows with what elements have alike, in the order of the first of each.
fn merged(rows: impl Iterator<Item = (Element, Vec<String>)>) -> Vec<Row> {
    let mut merged: Vec<Row> = Vec::new();
    for (element, cells) in rows {
        match merged.iter_mut().find(|row| row.cells == cells) {
            Some(row) => row.names.extend(element.names().filter(|name| !row.names.contains(name)).collect::<Vec<_>>()),
            None => merged.push(Row { cells, names: element.names().collect() }),
        }
    }
    merged
}

/// The value in words, with its unit.
fn value(attribute: &Attribute) -> String {
    let value = match attribute.kind {
        Kind::Number => "number".to_owned(),
        Kind::Numbers(count) => format!("{count} numbers"),
        Kind::AtMost(count) => format!("up to {count} numbers"),
        Kind::List => "numbers".to_owned(),
        Kind::Flag => "true, false".to_owned(),
        Kind::Word(words) => words().join(", "),
        Kind::Name => "name".to_owned(),
        Kind::Reference(to) => format!("name of {} {to}", if to.starts_with(['a', 'o']) { "an" } else { "a" }),
        Kind::Text | Kind::Any => "text".to_owned(),
    };
    if attribute.units.is_empty() { value } else { format!("{value} [{}]", attribute.units) }
}
