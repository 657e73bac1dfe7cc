//! Refusals: each message names the line, the thing at fault, and its remedy.

use super::refuse;
use kinegraph_systems::models::{FaultKind, parse_urdf};

/// A robot on lines: `<robot>` is line 1, the content starts on line 2.
fn robot(content: &str) -> String {
    format!("<robot name=\"r\">\n{content}\n</robot>")
}

/// Link "arm" with this content on line 3.
fn link(content: &str) -> String {
    robot(&format!("<link name=\"arm\">\n{content}\n</link>"))
}

/// An `<inertial>` in link "arm": mass element on line 3, inertia element on line 4.
fn inertial(mass: &str, inertia: &str) -> String {
    link(&format!("<inertial>{mass}\n{inertia}</inertial>"))
}

fn collision(geometry: &str) -> String {
    link(&format!("<collision><geometry>{geometry}</geometry></collision>"))
}

/// Links "base" and "arm" on line 2 and the joint on line 3.
fn joint(attributes: &str, content: &str) -> String {
    robot(&format!("<link name=\"base\"/><link name=\"arm\"/>\n<joint {attributes}>{content}</joint>"))
}

const ENDS: &str = "<parent link=\"base\"/><child link=\"arm\"/>";

/// A joint "elbow" of this type between "base" and "arm".
fn elbow(kind: &str, content: &str) -> String {
    joint(&format!("name=\"elbow\" type=\"{kind}\""), &format!("{ENDS}{content}"))
}

/// Links a, b, c on line 2, then joints given as (name, parent, child), one per line from line 3.
fn graph(joints: &[(&str, &str, &str)]) -> String {
    let lines = joints.iter().map(|(name, parent, child)| {
        format!(
            "<joint name=\"{name}\" type=\"continuous\"><parent link=\"{parent}\"/><child link=\"{child}\"/></joint>"
        )
    });
    let links = "<link name=\"a\"/><link name=\"b\"/><link name=\"c\"/>".to_owned();
    robot(&std::iter::once(links).chain(lines).collect::<Vec<_>>().join("\n"))
}

/// Joints j and k with these mimic contents between a, b and c.
fn mimics(j: &str, k: &str) -> String {
    graph(&[("j", "a", "b"), ("k", "b", "c")])
        .replacen("</joint>", &format!("{j}</joint>"), 1)
        .replace("</joint>\n</robot>", &format!("{k}</joint>\n</robot>"))
}

/// A text, the line of its only fault, and words of the message.
type Case = (&'static str, String, usize, &'static [&'static str]);

fn xml_cases() -> Vec<Case> {
    vec![
        ("empty file", String::new(), 1, &["no element"]),
        ("plain text", "this is not XML".to_owned(), 1, &["not well-formed XML"]),
        ("wrong close tag", robot("<link name=\"a\">\n</lnik>"), 3, &["</link>", "</lnik>"]),
        (
            "missing close tag",
            "<robot name=\"r\">\n<link name=\"a\"/>\n".to_owned(),
            1,
            &["before this <robot> is closed"],
        ),
        ("cut in a tag", "<robot name=\"r\">\n<link na".to_owned(), 2, &["middle of a tag"]),
        ("attribute twice", robot("<link name=\"a\" name=\"b\"/>"), 2, &["`name`", "twice"]),
        ("unquoted value", robot("<link name=a/>"), 2, &["in quotes"]),
        ("two roots", format!("{}\n<robot/>", robot("<link name=\"a\"/>")), 4, &["second outermost element"]),
        ("unknown entity", robot("<link name=\"&arm;\"/>"), 2, &["&arm;", "&amp;"]),
        (
            "entity bomb",
            format!("<?xml version=\"1.0\"?>\n<!DOCTYPE r [<!ENTITY a \"aa\">]>\n{}", robot("<link name=\"&a;\"/>")),
            2,
            &["<!DOCTYPE"],
        ),
        ("other format", "<mujoco>\n</mujoco>".to_owned(), 1, &["<robot>", "<mujoco>", "MJCF"]),
        ("unknown root", "\n<robots/>".to_owned(), 2, &["<robots>"]),
        (
            "element left open",
            robot("<!-- <a> --><link name=\"a>\"/>\n<link name=\"b\">\n<collision/>").replace("</robot>", ""),
            3,
            &["before this <link> is closed"],
        ),
        ("missing quote", robot("<link name=\"a/>\n<link name=\"b\"/>"), 3, &["closing quote"]),
        ("bare ampersand", robot("<link name=\"a & b\"/>"), 2, &["&amp;"]),
        ("no links", robot(""), 1, &["no <link>"]),
        ("xacro element", robot("<xacro:macro name=\"leg\"/>"), 2, &["xacro", "<xacro:macro>", "expand it first"]),
        ("xacro expression", robot("<link name=\"${prefix}arm\"/>"), 2, &["xacro", "${prefix}arm"]),
    ]
}

fn link_cases() -> Vec<Case> {
    const GOOD: &str = "<inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/>";
    let mass = |value: &str| inertial(&format!("<mass value=\"{value}\"/>"), GOOD);
    let inertia = |xyz: &str| inertial("<mass value=\"1\"/>", &format!("<inertia {xyz}/>"));
    let origin = |content: &str| {
        link(&format!("<collision><origin {content}/><geometry><sphere radius=\"1\"/></geometry></collision>"))
    };
    vec![
        ("link without name", robot("<link/>"), 2, &["<link>", "`name`"]),
        ("misspelt attribute", robot("<link nmae=\"a\"/>"), 2, &["`name`", "`nmae`"]),
        ("empty link name", robot("<link name=\"\"/>"), 2, &["name", "link", "empty"]),
        (
            "two links of one name",
            robot("<link name=\"arm\"/>\n<link name=\"arm\"/>"),
            3,
            &["\"arm\"", "line 2, column 2"],
        ),
        ("negative mass", mass("-1"), 3, &["\"arm\"", "-1 kg"]),
        ("mass not a number", mass("1kg"), 3, &["`value`", "<mass> of link \"arm\"", "\"1kg\""]),
        ("mass NaN", mass("nan"), 3, &["`value`", "link \"arm\"", "\"nan\"", "finite"]),
        ("mass too large", mass("1e400"), 3, &["\"1e400\"", "finite"]),
        ("decimal comma", mass("0,5"), 3, &["\"0,5\"", "point"]),
        ("empty number", mass(""), 3, &["link \"arm\"", "empty"]),
        ("mass as text", inertial("<mass>1</mass>", GOOD), 3, &["<mass> of link \"arm\"", "`value`"]),
        ("inertial without mass", inertial("", GOOD), 3, &["<inertial> of link \"arm\"", "<mass>"]),
        ("missing moment", inertia("ixx=\"1\" iyy=\"1\""), 4, &["<inertia> of link \"arm\"", "`izz`"]),
        ("negative moment", inertia("ixx=\"1\" iyy=\"1\" izz=\"-1\""), 4, &["\"arm\"", "-1.0"]),
        // The determinant of the upper block is 1 - 4 < 0: the moments are 3, 1 and -1.
        ("large product", inertia("ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"2\""), 4, &["\"arm\"", "-1.0, 1.0, 3.0"]),
        ("two numbers", origin("xyz=\"1 2\""), 3, &["`xyz`", "<origin> of link \"arm\"", "3 numbers", "\"1 2\" has 2"]),
        ("four numbers", origin("rpy=\"1 2 3 4\""), 3, &["`rpy`", "3 numbers", "has 4"]),
        ("commas", origin("xyz=\"1,2,3\""), 3, &["`xyz`", "\"1,2,3\"", "commas"]),
        ("infinite position", origin("xyz=\"1 inf 3\""), 3, &["`xyz`", "\"inf\"", "finite"]),
        ("rpy and quaternion", origin("rpy=\"0 0 0\" quat_xyzw=\"0 0 0 1\""), 3, &["rpy", "quat_xyzw", "link \"arm\""]),
        ("zero quaternion", origin("quat_xyzw=\"0 0 0 0\""), 3, &["quat_xyzw", "zeros"]),
        ("no geometry", link("<collision/>"), 3, &["<collision> of link \"arm\"", "<geometry>"]),
        ("empty geometry", collision(""), 3, &["<geometry> of link \"arm\"", "sphere"]),
        ("unknown shape", collision("<spere radius=\"1\"/>"), 3, &["<spere>", "\"arm\"", "did you mean \"sphere\""]),
        ("unsupported shape", collision("<torus radius=\"1\"/>"), 3, &["<torus>", "\"arm\"", "capsule"]),
        (
            "negative radius",
            collision("<sphere radius=\"-0.1\"/>"),
            3,
            &["`radius`", "<sphere> of link \"arm\"", "-0.1"],
        ),
        ("no length", collision("<capsule radius=\"1\"/>"), 3, &["<capsule> of link \"arm\"", "`length`"]),
        ("flat box", collision("<box size=\"1 0 1\"/>"), 3, &["`size`", "<box> of link \"arm\"", "zero"]),
    ]
}

fn joint_cases() -> Vec<Case> {
    vec![
        ("joint without name", joint("type=\"fixed\"", ENDS), 3, &["<joint>", "`name`"]),
        ("joint without type", joint("name=\"elbow\"", ENDS), 3, &["joint \"elbow\"", "`type`"]),
        ("unknown type", elbow("revolut", ""), 3, &["\"elbow\"", "\"revolut\"", "did you mean \"revolute\""]),
        ("unsupported type", elbow("curvilinear", ""), 3, &["\"elbow\"", "\"curvilinear\"", "not supported"]),
        ("no parent", joint("name=\"elbow\" type=\"fixed\"", "<child link=\"arm\"/>"), 3, &["joint \"elbow\"", "<parent>"]),
        ("no child", joint("name=\"elbow\" type=\"fixed\"", "<parent link=\"base\"/>"), 3, &["joint \"elbow\"", "<child>"]),
        (
            "unknown parent",
            joint("name=\"elbow\" type=\"fixed\"", "<parent link=\"bsae\"/><child link=\"arm\"/>"),
            3,
            &["\"elbow\"", "\"bsae\"", "did you mean \"base\""],
        ),
        (
            "unknown child",
            joint("name=\"elbow\" type=\"fixed\"", "<parent link=\"base\"/><child link=\"gripper\"/>"),
            3,
            &["\"elbow\"", "\"gripper\"", "child"],
        ),
        (
            "joint to itself",
            joint("name=\"elbow\" type=\"fixed\"", "<parent link=\"arm\"/><child link=\"arm\"/>"),
            3,
            &["\"elbow\"", "\"arm\"", "itself"],
        ),
        ("zero axis", elbow("revolute", "<axis xyz=\"0 0 0\"/>"), 3, &["axis", "\"elbow\""]),
        ("axis without xyz", elbow("revolute", "<axis/>"), 3, &["<axis> of joint \"elbow\"", "`xyz`"]),
        ("limit NaN", elbow("revolute", "<limit lower=\"nan\"/>"), 3, &["`lower`", "<limit> of joint \"elbow\""]),
        ("negative effort", elbow("revolute", "<limit effort=\"-5\"/>"), 3, &["`effort`", "joint \"elbow\"", "-5"]),
        ("negative damping", elbow("revolute", "<dynamics damping=\"-1\"/>"), 3, &["`damping`", "joint \"elbow\"", "-1"]),
        ("mimic of nothing", mimics("<mimic joint=\"kk\"/>", ""), 3, &["\"kk\"", "did you mean \"k\""]),
        ("mimic of nothing but itself", elbow("revolute", "<mimic joint=\"elbw\"/>"), 3, &["\"elbw\", which does not"]),
        ("mimic without joint", elbow("revolute", "<mimic/>"), 3, &["<mimic> of joint \"elbow\"", "`joint`"]),
        ("mimic of itself", elbow("revolute", "<mimic joint=\"elbow\"/>"), 3, &["\"elbow\" mimics itself"]),
        ("mimic ring", mimics("<mimic joint=\"k\"/>", "<mimic joint=\"j\"/>"), 3, &["\"j\", \"k\"", "ring"]),
        (
            "mimic of a weld",
            mimics("<mimic joint=\"k\"/>", "").replace("name=\"k\" type=\"continuous\"", "name=\"k\" type=\"fixed\""),
            3,
            &["\"j\"", "\"k\"", "fixed"],
        ),
        (
            "negative rotor",
            elbow("revolute", "").replace(
                "</robot>",
                "<transmission><joint name=\"elbow\"/><actuator><drake:rotor_inertia value=\"-1\"/></actuator></transmission></robot>",
            ),
            4,
            &["<drake:rotor_inertia> of <transmission>", "-1"],
        ),
        ("two joints of one name", graph(&[("j", "a", "b"), ("j", "b", "c")]), 4, &["joint", "\"j\"", "line 3"]),
        ("two parents", graph(&[("j", "a", "c"), ("k", "b", "c"), ("l", "a", "b")]), 4, &["\"c\"", "\"j\"", "\"k\"", "line 3"]),
        ("loop", graph(&[("j", "b", "c"), ("k", "c", "b")]), 4, &["loop", "\"b\"", "\"c\""]),
        (
            "floating in the middle",
            graph(&[("j", "a", "b"), ("k", "b", "c")]).replace("name=\"k\" type=\"continuous\"", "name=\"k\" type=\"floating\""),
            4,
            &["\"k\"", "\"b\"", "root link \"a\""],
        ),
    ]
}

#[test]
fn each_fault_is_reported_once_with_its_line_and_name() {
    let cases: Vec<_> = xml_cases().into_iter().chain(link_cases()).chain(joint_cases()).collect();
    for (title, text, line, words) in cases {
        let messages = refuse(&text);
        // `--nocapture` prints the messages, to be read as a user would.
        println!("{title}:\n    {}", messages.join("\n    "));
        assert_eq!(messages.len(), 1, "{title}: {messages:#?}");
        let message = &messages[0];
        assert!(message.starts_with(&format!("robot.urdf:{line}:")), "{title}: {message}, not line {line}");
        for word in words {
            assert!(message.contains(word), "{title}: no {word} in {message}");
        }
    }
}

/// Rotational inertia without mass: on a root link it has no effect, or the base needs mass; on a link that a joint
/// moves it would be impossible.
#[test]
fn a_moved_link_with_rotational_inertia_has_mass() {
    let link = r#"<link name="arm"><inertial><mass value="0"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>"#;
    let joint = r#"<joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint>"#;
    let messages = refuse(&format!("<robot name='r'>\n{link}<link name=\"base\"/>{joint}</robot>"));
    assert!(messages[0].contains("\"arm\"") && messages[0].contains("rotational inertia"), "{messages:?}");
    assert!(parse_urdf(&format!("<robot name='r'>{link}</robot>"), "robot.urdf").is_ok());
}

#[test]
fn columns_and_spans_point_at_the_value() {
    let text = collision("<sphere radius=\"-0.1\"/>");
    let fault = parse_urdf(&text, "r").unwrap_err().faults.remove(0);
    assert_eq!(&text[fault.span.clone()], "-0.1");
    assert_eq!((fault.line, fault.column), (3, 38));
    assert!(matches!(fault.kind, FaultKind::NotPositive { value, .. } if value == -0.1));
}

#[test]
fn all_faults_of_a_file_are_reported_in_file_order() {
    let text = robot(
        "<link name=\"base\"><inertial><mass value=\"-1\"/></inertial></link>
<link name=\"base\"/>
<link name=\"arm\"><collision><geometry><sphere radius=\"-1\"/></geometry></collision></link>
<joint name=\"j\" type=\"hinge\"><parent link=\"base\"/><child link=\"am\"/></joint>
<joint name=\"k\" type=\"revolute\"><parent link=\"base\"/><child link=\"arm\"/><axis xyz=\"0 0\"/><limit lower=\"1\" upper=\"x\"/></joint>
<transmission><joint name=\"kk\"/></transmission>",
    );
    let error = parse_urdf(&text, "robot.urdf").unwrap_err();
    let lines: Vec<_> = error.faults.iter().map(|fault| fault.line).collect();
    assert_eq!(lines, [2, 3, 4, 5, 5, 6, 6], "{error}");
    assert_eq!(error.to_string().lines().count(), 7);
}

#[test]
fn a_fault_brings_no_followers() {
    // A joint with an unknown child does not also make that child a second root, nor does a bad type.
    for text in [
        graph(&[("j", "a", "bb"), ("k", "b", "c")]),
        graph(&[("j", "a", "b"), ("k", "b", "c")])
            .replace("name=\"j\" type=\"continuous\"", "name=\"j\" type=\"curvilinear\""),
    ] {
        assert_eq!(refuse(&text).len(), 1, "{:#?}", refuse(&text));
    }
}

#[test]
fn a_flood_of_faults_is_counted() {
    let links: String = (0..2500).map(|_| "<link/>").collect();
    let messages = refuse(&robot(&links));
    assert_eq!(messages.len(), 1001);
    assert!(messages[1000].contains("1500 more faults"), "{}", messages[1000]);
}
