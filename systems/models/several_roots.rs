//! Robots of several unconnected parts: each part floats, with the world as the common root.

use kinegraph_multibody::{Joint, JointKind, Link, Model};
use nalgebra::Isometry3;

/// Makes every root link float, at its pose in the world.
pub(super) fn float(model: &mut Model, roots: &[(usize, Isometry3<f64>)]) {
    let floating: Vec<_> = roots.iter().map(|(root, X_WR)| (*root, *X_WR, JointKind::Floating)).collect();
    hang(model, &floating);
}

/// Attaches every root link to the world, floating or fixed, at its pose.
pub(super) fn hang(model: &mut Model, roots: &[(usize, Isometry3<f64>, JointKind)]) {
    const WORLD: &str = "world";
    // A root that is the world already holds the others.
    let is_world = |root: usize| model.links[root].name == WORLD;
    let own_world = roots.iter().any(|(root, ..)| is_world(*root));
    let world = match own_world {
        true => WORLD.to_owned(),
        false => free_name(WORLD, model.links.iter().map(|link| &link.name)),
    };
    let mut joints = Vec::with_capacity(roots.len());
    for &(root, X_WR, kind) in roots.iter().filter(|(root, ..)| !is_world(*root)) {
        let link = &model.links[root].name;
        // A floating joint without a name of its own has the name of its link.
        let wanted = if kind == JointKind::Floating { link.clone() } else { format!("{link}_weld") };
        let name = free_name(&wanted, model.joints.iter().chain(&joints).map(|joint: &Joint| &joint.name));
        joints.push(Joint { X_PF: X_WR, ..Joint::new(name, kind, world.clone(), link.clone()) });
    }
    if !own_world {
        model.links.insert(0, Link { name: world, ..Link::default() });
    }
    joints.append(&mut model.joints);
    model.joints = joints;
    model.scene.root_is_world = true;
}

/// The first of `name`, `name2`, … that is free.
fn free_name<'n>(name: &str, taken: impl Iterator<Item = &'n String> + Clone) -> String {
    let free = |name: &String| !taken.clone().any(|other| other == name);
    let numbered = (2..).map(|i| format!("{name}{i}"));
    std::iter::once(name.to_owned()).chain(numbered).find(free).unwrap_or_default()
}
