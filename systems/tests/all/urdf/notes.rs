//! Notes on accepted files: every note has its place, and nothing is dropped without one.

use super::load;
use kinegraph_systems::multibody::JointKind;

/// The notes of a robot with these lines between `<robot>` (line 1) and `</robot>`.
fn notes(lines: &str) -> Vec<String> {
    let loaded = load(&format!("<robot name=\"r\">\n{lines}\n</robot>"));
    loaded.notes.iter().map(|note| note.to_string().replace("robot.urdf:", "")).collect()
}

const BODY: &str = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>";

/// Two bodies and a joint with this type and content, on lines 2, 3 and 4.
fn joint(kind: &str, content: &str) -> Vec<String> {
    notes(&format!(
        "<link name='a'>{BODY}</link>\n<link name='b'>{BODY}</link>\n<joint name='j' type='{kind}'><parent link='a'/><child link='b'/>{content}</joint>"
    ))
}

#[test]
fn a_clean_robot_has_no_notes() {
    let limit = "<limit lower='-1' upper='1' effort='1'/><dynamics damping='1' friction='0'/>";
    assert_eq!(joint("revolute", limit), [""; 0]);
    assert_eq!(joint("continuous", "<visual/>").len(), 1);
    let visual = "<visual name='v'><geometry><sphere radius='1'/></geometry><material name='m'/></visual>";
    assert_eq!(notes(&format!("<material name='m'/><link name='a'>{BODY}{visual}</link>")), [""; 0]);
}

/// Deviations with one possible meaning, which other readers accept, are read with a note: commas before blanks,
/// reversed limits, which mean that there is none, balls by another name.
#[test]
fn unambiguous_errors_of_urdf_files_are_accepted_with_a_note() {
    assert_note(&joint("continuous", "<axis xyz='0, 0, 1'/>"), "4:", &["`xyz` of <axis>", "commas"]);
    assert_note(
        &joint("revolute", "<limit lower='2' upper='1' effort='1'/>"),
        "4:",
        &["\"j\"", "reversed", "it has none"],
    );
    let text = |joint: &str| {
        format!("<robot name='r'><link name='a'>{BODY}</link><link name='b'>{BODY}</link>{joint}</robot>")
    };
    let ends = "<parent link='a'/><child link='b'/>";
    let ball = load(&text(&format!("<joint name='j' type='spherical'>{ends}</joint>"))).model;
    assert_eq!(ball.joints[0].kind, JointKind::Ball);
    let free =
        load(&text(&format!("<joint name='j' type='prismatic'>{ends}<limit lower='1' upper='-1'/></joint>"))).model;
    assert_eq!(free.joints[0].limits, (f64::NEG_INFINITY, f64::INFINITY));
    // A table that is fixed to the world needs no mass for its inertia.
    let inertia = "<inertial><mass value='0'/><inertia ixx='1' iyy='1' izz='1'/></inertial>";
    let table = format!(
        "<robot name='r'><link name='world'/><link name='b'>{inertia}</link>\
         <joint name='j' type='fixed'><parent link='world'/><child link='b'/></joint></robot>"
    );
    assert!(load(&table).model.links.iter().all(|link| link.inertia.is_none()));
}

/// Asserts one note at this place with these words.
fn assert_note(notes: &[String], place: &str, words: &[&str]) {
    println!("{}", notes.join("\n")); // `--nocapture` prints them, to be read as a user would
    let found = notes.iter().any(|note| note.starts_with(place) && words.iter().all(|word| note.contains(word)));
    assert!(found, "no note at {place} with {words:?} in {notes:#?}");
}

#[test]
fn notes_name_the_thing_and_the_place() {
    let link = |content: &str| notes(&format!("<link name=\"arm\">\n{content}</link>"));
    let cases = [
        (link("<inertail/>"), "3:2:", vec!["<inertail>", "link \"arm\"", "did you mean \"inertial\""]),
        (link("<sensor/><sensor/><sensor/>"), "3:2:", vec!["<sensor> in <link>", "(3 times)"]),
        (link("<drake:thing/>"), "3:2:", vec!["<drake:thing>"]),
        (link("<drake:thing/>"), "1:2:", vec!["xmlns:drake"]),
        (notes("<link name='arm'/>"), "2:2:", vec!["\"arm\"", "no mass"]),
        (link("<inertial><mass value='0'/></inertial>"), "3:2:", vec!["\"arm\"", "no mass"]),
        (link("<inertial><mass value='2'/></inertial>"), "3:2:", vec!["\"arm\"", "point mass"]),
        (
            link("<inertial><mass value='2'/>\n<inertia ixx='1' iyy='1' izz='3'/></inertial>"),
            "4:2:",
            vec!["\"arm\"", "triangle inequality", "1.0, 1.0, 3.0"],
        ),
        (
            link("<inertial><mass value='2'/><mass value='3'/></inertial>"),
            "3:29:",
            vec!["more than one <mass>", "link \"arm\""],
        ),
        (
            link("<collision><origin xzy='1 2 3'/><geometry><sphere radius='1'/></geometry></collision>"),
            "3:25:",
            vec!["xzy", "did you mean \"xyz\""],
        ),
        (
            link("<visual><geometry><mesh filename='package://arm/arm.dae'/></geometry></visual>"),
            "3:35:",
            vec!["visual mesh", "package://arm/arm.dae", "\"arm\"", "package \"arm\" is not found"],
        ),
        (
            link("<visual><geometry><spere radius='1'/></geometry></visual>"),
            "3:20:",
            vec!["<spere>", "\"arm\"", "did you mean \"sphere\"", "not drawn"],
        ),
        (
            notes(
                "<link name='arm'><visual><geometry><sphere radius='1'/></geometry>\n<material name='grye'/></visual></link><material name='grey'/>",
            ),
            "3:17:",
            vec!["material \"grye\"", "\"arm\"", "did you mean \"grey\""],
        ),
        (notes("<link name='a'/><material name='m'/>\n<material name='m'/>"), "3:17:", vec!["second", "\"m\""]),
        (
            notes("<link name='a'/><material name='m'>\n<color rgba='255 0 0 1'/></material>"),
            "3:14:",
            vec!["255.0, 0.0, 0.0, 1.0", "\"m\"", "0 to 1"],
        ),
        (
            notes("<link name='a'/><material name='m'>\n<texture filename='grain.png'/></material>"),
            "3:20:",
            vec!["texture \"grain.png\"", "\"m\"", "not found"],
        ),
        (
            joint("continuous", "<origin rpy='0 90 0'/>"),
            "4:",
            vec!["`rpy` of <origin>", "\"j\"", "90 rad are 14.3 turns", "90 degrees are 1.5708"],
        ),
        (
            joint("revolute", "<limit lower='-45' upper='45' effort='1'/>"),
            "4:",
            vec!["`limit` of joint \"j\"", "-45 rad are 7.2 turns", "-45 degrees are -0.7854"],
        ),
        (joint("revolute", ""), "4:2:", vec!["\"j\"", "no <limit>"]),
        (joint("revolute", "<limit lower='0'/>"), "4:", vec!["\"j\"", "`upper`"]),
        (joint("revolute", "<limit lower='0'/>"), "4:", vec!["\"j\"", "`effort`"]),
        (joint("prismatic", "<limit lower='1' upper='2' effort='1'/>"), "4:", vec!["\"j\"", "zero", "1 to 2"]),
        (joint("continuous", "<limit lower='0' upper='0' effort='1'/>"), "4:", vec!["\"j\"", "continuous"]),
        (joint("continuous", "<limit effort='0'/>"), "4:", vec!["\"j\"", "effort limit", "zero"]),
        (joint("continuous", "<limit effort='1' velocity='1'/>"), "4:", vec!["`velocity` of <limit>"]),
        (joint("continuous", "<safety_controller/>"), "4:", vec!["<safety_controller> in <joint>"]),
        (joint("fixed", "<mimic joint='j'/>"), "4:", vec!["<mimic>", "\"j\"", "fixed"]),
        (notes("<link name='a'/><gazebo reference='a'><x/></gazebo>"), "2:18:", vec!["<gazebo> in <robot>"]),
        (notes("<link name='world'><inertial><mass value='1'/></inertial></link>"), "2:21:", vec!["world"]),
        (
            notes(
                "<link name='a'/><link name='b'/><joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint>",
            ),
            "2:34:",
            vec!["\"j\"", "massless"],
        ),
        (notes("<link name='a'/>\n<link name='b' drake_ignore='true'/>"), "3:2:", vec!["link \"b\"", "skipped"]),
    ];
    for (notes, place, words) in cases {
        assert_note(&notes, place, &words);
    }
}

/// Fingers without mass at the end of an arm stay where they are; one that a joint with mass follows, and one with a
/// rotor, may move.
#[test]
fn joints_at_the_ends_that_move_no_mass_are_held_and_noted() {
    let joint = |name: &str, parent: &str, child: &str, more: &str| {
        format!(
            "<joint name='{name}' type='revolute'><parent link='{parent}'/><child link='{child}'/><axis xyz='0 0 1'/>{more}</joint>\n"
        )
    };
    let limit = |lower: f64| format!("<limit lower='{lower}' upper='2' effort='1'/>");
    let links = ["palm", "tip", "ring", "spool", "led", "follower"].map(|name| {
        format!("<link name='{name}'>{}</link>", if name == "palm" || name == "follower" { BODY } else { "" })
    });
    let joints = [
        joint("bend", "palm", "tip", &limit(0.5)),
        joint("turn", "tip", "ring", &format!("{}<mimic joint='bend'/>", limit(-1.0))),
        joint("wind", "palm", "spool", &limit(-1.0)),
        joint("lead", "palm", "led", &limit(-1.0)),
        joint("follow", "palm", "follower", &format!("{}<mimic joint='lead'/>", limit(-1.0))),
    ];
    let rotor = "<transmission name='t'><type>SimpleTransmission</type><joint name='wind'/><actuator name='m'><drake:rotor_inertia value='1e-3'/></actuator></transmission>";
    let links: String = links.concat();
    let loaded = load(&format!("<robot name='r' xmlns:drake='x'>{links}{}{rotor}</robot>", joints.concat()));
    let kind = |name: &str| loaded.model.joints.iter().find(|j| j.name == name).map(|j| j.kind);
    for (name, expected) in [
        ("bend", JointKind::Fixed),
        ("turn", JointKind::Fixed),
        ("wind", JointKind::Revolute),
        ("lead", JointKind::Revolute),
        ("follow", JointKind::Revolute),
    ] {
        assert_eq!(kind(name), Some(expected), "{name}: {:?}", loaded.notes);
    }
    // Zero is outside of the limits of one: it is held at the lower.
    let angle = |j: usize| loaded.model.joints[j].X_PF.rotation.scaled_axis().z;
    assert!((angle(0) - 0.5).abs() < 1e-15 && angle(1) == 0.0);
    let notes: Vec<String> = loaded.notes.iter().map(ToString::to_string).collect();
    assert_note(&notes, "robot.urdf:1:", &["\"bend\"", "massless", "fixed"]);
    assert_note(&notes, "robot.urdf:2:", &["\"turn\"", "massless", "fixed"]);
    assert_note(&notes, "robot.urdf:4:", &["\"lead\"", "massless", "not determined"]);
}

#[test]
fn transmissions_that_drive_nothing_are_noted() {
    let transmission = |kind: &str| {
        format!(
            "<link name='a'/><link name='b'/>\n<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>
                 <transmission name='t'>\n<type>{kind}</type><joint name='j'/></transmission>"
        )
    };
    let weld = notes(&transmission("transmission_interface/SimpleTransmission"));
    assert_note(&weld, "5:", &["transmission", "\"j\"", "fixed"]);
    let nothing = notes("<link name='a'/>\n<transmission name='t'><joint name='elbow'/></transmission>");
    assert_note(&nothing, "3:", &["transmission \"t\"", "\"elbow\"", "ignored"]);
    let differential = notes(&transmission("DifferentialTransmission"));
    assert_note(&differential, "5:", &["\"t\"", "DifferentialTransmission"]);
}

#[test]
fn a_nameless_robot_is_called_after_its_file() {
    let loaded = load("<robot><link name='a'/></robot>");
    assert_eq!(loaded.model.name, "robot");
    assert!(loaded.notes[0].to_string().contains("no name"));
}

#[test]
fn an_undeclared_prefix_does_not_move_places() {
    let notes = load("<robot name='r'><link name='a'><b:x/></link></robot>").notes;
    let places: Vec<_> = notes.iter().map(|note| (note.column, note.kind.to_string())).collect();
    let column = |word: &str| places.iter().find(|(_, kind)| kind.contains(word)).unwrap().0;
    assert_eq!(column("xmlns"), 2);
    assert_eq!(column("no mass"), 18);
    assert_eq!(column("<b:x>"), 33);
}

#[test]
fn a_flood_of_notes_is_counted() {
    let links: String = (0..3000).map(|i| format!("<link name='l{i}' odd{i}='1'/>")).collect();
    let joints: String = (1..3000)
        .map(|i| format!("<joint name='j{i}' type='fixed'><parent link='l{}'/><child link='l{i}'/></joint>", i - 1))
        .collect();
    let notes = notes(&(links + &joints));
    assert_eq!(notes.len(), 1001);
    assert!(notes[1000].contains("5000 more notes"), "{}", notes[1000]);
}
