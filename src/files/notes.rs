//! Notes on a model file, those that say the same of several things together.
//!
//! A robot of thirty links has thirty visual meshes that are not found: one line tells that. Two notes say the same
//! where their texts differ in what stands in quotes and in numbers only.

use kinegraph_systems::models::Note;
use std::collections::HashMap;

/// One line for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub text: String,
    /// Whether it tells of shapes that should touch and do not.
    pub loss: bool,
}

/// The notes in their order, those that say the same at the place of the first of them.
pub(super) fn condensed(notes: &[Note]) -> Vec<Line> {
    let mut groups: Vec<Vec<&Note>> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for note in notes {
        let index = *known.entry(pattern(&note.kind.to_string())).or_insert(groups.len());
        match groups.get_mut(index) {
            Some(group) => group.push(note),
            None => groups.push(vec![note]),
        }
    }
    groups.iter().map(|group| line(group)).collect()
}

fn line(group: &[&Note]) -> Line {
    let loss = group[0].kind.is_loss();
    let mut text = group[0].to_string();
    if group.len() > 1 {
        text += &likewise(group);
    }
    Line { text, loss }
}

/// ` (likewise "link2", "link3" and 5 more)`: by the shortest of the quoted names in which they differ.
fn likewise(group: &[&Note]) -> String {
    const MOST: usize = 6;
    let texts: Vec<String> = group.iter().map(|note| note.kind.to_string()).collect();
    let names: Vec<Vec<&str>> = texts.iter().map(|text| quoted(text)).collect();
    let differs = |i: &usize| names.iter().any(|of| of[*i] != names[0][*i]);
    let length = |i: &usize| names.iter().map(|of| of[*i].len()).sum::<usize>();
    let Some(by) = (0..names[0].len()).filter(differs).min_by_key(length) else {
        return format!(" ({} times)", group.iter().map(|note| note.count).sum::<usize>());
    };
    let mut others: Vec<&str> = Vec::new();
    for of in &names[1..] {
        if of[by] != names[0][by] && !others.contains(&of[by]) {
            others.push(of[by]);
        }
    }
    let shown = others.iter().take(MOST).map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
    match others.len().saturating_sub(MOST) {
        0 => format!(" (likewise {shown})"),
        more => format!(" (likewise {shown} and {more} more)"),
    }
}

/// What stands in quotes.
fn quoted(text: &str) -> Vec<&str> {
    text.split('"').skip(1).step_by(2).collect()
}

/// The text without what stands in quotes and without its numbers.
fn pattern(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len());
    for c in text.split('"').step_by(2).flat_map(|part| part.chars().chain(['"'])) {
        let c = if c.is_ascii_digit() || c == '.' || c == '-' { '#' } else { c };
        if c != '#' || !pattern.ends_with('#') {
            pattern.push(c);
        }
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;
    use kinegraph_systems::models::{LoadOptions, MissingMeshes, parse_urdf_with};

    fn lines(inside: &str) -> Vec<Line> {
        let text = format!("<robot name='r'>\n{inside}\n</robot>");
        let options = LoadOptions { missing_meshes: MissingMeshes::Ignore, ..LoadOptions::default() };
        condensed(&parse_urdf_with(&text, "r.urdf", &options).expect("a robot").notes)
    }

    #[test]
    fn what_is_said_of_many_links_is_one_line() {
        let link = |i: usize| {
            format!(
                "<link name='l{i}' colour='red'>\
                 <inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>\
                 <visual><geometry><mesh filename='package://robot/a/way/to/mesh{i}.dae'/></geometry></visual></link>"
            )
        };
        let joint = |i: usize| {
            let (a, b) = (i, i + 1);
            format!("<joint name='j{a}' type='fixed'><parent link='l{a}'/><child link='l{b}'/></joint>")
        };
        let robot: String = (0..10).map(link).chain((0..9).map(joint)).collect();
        let lines = lines(&robot);
        let [colour, mesh] = &lines[..] else { panic!("{lines:#?}") };
        assert!(colour.text.starts_with("r.urdf:2:") && colour.text.contains("`colour` of link \"l0\""), "{colour:?}");
        assert!(
            colour.text.ends_with("(likewise \"l1\", \"l2\", \"l3\", \"l4\", \"l5\", \"l6\" and 3 more)"),
            "{colour:?}"
        );
        assert!(mesh.text.contains("to/mesh0.dae\"") && mesh.text.contains("(likewise \"l1\""), "{mesh:?}");
        assert!(lines.iter().all(|line| !line.loss));
    }

    #[test]
    fn what_differs_in_words_stays_apart_and_lost_shapes_are_marked() {
        let mesh = |name: &str| format!("<collision><geometry><mesh filename='{name}'/></geometry></collision>");
        let lines = lines(&format!("<link name='a' x='1' y='2'>{}{}</link>", mesh("b.stl"), mesh("c.stl")));
        let losses: Vec<&Line> = lines.iter().filter(|line| line.loss).collect();
        let [loss] = &losses[..] else { panic!("{lines:#?}") };
        assert!(loss.text.contains("b.stl") && loss.text.contains("(likewise \"c.stl\")"), "{loss:?}");
        assert_eq!(lines.len(), 4, "{lines:#?}");
    }
}
