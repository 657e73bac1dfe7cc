//! Block types as tables of a Markdown document: `kinegraph systems --markdown`.

use crate::diagram::Side;
use crate::files::{BlockType, Catalog, IfMissing, LoadError, Parameter};
use crate::scenario::ports_of_example;

/// Maximum number of parameters that are described in the row of a block type; for more, and for maps, only the names
/// are listed.
const MAX_BRIEF: usize = 7;

/// Writes a table for each group of the catalog, with one row for each block type.
///
/// # Errors
/// Faults of an example.
pub(super) fn of_catalog(catalog: &Catalog) -> Result<String, LoadError> {
    let mut tables = Vec::new();
    for (group, blocks) in catalog.groups() {
        let mut table = format!("{}:\n\n| type | parameters | ports |\n|---|---|---|\n", capitalized(group.title()));
        for block in blocks {
            let parameters = block.own_parameters();
            let is_long = parameters.len() > MAX_BRIEF || parameters.iter().any(|p| !p.keys.is_empty());
            let parameters = parameters.iter().map(|p| if is_long { format!("`{}`", p.key) } else { brief(p) });
            let parameters: Vec<String> = parameters.collect();
            let (name, about) = (block.name, cell(block.about));
            let ports = ports(block, catalog)?;
            table += &format!("| `{name}`: {about} | {} | {ports} |\n", cell(&parameters.join("; ")));
        }
        tables.push(table);
    }
    Ok(tables.join("\n"))
}

/// A table of the parameters of a block type, and one for each map among them.
pub(super) fn of_block(block: &BlockType) -> String {
    let parameters = block.own_parameters();
    let mut maps = Vec::new();
    collect_maps("", &parameters, &mut maps);
    let mut text = table(&parameters);
    for Map { paths, keys } in maps {
        let paths: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
        text += &format!("\n{}:\n\n{}", paths.join(", "), table(keys));
    }
    text
}

/// A map among the parameters, with all paths that lead to a map with these keys.
struct Map<'a> {
    paths: Vec<String>,
    keys: &'a [Parameter],
}

fn collect_maps<'a>(path: &str, parameters: &'a [Parameter], maps: &mut Vec<Map<'a>>) {
    let inner = |parameter: &Parameter| {
        if path.is_empty() { parameter.key.to_owned() } else { format!("{path}.{}", parameter.key) }
    };
    let with_keys = || parameters.iter().filter(|parameter| !parameter.keys.is_empty());
    for parameter in with_keys() {
        match maps.iter_mut().find(|map| map.keys == parameter.keys.as_slice()) {
            Some(map) => map.paths.push(inner(parameter)),
            None => maps.push(Map { paths: vec![inner(parameter)], keys: &parameter.keys }),
        }
    }
    for parameter in with_keys() {
        collect_maps(&inner(parameter), &parameter.keys, maps);
    }
}

fn table(parameters: &[Parameter]) -> String {
    let mut table = "| key | value | default | meaning |\n|---|---|---|---|\n".to_owned();
    for Parameter { key, if_missing, expects, about, .. } in parameters {
        let default = match if_missing {
            IfMissing::Required => "required".to_owned(),
            IfMissing::Value(value) => format!("`{value}`"),
            IfMissing::Words(words) => (*words).to_owned(),
        };
        table += &format!("| `{key}` | {} | {} | {} |\n", cell(expects), cell(&default), cell(about));
    }
    table
}

/// A parameter with its default in parentheses and its meaning.
fn brief(parameter: &Parameter) -> String {
    let Parameter { key, if_missing, about, .. } = parameter;
    match if_missing {
        IfMissing::Required => format!("`{key}`: {about}"),
        IfMissing::Value(value) => format!("`{key}` ({value}): {about}"),
        IfMissing::Words(words) => format!("`{key}` ({words}): {about}"),
    }
}

/// Ports of the example: inputs -> outputs.
fn ports(block: &BlockType, catalog: &Catalog) -> Result<String, LoadError> {
    let ports = ports_of_example(block, catalog)?;
    let names = |side: Side| {
        let ports = ports.iter().filter(|port| port.side == side);
        let named = ports.map(|port| format!("`{}`{}", port.name, if port.optional { " (optional)" } else { "" }));
        named.collect::<Vec<_>>().join(", ")
    };
    let (inputs, outputs) = (names(Side::Input), names(Side::Output));
    Ok(if inputs.is_empty() { format!("→ {outputs}") } else { format!("{inputs} → {outputs}") })
}

/// Escapes text for a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn capitalized(title: &str) -> String {
    let mut letters = title.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
