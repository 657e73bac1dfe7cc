//! Names of copies of a diagram.

use kinegraph::diagram::DiagramBuilder;
use kinegraph_diagram::copies::{name, split};
use kinegraph_systems::operators::Gain;
use kinegraph_systems::sources::Constant;

#[test]
fn names_of_copies_are_split_into_the_name_of_all_and_the_number() {
    assert_eq!(split("row[3]"), Some(("row", 3)));
    assert_eq!(split(&name("row", 12)), Some(("row", 12)));
    for other in ["row", "row[]", "row[-1]", "row[03]", "row[3]x", "row[a]", "row[3", "row]3["] {
        assert_eq!(split(other), None, "{other}");
    }
}

/// Brackets of a block and of a port stand in one path.
#[test]
fn copies_are_wired_by_path_and_by_part() {
    let mut b = DiagramBuilder::new("d");
    for i in 0..2_u8 {
        let mut part = DiagramBuilder::new("part");
        part.add("source", Constant::new([1.0 + f64::from(i), 7.0]).unwrap());
        part.export_output_path("value", "source.output");
        b.nest(&name("row", usize::from(i)), part);
    }
    b.add("gain", Gain::new(2, 2.0).unwrap());
    b.connect_paths("row[1].value[0]", "gain.input[0]");
    b.connect_paths("row[0]/source.output[1]", "gain.input[1]");
    let diagram = b.build().unwrap();
    let mut values = diagram.values::<f64>();
    diagram.evaluate_state(&diagram.initial_state(), &mut values);
    assert_eq!(values.get(diagram.output("gain.output").unwrap().range), [4.0, 14.0]);
    assert!(diagram.find_block("row[1]/source").is_ok());
}

#[test]
fn brackets_stand_at_the_end_of_a_name_only() {
    for wrong in ["row[1]x", "row[x]", "row[]"] {
        let mut b = DiagramBuilder::new("d");
        b.add(wrong, Constant::new([1.0]).unwrap());
        assert!(b.build().unwrap_err().to_string().contains("is not a valid block name"), "{wrong}");
    }
}
