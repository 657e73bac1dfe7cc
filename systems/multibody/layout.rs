//! Builds the [`Tree`] from a checked list of bodies: orders the coordinates, forms nodes with lumped inertias, and
//! finds the cliques.

use super::assembly_error::AssemblyError;
use super::joint::JointMap;
use super::model::{Inertia, Joint, JointKind, Link, ModelInstance};
use super::model_check::Findings;
use super::name_order::NameOrder;
use super::scene_data::PathPart;
use super::spatial::{parallel_axis, rotate_tensor};
use super::tree::{Body, Clique, ModelPart, Node, Tree, TreeJoint};
use kinegraph_core::convex::{DryFriction, JointLimit};
use nalgebra::{Isometry3, Matrix3, Vector3};

/// All links of all models, parents first. Body `i + 1` of the tree is `bodies[i]`; body 0 is the world.
pub(crate) struct Draft<'a> {
    pub instances: &'a [ModelInstance<'a>],
    pub bodies: Vec<BodyDraft<'a>>,
}

/// A link, the index of its parent body in the tree, and its connection to that.
pub(crate) struct BodyDraft<'a> {
    pub model: usize,
    pub link: &'a Link,
    pub parent: usize,
    pub carrier: Carrier<'a>,
}

/// Connection of a body to its parent.
#[derive(Clone, Copy)]
pub(crate) enum Carrier<'a> {
    /// Weld: pose in the parent.
    Weld(Isometry3<f64>),
    /// Floating base: pose in world, angular velocity and velocity of the origin at the start.
    FloatingBase(Isometry3<f64>, Vector3<f64>, Vector3<f64>),
    /// A movable joint and its index in the model.
    Joint(usize, &'a Joint),
}

impl Draft<'_> {
    /// Builds the tree. If a floating joint is not at the world, reports that as a finding and returns `None`.
    pub fn build(&self, findings: &mut Findings) -> Option<Tree> {
        let mut tree = Tree::empty();
        let joint_of = self.lay_out_coordinates(&mut tree);
        for (draft, joint) in self.bodies.iter().zip(joint_of) {
            self.add_body(draft, joint, &mut tree, findings);
        }
        tree.index_names();
        tree.lump_inertias();
        let together = self.moved_by_tendons(&tree);
        tree.find_cliques(&together);
        tree.find_free_bodies();
        findings.errors.is_empty().then_some(tree)
    }

    /// Lays out joints, positions and velocities: model by model; within a model the floating base, then joints in
    /// document order. Returns the joint of each body; the entry of a welded body has no meaning.
    fn lay_out_coordinates(&self, tree: &mut Tree) -> Vec<usize> {
        let mut joint_of = vec![0; self.bodies.len()];
        let mut bodies_of = vec![Vec::new(); self.instances.len()];
        self.bodies.iter().enumerate().for_each(|(i, body)| bodies_of[body.model].push(i));
        for (m, (instance, own)) in self.instances.iter().zip(bodies_of).enumerate() {
            let (joints, positions, velocities) = (tree.joints.len(), tree.num_positions, tree.num_velocities);
            let mut movable: Vec<(usize, usize)> = own
                .iter()
                .filter_map(|&i| match self.bodies[i].carrier {
                    Carrier::Weld(_) => None,
                    Carrier::FloatingBase(..) => Some((0, i)),
                    Carrier::Joint(j, _) => Some((j + 1, i)),
                })
                .collect();
            movable.sort_unstable();
            for (_, i) in movable {
                joint_of[i] = tree.joints.len();
                self.add_joint(m, i, tree);
            }
            let first = own.first().map_or(1, |i| i + 1);
            tree.models.push(ModelPart {
                name: instance.name.clone(),
                bodies: first..first + own.len(),
                joints: joints..tree.joints.len(),
                positions: positions..tree.num_positions,
                velocities: velocities..tree.num_velocities,
            });
        }
        joint_of
    }

    /// Groups of nodes whose velocities the reflected inertia (armature) of a tendon couples.
    fn moved_by_tendons(&self, tree: &Tree) -> Vec<Vec<usize>> {
        let mut together = Vec::new();
        for instance in self.instances {
            let (name, scene) = (&instance.name, &instance.model.scene);
            let node = |body: usize| tree.bodies[body].node;
            for tendon in scene.tendons.iter().filter(|tendon| tendon.armature != 0.0) {
                let joints = tendon.joints.iter().filter_map(|(joint, _)| tree.joint(&format!("{name}/{joint}")));
                together.push(joints.filter_map(|joint| node(tree.joints[joint].body)).collect());
            }
            for tendon in scene.spatial_tendons.iter().filter(|tendon| tendon.armature != 0.0) {
                let links = tendon.path.iter().filter_map(|part| match part {
                    PathPart::Site { link, .. } => tree.body(&format!("{name}/{link}")),
                    _ => None,
                });
                together.push(links.filter_map(node).collect());
            }
        }
        together
    }

    fn add_joint(&self, model: usize, draft: usize, tree: &mut Tree) {
        let body = &self.bodies[draft];
        let (name, kind, joint) = match body.carrier {
            Carrier::Joint(_, joint) => (&joint.name, joint.kind, Some(joint)),
            _ => (&body.link.name, JointKind::Floating, None),
        };
        let (q, v) = (tree.num_positions, tree.num_velocities);
        let (nq, nv) = match kind {
            JointKind::Floating => (7, 6),
            JointKind::Ball => (4, 3),
            JointKind::Universal => (2, 2),
            JointKind::Planar => (3, 3),
            _ => (1, 1),
        };
        if nq > nv {
            tree.quaternions.push(q);
        }
        // A floating base has neither damping nor armature; a floating joint may have them, but neither stops nor a
        // motor.
        let single = joint.filter(|_| kind != JointKind::Floating);
        tree.damping.resize(v + nv, joint.map_or(0.0, |j| j.damping));
        // Dry friction of a ball joint acts about each axis of the child.
        if let Some(joint) = single.filter(|joint| (nv == 1 || kind == JointKind::Ball) && joint.friction > 0.0) {
            let of = |velocity| DryFriction { velocity, largest: joint.friction, creep: joint.creep };
            tree.joint_friction.extend((v..v + nv).map(of));
        }
        tree.armature.resize(v + nv, joint.map_or(0.0, |j| j.armature));
        tree.effort_limits.resize(v + nv, single.map_or(f64::INFINITY, |j| j.effort));
        tree.initial_positions.resize(q + nq, joint.filter(|_| nv == 1).map_or(0.0, |j| j.start));
        if let Some((stiffness, rest)) = joint.filter(|_| nv == 1).and_then(|j| j.spring) {
            tree.springs.push((q, v, stiffness, rest));
        }
        if nq > nv {
            tree.initial_positions[q] = 1.0;
        }
        tree.initial_velocities.resize(v + nv, 0.0);
        if let Some(&Joint { limits: (lower, upper), kind, .. }) = single
            && matches!(kind, JointKind::Revolute | JointKind::Prismatic | JointKind::Screw)
            && (lower.is_finite() || upper.is_finite())
        {
            let (restitution, compliance) = Default::default();
            tree.limits.push(JointLimit { velocity: v, position: q, lower, upper, restitution, compliance });
        }
        tree.joints.push(TreeJoint {
            name: format!("{}/{name}", self.instances[model].name),
            kind,
            model,
            body: draft + 1,
            positions: q..q + nq,
            velocities: v..v + nv,
            mimic: joint.and_then(|j| j.mimic.clone()),
        });
        tree.num_positions += nq;
        tree.num_velocities += nv;
    }

    fn add_body(&self, draft: &BodyDraft, joint: usize, tree: &mut Tree, findings: &mut Findings) {
        let parent = &tree.bodies[draft.parent];
        let (parent_node, X_NP) = (parent.node, parent.X_NB);
        let (node, X_NB) = match &draft.carrier {
            Carrier::Weld(X_PB) => (parent_node, X_NP * X_PB),
            Carrier::FloatingBase(X_WB, w, v) => {
                let first = tree.joints[joint].velocities.start;
                tree.initial_velocities[first..first + 3].copy_from_slice(w.as_slice());
                tree.initial_velocities[first + 3..first + 6].copy_from_slice(v.as_slice());
                (Some(tree.add_node(joint, parent_node, JointMap::Floating, X_WB)), Isometry3::identity())
            }
            Carrier::Joint(_, model_joint) => {
                let X_NF = X_NP * model_joint.X_PF;
                let X_BM = &model_joint.X_BM;
                let axis = model_joint.axis.normalize();
                let mut start = Isometry3::identity();
                let map = match model_joint.kind {
                    JointKind::Floating => {
                        if parent_node.is_some() {
                            let model = self.instances[draft.model].name.clone();
                            let joint = model_joint.name.clone();
                            findings.errors.push(AssemblyError::FloatingNotAtWorld { model, joint });
                        }
                        start = X_NF * X_BM.inverse();
                        JointMap::Floating
                    }
                    JointKind::Ball => JointMap::ball(&X_NF, X_BM),
                    JointKind::Universal => JointMap::universal(&X_NF, X_BM),
                    JointKind::Planar => JointMap::planar(&X_NF, X_BM),
                    JointKind::Screw => {
                        let travel = model_joint.pitch / std::f64::consts::TAU;
                        JointMap::screw(&axis, travel, &X_NF, X_BM)
                    }
                    JointKind::Prismatic => JointMap::translation(&axis, &X_NF, X_BM),
                    JointKind::Fixed | JointKind::Revolute | JointKind::Continuous => {
                        JointMap::rotation(&axis, &X_NF, X_BM)
                    }
                };
                (Some(tree.add_node(joint, parent_node, map, &start)), Isometry3::identity())
            }
        };
        let is_welded = matches!(draft.carrier, Carrier::Weld(_));
        tree.bodies.push(Body {
            name: format!("{}/{}", self.instances[draft.model].name, draft.link.name),
            model: Some(draft.model),
            parent: draft.parent,
            joint: (!is_welded).then_some(joint),
            inertia: draft.link.inertia.filter(|i| i.mass != 0.0 || i.I_BBcm != Matrix3::zeros()),
            clique: None,
            tree: None,
            node,
            X_NB,
            R_NB: *X_NB.rotation.to_rotation_matrix().matrix(),
            leads: !is_welded,
        });
    }
}

impl Tree {
    /// A tree of the world alone.
    fn empty() -> Self {
        let world = Body {
            name: "world".into(),
            model: None,
            parent: 0,
            joint: None,
            inertia: None,
            clique: None,
            tree: None,
            node: None,
            X_NB: Isometry3::identity(),
            R_NB: Matrix3::identity(),
            leads: false,
        };
        Tree {
            bodies: vec![world],
            joints: Vec::new(),
            models: Vec::new(),
            nodes: Vec::new(),
            cliques: Vec::new(),
            num_positions: 0,
            num_velocities: 0,
            fixed: (0.0, Vector3::zeros(), Matrix3::zeros()),
            total_mass: 0.0,
            damping: Vec::new(),
            joint_friction: Vec::new(),
            springs: Vec::new(),
            armature: Vec::new(),
            effort_limits: Vec::new(),
            limits: Vec::new(),
            quaternions: Vec::new(),
            initial_positions: Vec::new(),
            initial_velocities: Vec::new(),
            bodies_by_name: NameOrder::default(),
            joints_by_name: NameOrder::default(),
        }
    }

    /// Indexes bodies and joints by their names.
    fn index_names(&mut self) {
        self.bodies_by_name = NameOrder::of(self.bodies.len(), |i| &self.bodies[i].name);
        self.joints_by_name = NameOrder::of(self.joints.len(), |i| &self.joints[i].name);
    }

    /// Adds the node of a joint and returns its index; `start` is the initial pose of a floating body in world, unused
    /// for other joints.
    fn add_node(&mut self, joint: usize, parent: Option<usize>, map: JointMap, start: &Isometry3<f64>) -> usize {
        let joint = &self.joints[joint];
        let (q, v) = (joint.positions.start, joint.velocities.start);
        if let JointMap::Floating = map {
            let (r, p) = (start.rotation, start.translation);
            self.initial_positions[q..q + 7].copy_from_slice(&[r.w, r.i, r.j, r.k, p.x, p.y, p.z]);
        }
        let root = parent.map_or(self.nodes.len(), |p| self.nodes[p].root);
        let (mass, com, inertia) = (0.0, Vector3::zeros(), Matrix3::zeros());
        self.nodes.push(Node { parent, root, clique: 0, q, v, nv: map.nv(), map, mass, com, inertia, alone: None });
        self.nodes.len() - 1
    }

    /// Sums the inertias of the bodies of each node, and those of all bodies that are fixed to the world.
    fn lump_inertias(&mut self) {
        let mut parts: Vec<Vec<(Isometry3<f64>, Inertia)>> = vec![Vec::new(); self.nodes.len() + 1];
        for body in &self.bodies {
            if let Some(inertia) = body.inertia {
                parts[body.node.map_or(0, |n| n + 1)].push((body.X_NB, inertia));
            }
        }
        self.fixed = lump(&parts[0]);
        for (node, parts) in self.nodes.iter_mut().zip(&parts[1..]) {
            (node.mass, node.com, node.inertia) = lump(parts);
        }
        self.total_mass = self.fixed.0 + self.nodes.iter().map(|n| n.mass).sum::<f64>();
    }

    /// Finds the cliques: the smallest contiguous ranges of velocities that split no kinematic tree and no group of
    /// `together`, the groups of coupled nodes.
    fn find_cliques(&mut self, together: &[Vec<usize>]) {
        let mut roots: Vec<usize> = (0..self.nodes.len()).filter(|&n| self.nodes[n].root == n).collect();
        let mut last_of = vec![0; self.nodes.len()];
        let mut first_of = vec![usize::MAX; self.nodes.len()];
        for node in &self.nodes {
            first_of[node.root] = first_of[node.root].min(node.v);
            last_of[node.root] = last_of[node.root].max(node.v + node.nv);
        }
        let mut tree_of = vec![None; self.nodes.len()];
        roots.iter().enumerate().for_each(|(t, &root)| tree_of[root] = Some(t));
        for body in &mut self.bodies {
            body.tree = body.node.and_then(|n| tree_of[self.nodes[n].root]);
        }
        for nodes in together {
            let trees = || nodes.iter().map(|&n| self.nodes[n].root);
            let first = trees().min_by_key(|&root| first_of[root]);
            let last = trees().map(|root| last_of[root]).max();
            if let Some((first, last)) = first.zip(last) {
                last_of[first] = last_of[first].max(last);
            }
        }
        roots.sort_unstable_by_key(|&r| first_of[r]);
        for root in roots {
            let (first, last) = (first_of[root], last_of[root]);
            match self.cliques.last_mut() {
                Some(clique) if clique.velocities.end > first => {
                    clique.velocities.end = clique.velocities.end.max(last);
                }
                _ => self.cliques.push(Clique { velocities: first..last, block: 0..0 }),
            }
        }
        let mut entries = 0;
        for clique in &mut self.cliques {
            let n = clique.velocities.len();
            clique.block = entries..entries + n * n;
            entries += n * n;
        }
        for node in &mut self.nodes {
            node.clique = self.cliques.partition_point(|clique| clique.velocities.end <= node.v);
        }
        for body in &mut self.bodies {
            body.clique = body.node.map(|n| self.nodes[n].clique);
        }
    }
}

/// Mass, centre of mass, and inertia about it, of bodies at fixed poses.
fn lump(parts: &[(Isometry3<f64>, Inertia)]) -> (f64, Vector3<f64>, Matrix3<f64>) {
    let centre = |X: &Isometry3<f64>, i: &Inertia| X.rotation * i.p_BoBcm + X.translation.vector;
    let mass: f64 = parts.iter().map(|(_, i)| i.mass).sum();
    let moment: Vector3<f64> = parts.iter().map(|(X, i)| centre(X, i) * i.mass).sum();
    let com = if mass != 0.0 { moment / mass } else { Vector3::zeros() };
    let mut about = Matrix3::zeros();
    for (X, i) in parts {
        let d = centre(X, i) - com;
        let R = X.rotation.to_rotation_matrix();
        about += rotate_tensor(R.matrix(), &i.I_BBcm) + parallel_axis(&(d * i.mass), &d);
    }
    (mass, com, about)
}
