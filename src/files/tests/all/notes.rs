//! Notes that a person should know on files that were accepted.

use kinegraph_files::{FileNote, condensed};
use kinegraph_models::{LoadOptions, MissingMeshes, parse_urdf_with};

fn lines(inside: &str) -> Vec<FileNote> {
    let text = format!("<robot name='r'>\n{inside}\n</robot>");
    let options = LoadOptions { missing_meshes: MissingMeshes::Ignore, ..LoadOptions::default() };
    let notes = parse_urdf_with(&text, "r.urdf", &options).expect("a robot").notes;
    condensed(&notes.iter().map(FileNote::from).collect::<Vec<_>>())
}

#[test]
fn similar_notes_on_many_links_are_combined_in_one_line() {
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
    let said = colour.to_string();
    assert!(said.starts_with("r.urdf:2:") && said.contains("`colour` of link \"l0\""), "{colour:?}");
    assert!(said.ends_with("(likewise \"l1\", \"l2\", \"l3\", \"l4\", \"l5\", \"l6\" and 3 more)"), "{colour:?}");
    assert!(mesh.what.contains("to/mesh0.dae\"") && mesh.what.contains("(likewise \"l1\""), "{mesh:?}");
    assert_eq!((&*mesh.element, mesh.line), ("robot[r]/link[l0]/visual/geometry/mesh", 2));
    assert!(lines.iter().all(|line| !line.loss));
}

#[test]
fn notes_on_the_diagram_stay_apart() {
    let note = |joint: usize| FileNote::of_diagram(format!("joint arm/joint{joint} starts beyond its stop"), false);
    assert_eq!(condensed(&[note(1), note(2)]), [note(1), note(2)]);
}

#[test]
fn notes_of_different_text_are_not_combined_and_lost_shapes_are_marked() {
    let mesh = |name: &str| format!("<collision><geometry><mesh filename='{name}'/></geometry></collision>");
    let lines = lines(&format!("<link name='a' x='1' y='2'>{}{}</link>", mesh("b.stl"), mesh("c.stl")));
    let losses: Vec<&FileNote> = lines.iter().filter(|line| line.loss).collect();
    let [loss] = &losses[..] else { panic!("{lines:#?}") };
    assert!(loss.what.contains("b.stl") && loss.what.contains("(likewise \"c.stl\")"), "{loss:?}");
    assert_eq!(lines.len(), 4, "{lines:#?}");
}
