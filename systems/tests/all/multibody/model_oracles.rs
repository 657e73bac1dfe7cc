//! Published robot models against two other engines: every quantity of the tree, at three random states each.
//!
//! The data state their sources (data/model-oracles/README.md). Models are rebuilt from the numbers in the files.

use kinegraph_systems::multibody::*;
use nalgebra::{DMatrix, DVector, Isometry3, Matrix3, Quaternion, Translation3, UnitQuaternion, Vector3};
use serde_json::Value;
use std::collections::HashMap;
use std::path::PathBuf;

const TOLERANCE: f64 = 1e-11;

#[test]
fn every_published_model_agrees() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data/model-oracles");
    let mut tested = 0;
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()).collect();
    files.sort();
    for path in files.iter().filter(|p| p.extension().is_some_and(|e| e == "json")) {
        let oracle: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let name = oracle["model"].as_str().unwrap().to_owned();
        let (model, base) = if oracle["format"] == "urdf" { of_urdf(&oracle) } else { of_mjcf(&oracle) };
        let instance = ModelInstance { name: name.clone(), model: &model, base };
        // One of them has an antenna with a negative principal moment, for which the base it is welded to makes up.
        let (tree, _) = Tree::assemble(&[instance], InertiaCheck::Strict).unwrap();
        assert_eq!(tree.num_velocities(), oracle["nv"].as_u64().unwrap() as usize, "{name}");
        assert_eq!(tree.num_positions(), oracle["nq"].as_u64().unwrap() as usize, "{name}");
        for (c, config) in list(&oracle["configs"]).iter().enumerate() {
            // Rebuilt joints are at zero where the file's are at their references.
            check(&format!("{name} configuration {c}"), &tree, &oracle, config, true);
        }
        tested += 1;
    }
    assert_eq!(tested, 27);
}

/// Compares every quantity at one state; `from_reference`: positions are relative to the references of the joints.
pub fn check(what: &str, tree: &Tree, oracle: &Value, config: &Value, from_reference: bool) {
    check_within(TOLERANCE, what, tree, oracle, config, from_reference);
}

/// Compares every quantity at one state, with the given tolerance.
pub fn check_within(tolerance: f64, what: &str, tree: &Tree, oracle: &Value, config: &Value, from_reference: bool) {
    let near = |what: &str, ours: &[f64], theirs: &[f64]| near_within(tolerance, what, ours, theirs);
    let gravity = vector(&oracle["gravity"]);
    let mut q = numbers(&config["q"]);
    let single = |j: &&Value| from_reference && (j["type"] == "hinge" || j["type"] == "slide");
    for joint in list(&oracle["joints"]).iter().filter(single) {
        q[joint["q"].as_u64().unwrap() as usize] -= joint["qpos0"][0].as_f64().unwrap();
    }
    let (v, v_dot) = (numbers(&config["v"]), numbers(&config["vdot"]));
    let n = v.len();
    let mut k = Kinematics::default();
    tree.position_kinematics(&q, &mut k);
    tree.velocity_kinematics(&v, &mut k);

    for (name, expected) in config["body_pose_W"].as_object().unwrap() {
        let body = tree.body(&format!("{}/{name}", tree.models()[0].name)).unwrap();
        let pose = tree.X_WB(&k, body);
        let expected = numbers(expected);
        near(&format!("{what}: position of {name}"), pose.p_WB.as_slice(), &expected[..3]);
        let R = quaternion(&expected[3..7]).to_rotation_matrix();
        near(&format!("{what}: rotation of {name}"), pose.R_WB.as_slice(), R.matrix().as_slice());
        let expected = numbers(&config["body_velocity_W"][name]);
        near(&format!("{what}: velocity of {name}"), &tree.V_WB(&k, body).to_array(), &expected);
    }

    let mut M = vec![0.0; tree.mass_matrix_len()];
    tree.mass_matrix(&mut k, Armature::Ignored, &mut M);
    let M = dense(tree, &M);
    let expected = upper_triangle(n, &numbers(&config["M_upper"]));
    near(&format!("{what}: mass matrix"), M.as_slice(), expected.as_slice());

    let mut tau = vec![0.0; n];
    tree.bias(&mut k, &gravity, &mut tau);
    near(&format!("{what}: bias"), &tau, &numbers(&config["bias"]));
    tree.gravity_compensation(&mut k, &gravity, &mut tau);
    near(&format!("{what}: gravity"), &tau, &numbers(&config["gravity_bias"]));
    tree.inverse_dynamics(&mut k, &v_dot, &gravity, Armature::Ignored, &mut tau);
    near(&format!("{what}: inverse dynamics"), &tau, &numbers(&config["tau_id"]));

    let mut found = vec![0.0; n];
    tree.forward_dynamics(&mut k, &tau, &gravity, Armature::Ignored, &mut found);
    // What the motion is off, as a force: some of these mass matrices have condition numbers of 1e9.
    let force = M * DVector::from_vec(found) + DVector::from_vec(numbers(&config["bias"]));
    near(&format!("{what}: forward dynamics"), force.as_slice(), &tau);

    let total = tree.total_inertia(&k);
    near(&format!("{what}: mass"), &[tree.total_mass()], &[oracle["total_mass"].as_f64().unwrap()]);
    near(&format!("{what}: centre of mass"), total.p_WCm.as_slice(), &numbers(&config["com_W"]));
    let expected = tensor(&numbers(&config["total_inertia_com_W"]));
    near(&format!("{what}: total inertia"), total.I_Cm.as_slice(), expected.as_slice());
    let energies = [tree.kinetic_energy(&mut k), tree.potential_energy(&k, &gravity)];
    let expected = ["kinetic_energy", "potential_energy"].map(|e| config[e].as_f64().unwrap());
    near(&format!("{what}: energy"), &energies, &expected);
}

/// Asserts that the largest difference, relative to the largest number, is within the tolerance.
pub fn near(what: &str, ours: &[f64], theirs: &[f64]) {
    near_within(TOLERANCE, what, ours, theirs);
}

fn near_within(tolerance: f64, what: &str, ours: &[f64], theirs: &[f64]) {
    assert_eq!(ours.len(), theirs.len(), "{what}");
    let scale = theirs.iter().fold(1e-6, |max: f64, x| max.max(x.abs()));
    for (a, b) in ours.iter().zip(theirs) {
        assert!((a - b).abs() <= tolerance * scale, "{what}: {ours:?} instead of {theirs:?}");
    }
}

fn dense(tree: &Tree, blocks: &[f64]) -> DMatrix<f64> {
    let mut M = DMatrix::zeros(tree.num_velocities(), tree.num_velocities());
    for (c, range) in tree.cliques().enumerate() {
        let block = DMatrix::from_column_slice(range.len(), range.len(), &blocks[tree.mass_matrix_block(c)]);
        M.view_mut((range.start, range.start), (range.len(), range.len())).copy_from(&block);
    }
    M
}

fn upper_triangle(n: usize, entries: &[f64]) -> DMatrix<f64> {
    let mut M = DMatrix::zeros(n, n);
    let mut entries = entries.iter();
    for i in 0..n {
        for j in i..n {
            M[(i, j)] = *entries.next().unwrap();
            M[(j, i)] = M[(i, j)];
        }
    }
    M
}

// ---- Models from numbers. ----

fn of_urdf(oracle: &Value) -> (Model, Base) {
    let links = links_of(oracle);
    let joints = list(&oracle["tree"])
        .iter()
        .map(|t| {
            let rpy = vector(&t["rpy"]);
            let X_PF = Isometry3::from_parts(
                Translation3::from(vector(&t["xyz"])),
                UnitQuaternion::from_euler_angles(rpy.x, rpy.y, rpy.z),
            );
            let kind = match t["type"].as_str().unwrap() {
                "fixed" => JointKind::Fixed,
                "revolute" => JointKind::Revolute,
                "continuous" => JointKind::Continuous,
                "prismatic" => JointKind::Prismatic,
                other => panic!("joint type {other}"),
            };
            joint(
                t["name"].as_str().unwrap(),
                kind,
                &t["parent"],
                &t["child"],
                X_PF,
                Vector3::zeros(),
                vector(&t["axis"]),
            )
        })
        .collect();
    let base = match oracle["floating_base"].as_bool().unwrap() {
        true => Base::floating(Isometry3::identity()),
        false => Base::fixed(),
    };
    (Model { links, joints, ..Model::default() }, base)
}

/// The model of an oracle. Several joints of one body become a chain of massless links; joints keep the order of the
/// file, which is that of the coordinates.
fn of_mjcf(oracle: &Value) -> (Model, Base) {
    let mut links = links_of(oracle);
    links.push(Link { name: "world".into(), ..Link::default() });
    let mut on_body: HashMap<&str, Vec<&Value>> = HashMap::new();
    for j in list(&oracle["joints"]) {
        on_body.entry(j["body"].as_str().unwrap()).or_default().push(j);
    }
    // Joints by the index of their first velocity; welds have none and come last.
    let mut joints: Vec<(u64, Joint)> = Vec::new();
    for (body, data) in oracle["link_inertia"].as_object().unwrap() {
        let X_PB = Isometry3::from_parts(Translation3::from(vector(&data["pos"])), quaternion(&numbers(&data["quat"])));
        let mut parent = data["parent"].clone();
        let of_body = on_body.remove(body.as_str()).unwrap_or_default();
        if of_body.is_empty() {
            let zero = Vector3::zeros();
            let child = Value::from(body.as_str());
            let weld = joint(&format!("{body} weld"), JointKind::Fixed, &parent, &child, X_PB, zero, zero);
            joints.push((u64::MAX, weld));
        }
        for (i, j) in of_body.iter().enumerate() {
            let last = i + 1 == of_body.len();
            let child = if last { body.clone() } else { format!("{body} part {i}") };
            if !last {
                links.push(Link { name: child.clone(), ..Link::default() });
            }
            let kind = match j["type"].as_str().unwrap() {
                "hinge" => JointKind::Revolute,
                "slide" => JointKind::Prismatic,
                "ball" => JointKind::Ball,
                "free" => JointKind::Floating,
                other => panic!("joint type {other}"),
            };
            let anchor = vector(&j["anchor_body"]);
            let X_PF = if i == 0 { X_PB } else { Isometry3::identity() } * Translation3::from(anchor);
            let name = format!("{body} {}", j["name"].as_str().unwrap());
            let child = Value::from(child);
            let made = joint(&name, kind, &parent, &child, X_PF, anchor, vector(&j["axis_body"]));
            joints.push((j["v"].as_u64().unwrap(), made));
            parent = child;
        }
    }
    joints.sort_by_key(|(v, _)| *v);
    let joints = joints.into_iter().map(|(_, j)| j).collect();
    (Model { links, joints, ..Model::default() }, Base::fixed())
}

fn links_of(oracle: &Value) -> Vec<Link> {
    let inertia = |data: &Value| {
        let mass = data["mass"].as_f64().unwrap();
        Inertia { mass, p_BoBcm: vector(&data["com"]), I_BBcm: tensor(&numbers(&data["I_com"])) }
    };
    let links = oracle["link_inertia"].as_object().unwrap();
    links.iter().map(|(n, d)| Link { name: n.clone(), inertia: Some(inertia(d)), ..Link::default() }).collect()
}

fn joint(
    name: &str,
    kind: JointKind,
    parent: &Value,
    child: &Value,
    X_PF: Isometry3<f64>,
    anchor: Vector3<f64>,
    axis: Vector3<f64>,
) -> Joint {
    let X_BM = Isometry3::from_parts(Translation3::from(anchor), UnitQuaternion::identity());
    Joint { X_PF, X_BM, axis, ..Joint::new(name, kind, parent.as_str().unwrap(), child.as_str().unwrap()) }
}

pub fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

pub fn numbers(value: &Value) -> Vec<f64> {
    list(value).iter().map(|x| x.as_f64().unwrap()).collect()
}

pub fn vector(value: &Value) -> Vector3<f64> {
    Vector3::from_column_slice(&numbers(value))
}

fn quaternion(q: &[f64]) -> UnitQuaternion<f64> {
    UnitQuaternion::from_quaternion(Quaternion::new(q[0], q[1], q[2], q[3]))
}

fn tensor(i: &[f64]) -> Matrix3<f64> {
    Matrix3::new(i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2])
}
