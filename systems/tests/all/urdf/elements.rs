//! Springs, bushings, constraints, filter groups, frames, servos and separate parts: one test each.

use super::{load, refuse};
use kinegraph_systems::models::NoteKind;
use kinegraph_systems::multibody::scene_data::{ConstraintCompliance, CouplingLaw, Factor};
use kinegraph_systems::multibody::{JointKind, Tree};
use nalgebra::{Isometry3, Vector3};

/// Three links in a row, on continuous joints, with more beside them.
fn robot(more: &str) -> String {
    let link = |name: &str| {
        format!("<link name='{name}'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>")
    };
    let joint = |name: &str, parent: &str, child: &str| {
        format!(
            "<joint name='{name}' type='continuous'><parent link='{parent}'/><child link='{child}'/>\
             <origin xyz='0 0 1'/></joint>"
        )
    };
    format!(
        "<robot name='r' xmlns:drake='http://drake.mit.edu'>{}{}{}{}{}\n{more}</robot>",
        link("a"),
        link("b"),
        link("c"),
        joint("j", "a", "b"),
        joint("k", "b", "c"),
    )
}

fn law(more: &str) -> CouplingLaw {
    let loaded = load(&robot(more));
    assert!(loaded.notes.is_empty(), "{:#?}", loaded.notes);
    loaded.model.scene.couplings[0].law.clone()
}

fn at(x: f64, y: f64, z: f64) -> Isometry3<f64> {
    Isometry3::translation(x, y, z)
}

#[test]
fn a_spring_is_a_compliant_distance() {
    let found = law("<drake:linear_spring_damper>
        <drake:linear_spring_damper_body_A name='a'/><drake:linear_spring_damper_body_B name='c'/>
        <drake:linear_spring_damper_p_AP value='1 2 3'/><drake:linear_spring_damper_p_BQ value='0 0 0.5'/>
        <drake:linear_spring_damper_free_length value='0.7'/><drake:linear_spring_damper_stiffness value='120'/>
        <drake:linear_spring_damper_damping value='3'/></drake:linear_spring_damper>");
    let compliance = Some(ConstraintCompliance { stiffness: 120.0, damping: 3.0 });
    let ends = [("a".to_owned(), at(1.0, 2.0, 3.0)), ("c".to_owned(), at(0.0, 0.0, 0.5))];
    assert_eq!(found, CouplingLaw::Distance { ends, length: 0.7, compliance });
}

#[test]
fn a_distance_is_rigid_unless_it_has_a_stiffness() {
    let text = "<drake:distance_constraint><drake:distance_constraint_body_A name='a'/>
        <drake:distance_constraint_body_B name='b'/><drake:distance_constraint_distance value='1.5'/>MORE
        </drake:distance_constraint>";
    let more = "<drake:distance_constraint_stiffness value='10'/><drake:distance_constraint_damping value='2'/>";
    for (more, expected) in [("", None), (more, Some(ConstraintCompliance { stiffness: 10.0, damping: 2.0 }))] {
        let CouplingLaw::Distance { length, compliance, .. } = law(&text.replace("MORE", more)) else { panic!("none") };
        assert_eq!((length, compliance), (1.5, expected));
    }
}

#[test]
fn a_ball_constraint_holds_two_points_together() {
    let found = law("<drake:ball_constraint><drake:ball_constraint_body_A name='a'/>
        <drake:ball_constraint_body_B name='c'/><drake:ball_constraint_p_AP value='0 0 2'/></drake:ball_constraint>");
    let ends = [("a".to_owned(), at(0.0, 0.0, 2.0)), ("c".to_owned(), Isometry3::identity())];
    assert_eq!(found, CouplingLaw::Ball(ends));
}

#[test]
fn a_bushing_has_springs_and_dampers_by_axis() {
    let text = "<frame name='f' link='c' xyz='0 0 -1' rpy='0 0 0'/><drake:linear_bushing_rpy>
        <drake:bushing_frameA name='b'/><drake:bushing_frameC name='f'/>
        <drake:bushing_torque_stiffness value='5 5 5'/><drake:bushing_torque_damping value='1 1 1'/>
        <drake:bushing_force_stiffness value='70 70 70'/><drake:bushing_force_damping value='2 2 2'/>
        </drake:linear_bushing_rpy>";
    let ends = [("b".to_owned(), Isometry3::identity()), ("c".to_owned(), at(0.0, 0.0, -1.0))];
    let linear = ConstraintCompliance { stiffness: 70.0, damping: 2.0 };
    let angular = ConstraintCompliance { stiffness: 5.0, damping: 1.0 };
    assert_eq!(law(text), CouplingLaw::Bushing { ends, linear: [linear; 3], angular: [angular; 3] });
    let CouplingLaw::Bushing { linear: by_axis, .. } = law(&text.replace("70 70 70", "70 71 0")) else {
        panic!("a bushing");
    };
    assert_eq!(by_axis.map(|law| law.stiffness), [70.0, 71.0, 0.0]);
    assert_eq!(by_axis.map(|law| law.damping), [2.0; 3]);
}

#[test]
fn a_tendon_constraint_is_a_coupling_or_a_stop() {
    let text = "<drake:tendon_constraint><drake:tendon_constraint_joint name='j' a='2'/>
        <drake:tendon_constraint_joint name='k' a='-1'/><drake:tendon_constraint_offset value='0.5'/>
        <drake:tendon_constraint_lower_limit value='1'/><drake:tendon_constraint_upper_limit value='1'/>MORE
        </drake:tendon_constraint>";
    let joints = vec![("j".to_owned(), 2.0), ("k".to_owned(), -1.0)];
    assert_eq!(law(&text.replace("MORE", "")), CouplingLaw::Joints { joints, offset: 0.5, compliance: None });
    let soft = text.replace("MORE", "<drake:tendon_constraint_stiffness value='9'/>");
    let model = load(&robot(&soft)).model;
    let (range, stop) = model.scene.tendons[0].stop.unwrap();
    assert_eq!((range, stop.stiffness), ((0.5, 0.5), 9.0));
}

#[test]
fn frames_are_kept() {
    let model = load(&robot("<frame name='tip' link='c' xyz='1 2 3' rpy='0 0 1.5707963267948966'/>")).model;
    let frame = &model.scene.frames[0];
    assert_eq!((&*frame.name, &*frame.link), ("tip", "c"));
    assert!((frame.X_LF * Vector3::x() - Vector3::y()).norm() < 1e-15);
    assert_eq!(frame.X_LF.translation.vector, Vector3::new(1.0, 2.0, 3.0));
}

/// Filters between groups, within a group that ignores itself, and through groups of groups.
#[test]
fn groups_keep_links_apart() {
    let group = |name: &str, more: &str| {
        format!("<drake:collision_filter_group name='{name}'>{more}</drake:collision_filter_group>")
    };
    let member = |link: &str| format!("<drake:member link='{link}'/>");
    let ignores = |group: &str| format!("<drake:ignored_collision_filter_group name='{group}'/>");
    let pairs = |text: String| load(&robot(&text)).model.scene.apart;
    let pair = |a: &str, b: &str| [a.to_owned(), b.to_owned()];
    let two = group("g", &(member("a") + &ignores("h"))) + &group("h", &(member("b") + &member("c")));
    assert_eq!(pairs(two), [pair("a", "b"), pair("a", "c")]);
    assert_eq!(pairs(group("g", &(member("a") + &member("c") + &ignores("g")))), [pair("a", "c")]);
    let nested = group("g", "<drake:member_group name='h'/><drake:ignored_collision_filter_group name='g'/>")
        + &group("h", &(member("b") + &member("a") + "<drake:member_group name='g'/>"));
    assert_eq!(pairs(nested), [pair("a", "b")]);
    let wrong = refuse(&robot(&group("g", &(member("d") + &ignores("hh")))));
    assert!(wrong[0].contains("link \"d\"") && wrong[1].contains("group \"hh\""), "{wrong:?}");
}

/// Gains make a motor a servo, with a note; the others stay motors.
#[test]
fn controller_gains_make_a_servo() {
    let motor = |joint: &str, gains: &str| {
        format!(
            "<transmission><type>SimpleTransmission</type><joint name='{joint}'/><actuator name='m{joint}'>{gains}\
             </actuator></transmission>"
        )
    };
    let loaded = load(&robot(&(motor("j", "<drake:controller_gains p='30' d='2'/>") + &motor("k", ""))));
    let [servo, plain] = &loaded.model.scene.actuators[..] else { panic!("two actuators") };
    let (gain, bias) = (Factor::Affine([30.0, 0.0, 0.0]), Factor::Affine([0.0, -30.0, -2.0]));
    assert_eq!((&*servo.name, servo.gain, servo.bias), ("j", gain, bias));
    assert_eq!((&*plain.name, plain.gain, plain.bias), ("k", Factor::Affine([1.0, 0.0, 0.0]), Factor::ZERO));
    assert!(matches!(loaded.notes[0].kind, NoteKind::Servo { .. }));
    assert!(load(&robot(&motor("j", ""))).model.scene.actuators.is_empty());
}

/// Unconnected parts float, each on its own; a part that is attached to the world stays on it.
#[test]
fn separate_parts_float() {
    let text = robot("").replace("<joint name='j'", "<joint drake_ignore='true' name='j'");
    let loaded = load(&text);
    let floating = loaded.model.joints.iter().filter(|joint| joint.kind == JointKind::Floating);
    assert_eq!(floating.map(|joint| &*joint.child).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(loaded.model.scene.separate_roots, ["a", "b"]);
    assert!(loaded.notes.iter().any(|note| matches!(note.kind, NoteKind::SeveralRoots { .. })));
    assert_eq!(Tree::of_model("m", &loaded.model).unwrap().num_velocities(), 13);
    let world = text.replace("name='a'", "name='world'").replace("link='a'", "link='world'");
    let model = load(&world).model;
    assert_eq!(model.links.iter().filter(|link| link.name == "world").count(), 1);
    assert_eq!(Tree::of_model("m", &model).unwrap().num_velocities(), 7);
}

/// Joints of several axes, and limits that have no counterpart, which are noted.
#[test]
fn joints_of_all_kinds_and_their_accelerations() {
    let kinds = [("ball", 3), ("universal", 2), ("planar", 3), ("screw", 1)];
    for (kind, velocities) in kinds {
        let pitch = if kind == "screw" { "<drake:screw_thread_pitch value='0.1'/>" } else { "" };
        let joint = format!("<drake:joint name='j' type='{kind}'>{pitch}<axis xyz='0 0 1'/>");
        let text = robot("").replacen("<joint name='j' type='continuous'>", &joint, 1);
        let text = text.replacen("</joint>", "</drake:joint>", 1);
        let tree = Tree::of_model("m", &load(&text).model).unwrap();
        assert_eq!(tree.num_velocities(), velocities + 1, "{kind}");
    }
    let limit = "<limit effort='1' drake:acceleration='3'/></joint>";
    let loaded = load(&robot("").replacen("</joint>", limit, 1));
    let ignored = |kind: &NoteKind| matches!(kind, NoteKind::IgnoredAttribute { attribute, .. } if attribute == "drake:acceleration");
    assert!(loaded.notes.iter().any(|note| ignored(&note.kind)), "{:?}", loaded.notes);
}
