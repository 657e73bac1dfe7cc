//! Tests of `systems/models/element_path.rs`.

use kinegraph_models::element_path::paths;

#[test]
fn an_offset_has_the_path_of_its_element() {
    let text = "<?xml version='1.0'?>\n<!-- <no> --><robot name='r'><link name = \"a>b\" x='1'><mass value='2'/>\
                <visual/></link>text<joint type='fixed' name='j'></joint></robot>";
    let at = |part: &str| text.find(part).expect("part of the text");
    let asked = ["<no>", "r'>", "x='1'", "value", "visual", "/link", "text", "fixed", "/robot"];
    let offsets: Vec<usize> = asked.iter().map(|part| at(part)).collect();
    let expected = [
        "",
        "robot[r]",
        "robot[r]/link[a>b]",
        "robot[r]/link[a>b]/mass",
        "robot[r]/link[a>b]/visual",
        "robot[r]/link[a>b]",
        "robot[r]",
        "robot[r]/joint[j]",
        "robot[r]",
    ];
    assert_eq!(paths(text, &offsets), expected);
    assert_eq!(paths("<a", &[0, 5]), ["", ""]);
    assert_eq!(paths("", &[0]), [""]);
}
