//! Assembly of models into one [`Tree`], with all faults found on the way.

use super::assembly_error::{AssemblyError, AssemblyErrors, AssemblyWarning};
use super::layout::{BodyDraft, Carrier, Draft};
use super::model::{Base, Joint, JointKind, Model, ModelInstance};
use super::model_check::{Findings, InertiaCheck, check_model};
use super::topology::{Topology, topology};
use super::tree::Tree;
use kinegraph_core::names::nearest;
use nalgebra::Isometry3;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

/// Maximum number of entries of the mass matrix. Chains of so many pieces take ten times its memory in all, and a
/// minute.
const MAX_MASS_MATRIX: usize = 16_000_000;

impl Tree {
    /// Builds the tree of a plant. Models may be given in any order, also before the model they are welded to.
    ///
    /// # Errors
    /// All faults of all models together.
    pub fn assemble(
        instances: &[ModelInstance],
        check: InertiaCheck,
    ) -> Result<(Tree, Vec<AssemblyWarning>), AssemblyErrors> {
        let mut findings = Findings { check, ..Findings::default() };
        let mut names = HashSet::new();
        for instance in instances {
            if !names.insert(&instance.name) {
                findings.errors.push(AssemblyError::DuplicateModel { model: instance.name.clone() });
            }
            check_model(&instance.name, instance.model, &mut findings);
            check_base(instance, &mut findings);
        }
        let topologies: Vec<Option<Topology>> =
            instances.iter().map(|i| topology(&i.name, i.model, &mut findings.errors)).collect();
        let roots = roots(instances, &mut findings.errors);
        let order = weld_order(instances, &roots, &mut findings.errors);
        if let (Some(topologies), Some(roots), true) = (all(topologies), all(roots), findings.errors.is_empty()) {
            let draft = flatten(instances, &topologies, &roots, &order);
            let tree = draft.build(&mut findings);
            if let Some(tree) = tree.filter(|tree| tree.fits(&mut findings)) {
                tree.check_composites(&mut findings);
                if findings.errors.is_empty() {
                    return Ok((tree, findings.warnings));
                }
            }
        }
        Err(AssemblyErrors(findings.errors))
    }

    /// True if the matrices of the tree fit into memory; reports a fault otherwise.
    fn fits(&self, findings: &mut Findings) -> bool {
        let (numbers, velocities) = (self.mass_matrix_len(), self.num_velocities());
        let fits = numbers <= MAX_MASS_MATRIX;
        if !fits {
            let size = |(clique, range): (usize, std::ops::Range<usize>)| (range.len(), clique);
            let (largest, clique) = self.cliques().enumerate().map(size).max().unwrap_or_default();
            let first = self.joints().iter().find(|joint| self.bodies()[joint.body].clique == Some(clique));
            findings.errors.push(AssemblyError::TooManyVelocities {
                joint: first.map_or_else(String::new, |joint| joint.name.clone()),
                velocities,
                largest,
                gigabytes: 8e-9 * numbers as f64,
                most: 8e-9 * MAX_MASS_MATRIX as f64,
            });
        }
        fits
    }

    /// The tree of one model alone, its root link fixed at the world's origin, for the computations of a controller.
    ///
    /// # Errors
    /// All faults of the model together.
    pub fn of_model(name: &str, model: &Model) -> Result<Tree, AssemblyErrors> {
        let instance = ModelInstance { name: name.into(), model, base: Base::fixed() };
        Tree::assemble(&[instance], InertiaCheck::Strict).map(|(tree, _)| tree)
    }
}

fn all<T>(found: Vec<Option<T>>) -> Option<Vec<T>> {
    found.into_iter().collect()
}

fn check_base(instance: &ModelInstance, findings: &mut Findings) {
    let owner = format!("base of model `{}`", instance.name);
    match &instance.base {
        Base::Fixed { X_WR: X } | Base::Welded { X_LR: X, .. } => {
            findings.finite_pose(&owner, "pose", X);
        }
        Base::Floating { X_WR, w_WR, v_WR } => {
            findings.finite_pose(&owner, "pose", X_WR);
            findings.finite_vector(&owner, "angular velocity", w_WR);
            findings.finite_vector(&owner, "velocity", v_WR);
        }
    }
}

/// The parent of the root link of a model.
enum Root {
    /// The world.
    World(Carrier<'static>),
    /// A link L of another model.
    Link { model: usize, link: usize, X_LR: Isometry3<f64> },
}

/// The root of each model; `None` if what it is welded to does not exist.
fn roots(instances: &[ModelInstance], errors: &mut Vec<AssemblyError>) -> Vec<Option<Root>> {
    let mut roots = Vec::new();
    let mut of_name = HashMap::new();
    for (i, instance) in instances.iter().enumerate() {
        of_name.entry(&instance.name).or_insert(i);
    }
    for instance in instances {
        let (model, link, X_LR) = match &instance.base {
            Base::Fixed { X_WR } => {
                roots.push(Some(Root::World(Carrier::Weld(*X_WR))));
                continue;
            }
            Base::Floating { X_WR, w_WR, v_WR } => {
                roots.push(Some(Root::World(Carrier::FloatingBase(*X_WR, *w_WR, *v_WR))));
                continue;
            }
            Base::Welded { model, link, X_LR } => (model, link, *X_LR),
        };
        let found = of_name.get(model).and_then(|&model| {
            let link = instances[model].model.links.iter().position(|other| other.name == *link)?;
            Some(Root::Link { model, link, X_LR })
        });
        if found.is_none() {
            let base = format!("{model}/{link}");
            let names: Vec<String> = instances
                .iter()
                .filter(|other| other.name != instance.name)
                .flat_map(|other| other.model.links.iter().map(|l| format!("{}/{}", other.name, l.name)))
                .collect();
            let nearest = nearest(&base, &names);
            errors.push(AssemblyError::UnknownBase { model: instance.name.clone(), base, nearest });
        }
        roots.push(found);
    }
    roots
}

/// The models, each after the one it is welded to, in the order given where possible.
fn weld_order(instances: &[ModelInstance], roots: &[Option<Root>], errors: &mut Vec<AssemblyError>) -> Vec<usize> {
    let mut carried = vec![Vec::new(); instances.len()];
    let mut ready = BinaryHeap::new();
    for (i, root) in roots.iter().enumerate() {
        match root {
            Some(Root::Link { model, .. }) => carried[*model].push(i),
            _ => ready.push(Reverse(i)),
        }
    }
    let mut order = Vec::new();
    let mut placed = vec![false; instances.len()];
    while let Some(Reverse(next)) = ready.pop() {
        placed[next] = true;
        order.push(next);
        ready.extend(carried[next].iter().map(|&i| Reverse(i)));
    }
    if order.len() < instances.len() {
        let models = instances.iter().zip(&placed).filter(|(_, placed)| !**placed).map(|(i, _)| i.name.clone());
        errors.push(AssemblyError::WeldRing { models: models.collect() });
    }
    order
}

/// All links of all models as one list of bodies, parents first. The models must be free of faults.
fn flatten<'a>(instances: &'a [ModelInstance], topologies: &[Topology], roots: &[Root], order: &[usize]) -> Draft<'a> {
    // Body of each link of each model.
    let mut body_of: Vec<Vec<usize>> = instances.iter().map(|i| vec![0; i.model.links.len()]).collect();
    let mut bodies = Vec::new();
    for &m in order {
        let (instance, topology) = (&instances[m], &topologies[m]);
        for &l in &topology.order {
            let (parent, carrier) = match topology.carrier[l] {
                Some((j, parent)) => (body_of[m][parent], carrier_of(j, &instance.model.joints[j])),
                None => match &roots[m] {
                    Root::World(carrier) => (0, *carrier),
                    Root::Link { model, link, X_LR } => (body_of[*model][*link], Carrier::Weld(*X_LR)),
                },
            };
            bodies.push(BodyDraft { model: m, link: &instance.model.links[l], parent, carrier });
            body_of[m][l] = bodies.len();
        }
    }
    Draft { instances, bodies }
}

fn carrier_of(index: usize, joint: &Joint) -> Carrier<'_> {
    match joint.kind {
        JointKind::Fixed => Carrier::Weld(joint.X_PF * joint.X_BM.inverse()),
        _ => Carrier::Joint(index, joint),
    }
}
