//! Values against closed forms: rotations, inertia, defaults, mimic chains, armature.

use super::load;
use kinegraph_systems::geometry::Shape;
use kinegraph_systems::multibody::JointKind;
use nalgebra::{Matrix3, Vector3};
use proptest::prelude::*;
use std::f64::consts::FRAC_PI_2;

/// A link with the inertial content given.
fn link(inertial: &str) -> kinegraph_systems::multibody::Link {
    load(&format!("<robot name='r'><link name='a'><inertial>{inertial}</inertial></link></robot>"))
        .model
        .links
        .remove(0)
}

/// The joints between links a, b, c ... in a row, with these contents each.
fn chain(joints: &[&str]) -> kinegraph_systems::multibody::Model {
    let mut text = String::from("<robot name='r'><link name='l0'/>");
    for (i, joint) in joints.iter().enumerate() {
        text += &format!("<link name='l{}'/>", i + 1);
        let (open, content) = joint.split_once('|').unwrap();
        text += &format!("<joint name='j{i}' {open}><parent link='l{i}'/><child link='l{}'/>{content}</joint>", i + 1);
    }
    load(&(text + "</robot>")).model
}

/// Rotation matrices written out, independent of any library.
fn rpy(roll: f64, pitch: f64, yaw: f64) -> Matrix3<f64> {
    let ((sr, cr), (sp, cp), (sy, cy)) = (roll.sin_cos(), pitch.sin_cos(), yaw.sin_cos());
    let x = Matrix3::new(1.0, 0.0, 0.0, 0.0, cr, -sr, 0.0, sr, cr);
    let y = Matrix3::new(cp, 0.0, sp, 0.0, 1.0, 0.0, -sp, 0.0, cp);
    let z = Matrix3::new(cy, -sy, 0.0, sy, cy, 0.0, 0.0, 0.0, 1.0);
    z * y * x
}

proptest! {
    #[test]
    fn rpy_turns_about_fixed_axes(roll in -4.0..4.0, pitch in -4.0..4.0, yaw in -4.0..4.0) {
        let model = chain(&[&format!("type='fixed'|<origin xyz='1 2 3' rpy='{roll} {pitch} {yaw}'/>")]);
        let X_PF = model.joints[0].X_PF;
        let difference = X_PF.rotation.to_rotation_matrix().matrix() - rpy(roll, pitch, yaw);
        prop_assert!(difference.amax() < 1e-14);
        prop_assert_eq!(X_PF.translation.vector, Vector3::new(1.0, 2.0, 3.0));
    }

    #[test]
    fn inertia_is_turned_into_body_axes(
        roll in -4.0..4.0, pitch in -4.0..4.0, yaw in -4.0..4.0,
        // Second moments of mass, from which every choice makes a possible inertia.
        a in 0.0..1.0, b in 0.0..1.0, c in 0.01..1.0, mass in 0.1..10.0,
    ) {
        let (ixx, iyy, izz) = (b + c, a + c, a + b);
        let body = link(&format!(
            "<origin xyz='0.1 -0.2 0.3' rpy='{roll} {pitch} {yaw}'/><mass value='{mass}'/>
             <inertia ixx='{ixx}' iyy='{iyy}' izz='{izz}' ixy='0' ixz='0' iyz='0'/>"
        ));
        let inertia = body.inertia.unwrap();
        let R_BI = rpy(roll, pitch, yaw);
        let expected = R_BI * Matrix3::from_diagonal(&Vector3::new(ixx, iyy, izz)) * R_BI.transpose();
        prop_assert!((inertia.I_BBcm - expected).amax() < 1e-14);
        prop_assert_eq!(inertia.I_BBcm, inertia.I_BBcm.transpose());
        prop_assert_eq!(inertia.mass, mass);
        prop_assert_eq!(inertia.p_BoBcm, Vector3::new(0.1, -0.2, 0.3));
    }
}

#[test]
fn quarter_turn_about_z_swaps_x_and_y_moments() {
    let body = link(&format!(
        "<origin rpy='0 0 {FRAC_PI_2}'/><mass value='1'/><inertia ixx='1' iyy='2' izz='2.5' ixy='0.5' ixz='0' iyz='0'/>"
    ));
    let expected = Matrix3::new(2.0, -0.5, 0.0, -0.5, 1.0, 0.0, 0.0, 0.0, 2.5);
    assert!((body.inertia.unwrap().I_BBcm - expected).amax() < 1e-15);
}

#[test]
fn inertia_without_rotation_keeps_every_digit() {
    let body = link("<mass value='1'/><inertia ixx='0.1' iyy='0.2' izz='0.25' ixy='0.01' ixz='0.02' iyz='0.03'/>");
    let expected = Matrix3::new(0.1, 0.01, 0.02, 0.01, 0.2, 0.03, 0.02, 0.03, 0.25);
    assert_eq!(body.inertia.unwrap().I_BBcm, expected);
}

#[test]
fn quaternion_is_scalar_last_and_normalised() {
    // A quarter turn about z, of length 2.
    let model = chain(&["type='fixed'|<origin quat_xyzw='0 0 1.4142135623730951 1.4142135623730951'/>"]);
    let turned = model.joints[0].X_PF * Vector3::x();
    assert!((turned - Vector3::y()).amax() < 1e-15);
}

#[test]
fn sizes_are_full_lengths_and_a_capsule_counts_without_caps() {
    let shapes = [
        "box size='2 4 6'",
        "sphere radius='3'",
        "cylinder radius='1' length='8'",
        "capsule radius='1' length='8'",
        "cone radius='1' length='8'",
        "ellipsoid a='3' b='2' c='1'",
    ];
    let collisions: String =
        shapes.iter().map(|shape| format!("<collision><geometry><{shape}/></geometry></collision>")).collect();
    let model = load(&format!("<robot name='r'><link name='a'>{collisions}</link></robot>")).model;
    let shapes: Vec<_> = model.links[0].collisions.iter().map(|collision| collision.shape.clone()).collect();
    let expected = [
        Shape::Box { half_extents: Vector3::new(1.0, 2.0, 3.0) },
        Shape::Sphere { radius: 3.0 },
        Shape::Cylinder { radius: 1.0, half_length: 4.0 },
        Shape::Capsule { radius: 1.0, half_length: 4.0 },
        Shape::Cone { radius: 1.0, half_length: 4.0 },
        Shape::Ellipsoid { semi_axes: Vector3::new(3.0, 2.0, 1.0) },
    ];
    assert_eq!(shapes, expected);
}

#[test]
fn joint_defaults() {
    let model = chain(&[
        "type='revolute'|",
        "type='prismatic'|<axis xyz='0 3 -4'/><limit lower='-1' upper='2' effort='5' velocity='1'/><dynamics damping='0.5'/>",
        "type='continuous'|<axis xyz='1e-200 0 0'/><limit lower='0' upper='0' effort='7' velocity='1'/>",
        "type='fixed'|<axis xyz='0 0 0'/>",
        "type='revolute'|<limit lower='-inf' upper='1' effort='inf'/>",
    ]);
    let [plain, slide, wheel, weld, half_open] = model.joints.as_slice() else { panic!() };
    assert_eq!(plain.axis, Vector3::x());
    assert_eq!((plain.limits, plain.effort), ((f64::NEG_INFINITY, f64::INFINITY), f64::INFINITY));
    assert!((slide.axis - Vector3::new(0.0, 0.6, -0.8)).amax() < 1e-15);
    assert_eq!((slide.limits, slide.effort, slide.damping), ((-1.0, 2.0), 5.0, 0.5));
    // "0 0" on a continuous joint must not freeze it.
    assert_eq!((wheel.limits, wheel.effort), ((f64::NEG_INFINITY, f64::INFINITY), 7.0));
    assert_eq!(wheel.axis, Vector3::x());
    assert_eq!(weld.kind, JointKind::Fixed);
    assert_eq!((half_open.limits, half_open.effort), ((f64::NEG_INFINITY, 1.0), f64::INFINITY));
}

#[test]
fn floating_joint_from_the_root() {
    let model = chain(&["type='floating'|<origin xyz='0 0 1'/>"]);
    assert_eq!(model.joints[0].kind, JointKind::Floating);
    assert_eq!(model.joints[0].X_PF.translation.vector, Vector3::z());
}

#[test]
fn mimic_chains_end_at_an_independent_joint() {
    // q0 = 2 q1 + 3 (a forward reference), q1 = -5 q2 + 7, hence q0 = -10 q2 + 17.
    let model = chain(&[
        "type='continuous'|<mimic joint='j1' multiplier='2' offset='3'/>",
        "type='continuous'|<mimic joint='j2' multiplier='-5' offset='7'/>",
        "type='continuous'|",
        "type='continuous'|<mimic joint='j0'/>",
    ]);
    let mimic = |joint: usize| {
        let mimic = model.joints[joint].mimic.as_ref().unwrap();
        (mimic.joint.as_str(), mimic.multiplier, mimic.offset)
    };
    assert_eq!(mimic(0), ("j2", -10.0, 17.0));
    assert_eq!(mimic(1), ("j2", -5.0, 7.0));
    assert!(model.joints[2].mimic.is_none());
    assert_eq!(mimic(3), ("j2", -10.0, 17.0));
}

#[test]
fn transmissions_name_driven_joints_and_carry_rotors() {
    let rotor = |joint: &str, kind: &str, gear: &str, inertia: &str| {
        format!(
            "<transmission name='t'><type>transmission_interface/{kind}</type><joint name='{joint}'/><actuator name='m'>
             <drake:gear_ratio value='{gear}'/><drake:rotor_inertia value='{inertia}'/></actuator></transmission>"
        )
    };
    let text = format!(
        "<robot name='r' xmlns:drake='http://drake.mit.edu'><link name='a'/><link name='b'/><link name='c'/>
         {}{}{}
         <joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint>
         <joint name='k' type='continuous'><parent link='b'/><child link='c'/></joint></robot>",
        rotor("k", "SimpleTransmission", "-100", "2e-5"),
        rotor("k", "SimpleTransmission", "3", "0.01"),
        rotor("j", "DifferentialTransmission", "9", "9"),
    );
    let model = load(&text).model;
    assert_eq!(model.transmissions, ["k"]);
    assert_eq!(model.joints[0].armature, 0.0);
    assert!((model.joints[1].armature - (0.2 + 0.09)).abs() < 1e-15);
}

#[test]
fn proximity_properties_set_the_contact_material_of_shapes() {
    use kinegraph_systems::multibody::proximity::{Hydroelastic, Proximity};
    let shape = |properties: &str| {
        let sphere = "<geometry><sphere radius='1'/></geometry>";
        format!("<collision>{sphere}<drake:proximity_properties>{properties}</drake:proximity_properties></collision>")
    };
    let compliant = "<drake:compliant_hydroelastic/><drake:hydroelastic_modulus value='2e6'/>\
        <drake:mesh_resolution_hint value='0.1'/><drake:hydroelastic_margin value='0.001'/>\
        <drake:hunt_crossley_dissipation value='3'/><drake:mu_dynamic value='0.4'/>";
    let shapes = [
        shape(compliant),
        "<collision><geometry><sphere radius='2'/></geometry></collision>".into(),
        shape("<drake:rigid_hydroelastic/>"),
    ];
    let text = format!(
        "<robot name='r' xmlns:drake='http://drake.mit.edu'><link name='a'><inertial><mass value='1'/>\
         <inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>{}</link></robot>",
        shapes.concat()
    );
    let link = load(&text).model.links.remove(0);
    let expected = Proximity {
        hydroelastic: Some(Hydroelastic::Compliant),
        modulus: Some(2e6),
        resolution: Some(0.1),
        margin: Some(1e-3),
        dissipation: Some(3.0),
        static_friction: Some(0.4),
        dynamic_friction: Some(0.4),
        ..Proximity::default()
    };
    assert_eq!(link.proximity, [(0, expected), (2, Proximity::rigid())]);
}
