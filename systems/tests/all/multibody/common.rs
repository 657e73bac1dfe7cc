//! Random plants for property tests.

use kinegraph_systems::multibody::*;
use nalgebra::{Isometry3, Matrix3, Translation3, UnitQuaternion, Vector3};
use proptest::collection::vec;
use proptest::prelude::*;

/// Numbers that determine one link and the joint to its parent.
#[derive(Clone, Debug)]
pub struct LinkNumbers {
    parent: prop::sample::Index,
    kind: JointKind,
    numbers: [f64; 27],
}

/// A plant of one or two models.
#[derive(Clone, Debug)]
pub struct PlantNumbers {
    models: Vec<(bool, Vec<LinkNumbers>)>,
}

pub fn plant() -> impl Strategy<Value = PlantNumbers> {
    let kind = prop_oneof![
        1 => Just(JointKind::Fixed),
        4 => Just(JointKind::Revolute),
        2 => Just(JointKind::Prismatic),
        2 => Just(JointKind::Ball),
    ];
    let link = (any::<prop::sample::Index>(), kind, prop::array::uniform27(-1.0..1.0f64))
        .prop_map(|(parent, kind, numbers)| LinkNumbers { parent, kind, numbers });
    vec((any::<bool>(), vec(link, 1..7)), 1..3).prop_map(|models| PlantNumbers { models })
}

/// A plant, and numbers for a state of it.
pub fn plant_and_state() -> impl Strategy<Value = (PlantNumbers, Vec<f64>)> {
    (plant(), vec(-1.5..1.5f64, 240))
}

impl PlantNumbers {
    /// The plant with screws in place of ball joints, and all roots fixed.
    pub fn with_single_axes(mut self) -> Self {
        for (floating, links) in &mut self.models {
            *floating = false;
            links.iter_mut().filter(|link| link.kind == JointKind::Ball).for_each(|link| link.kind = JointKind::Screw);
        }
        self
    }

    /// The tree, all models moved by an offset.
    pub fn tree(&self, offset: Vector3<f64>) -> Tree {
        let models: Vec<Model> = self.models.iter().map(|(_, links)| model(links)).collect();
        let instances: Vec<ModelInstance> = models
            .iter()
            .zip(&self.models)
            .enumerate()
            .map(|(i, (model, (floating, _)))| {
                let X_WR = Isometry3::new(offset + Vector3::new(0.3, i as f64, -0.2), Vector3::new(0.1, 0.2, i as f64));
                let base = if *floating { Base::floating(X_WR) } else { Base::Fixed { X_WR } };
                ModelInstance { name: format!("m{i}"), model, base }
            })
            .collect();
        Tree::assemble(&instances, InertiaCheck::Strict).unwrap().0
    }
}

/// Positions from numbers, quaternions of unit length.
pub fn positions(tree: &Tree, numbers: &[f64]) -> Vec<f64> {
    let mut q = numbers[..tree.num_positions()].to_vec();
    tree.normalize_quaternions(&mut q);
    q
}

fn model(links: &[LinkNumbers]) -> Model {
    let mut model = Model::default();
    model.links.push(Link { name: "root".into(), inertia: Some(inertia(&[0.3; 27])), ..Link::default() });
    for (i, link) in links.iter().enumerate() {
        let n = &link.numbers;
        let parent = link.parent.index(model.links.len());
        model.joints.push(Joint {
            X_PF: pose(&n[0..6]),
            X_BM: pose(&n[6..12]),
            axis: (Vector3::new(n[12], n[13], n[14]) + Vector3::new(0.0, 0.0, 1.5)).normalize(),
            limits: (-1.0, f64::INFINITY),
            effort: 10.0,
            damping: n[15].abs(),
            armature: n[16].abs(),
            pitch: n[19],
            ..Joint::new(format!("j{i}"), link.kind, &model.links[parent].name, format!("l{i}"))
        });
        model.links.push(Link { name: format!("l{i}"), inertia: Some(inertia(n)), ..Link::default() });
    }
    model
}

fn pose(n: &[f64]) -> Isometry3<f64> {
    Isometry3::from_parts(
        Translation3::new(n[0], n[1], n[2]),
        UnitQuaternion::from_euler_angles(n[3], 2.0 * n[4], n[5]),
    )
}

/// A body of two masses, one dense and one wide, so that principal moments obey the triangle inequality.
fn inertia(n: &[f64; 27]) -> Inertia {
    let d = Vector3::new(n[20], n[21], n[22]);
    let mass = 0.2 + n[17].abs();
    let ball = Matrix3::identity() * (0.01 + 0.1 * n[18].abs());
    let I_BBcm = ball + (Matrix3::identity() * d.norm_squared() - d * d.transpose()) * mass * 0.2;
    Inertia { mass, p_BoBcm: Vector3::new(n[23], n[24], n[25]), I_BBcm }
}
