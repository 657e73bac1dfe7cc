//! Links of documents: to files, folders and headings of this repository.

use crate::at;
use std::fs;
use std::path::Path;

/// The links of a document that lead nowhere.
pub fn faults(path: &Path) -> Vec<String> {
    let text = crate::text(path);
    let folder = path.parent().unwrap_or(Path::new(""));
    let fault = |(line, target): (usize, String)| {
        let outside = ["http://", "https://", "mailto:"].iter().any(|start| target.starts_with(start));
        let (file, heading) =
            target.split_once('#').map_or((target.as_str(), None), |(file, heading)| (file, Some(heading)));
        let leads = outside || {
            let file = if file.is_empty() { path.to_owned() } else { folder.join(file) };
            at(&file).exists()
                && heading.is_none_or(|heading| {
                    fs::read_to_string(at(&file)).is_ok_and(|text| anchors(&text).contains(&heading.to_owned()))
                })
        };
        (!leads).then(|| format!("{}:{line}: {target} leads nowhere", path.display()))
    };
    targets(&text).into_iter().filter_map(fault).collect()
}

/// The lines of a document outside its blocks of code, with their numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut inside = false;
    text.lines().enumerate().filter_map(move |(number, line)| {
        let fence = line.trim_start().starts_with("```");
        inside ^= fence;
        (!inside && !fence).then_some((number + 1, line))
    })
}

/// Targets of the links of a document, each with its line.
pub fn targets(text: &str) -> Vec<(usize, String)> {
    let mut all = Vec::new();
    for (number, line) in prose(text) {
        // Code within a line has no links.
        let bare: String = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
        let links = bare.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        all.extend(links.map(|link| (number, link.split_whitespace().next().unwrap_or("").to_owned())));
        if let Some((_, target)) = bare.strip_prefix('[').and_then(|rest| rest.split_once("]: ")) {
            all.push((number, target.trim().to_owned()));
        }
    }
    all
}

/// The anchors of a document: those of its headings, and those that it sets (`<a id="…">`). Of headings that are the
/// same the second has `-1` at its end.
fn anchors(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for (_, line) in prose(text) {
        all.extend(line.split("id=\"").skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned));
        let title = line.trim_start_matches('#');
        if title.len() < line.len() && title.starts_with(' ') {
            let name = anchor(title.trim());
            let again = all.iter().filter(|other| **other == name).count();
            all.push(if again == 0 { name } else { format!("{name}-{again}") });
        }
    }
    all
}

/// The anchor of a heading: small letters, digits, underscores and hyphens, a hyphen for each space.
pub fn anchor(heading: &str) -> String {
    // Of a link its text alone.
    let mut plain = String::new();
    let mut rest = heading;
    while let Some((before, after)) = rest.split_once("](") {
        plain += &before.replace('[', "");
        rest = after.split_once(')').map_or("", |(_, after)| after);
    }
    plain += rest;
    let keep = |c: char| match c {
        ' ' => Some('-'),
        c if c.is_alphanumeric() || matches!(c, '-' | '_') => Some(c),
        _ => None,
    };
    plain.to_lowercase().chars().filter_map(keep).collect()
}
