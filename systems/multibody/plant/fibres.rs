//! Fibres of a plant: their nodes become a model, their beams and pins constraints.

use super::builder::PlantBuilder;
use super::constraints::{Frame, PlacedConstraint, PlacedLaw};
use super::error::PlantError;
use super::model::{ExcludedPairs, PlantModel};
use crate::fibre::{Fade, Fibre, FibreEnd, PieceEnd, Pieces, node_name};
use crate::{Base, Tree, with_kinematics};
use kinegraph_core::names::nearest;
use nalgebra::{Isometry3, Rotation3, Translation3};
use std::ops::Range;

/// A valid fibre, with its pieces.
pub(super) struct PlacedFibre {
    pub name: String,
    ends: [FibreEnd; 2],
    pieces: Pieces,
    touches_itself: bool,
}

impl PlantBuilder {
    /// Adds a fibre: a rope, a cable, a strip, a ring.
    pub fn fibre(mut self, fibre: Fibre) -> Self {
        self.fibres.push(fibre);
        self
    }

    /// Adds the nodes of all fibres to the models.
    pub(super) fn spin_fibres(&mut self, faults: &mut Vec<PlantError>) -> Vec<PlacedFibre> {
        let mut placed = Vec::new();
        for fibre in std::mem::take(&mut self.fibres) {
            let pieces = match fibre.pieces() {
                Ok(pieces) => pieces,
                Err(fault) => {
                    faults.push(PlantError::Fibre { fibre: fibre.name, fault });
                    continue;
                }
            };
            self.models.push(PlantModel {
                name: fibre.name.clone(),
                model: pieces.model.clone(),
                base: Base::fixed(),
                actuated: Default::default(),
                collisions: Default::default(),
                excluded: ExcludedPairs { links: pieces.apart.clone(), touching_at_start: true },
                start: None,
            });
            let touches_itself = fibre.self_contact;
            placed.push(PlacedFibre { name: fibre.name, ends: fibre.ends, pieces, touches_itself });
        }
        placed
    }
}

/// Fading of the contact of nodes towards their neighbours, by body.
pub(super) fn fades<'a>(tree: &'a Tree, fibres: &'a [PlacedFibre]) -> impl Iterator<Item = (usize, Fade)> + 'a {
    fibres.iter().flat_map(|fibre| {
        let body = |node: usize| tree.body(&format!("{}/{}", fibre.name, node_name(node)));
        fibre.pieces.fades.iter().filter_map(move |&(node, fade)| Some((body(node)?, fade)))
    })
}

/// The bodies of each fibre without self-contact.
pub(super) fn kept_apart(tree: &Tree, fibres: &[PlacedFibre]) -> Vec<Range<usize>> {
    let is_apart = |name: &str| fibres.iter().any(|fibre| fibre.name == name && !fibre.touches_itself);
    tree.models().iter().filter(|part| is_apart(&part.name)).map(|part| part.bodies.clone()).collect()
}

/// Beams and pins of fibres, with the plant at the initial positions `q`; and excluded pairs of bodies: links, and the
/// nodes beside the ends that are clamped to them.
pub(super) fn place(
    tree: &Tree,
    fibres: &[PlacedFibre],
    q: &[f64],
    faults: &mut Vec<PlantError>,
) -> (Vec<PlacedConstraint>, Vec<[usize; 2]>) {
    let (mut constraints, mut apart) = (Vec::new(), Vec::new());
    with_kinematics(|k| {
        tree.position_kinematics(q, k);
        for fibre in fibres {
            let mut add = |name: String, law| {
                constraints.push(PlacedConstraint { name, law, active: true, capture: false, switched: false });
            };
            let mut links = [None, None];
            for (link, end) in links.iter_mut().zip(&fibre.ends) {
                let (FibreEnd::Clamped(name) | FibreEnd::Pinned(name)) = end else { continue };
                *link = tree.body(name);
                if link.is_none() {
                    let nearest = nearest(name, tree.bodies().iter().map(|body| &body.name));
                    faults.push(PlantError::Unknown { kind: "link", name: name.clone(), nearest });
                }
            }
            let node = |i: usize| tree.body(&format!("{}/{}", fibre.name, node_name(i)));
            let on_link = |body: usize, X_WF: &Isometry3<f64>| {
                let X = tree.X_WB(k, body);
                let R = Rotation3::from_matrix_unchecked(X.R_WB);
                let X_WB = Isometry3::from_parts(Translation3::from(X.p_WB), R.into());
                Frame { body, X_BF: X_WB.inverse() * X_WF }
            };
            for (e, (piece, law)) in fibre.pieces.beams.iter().enumerate() {
                let frame = |side: usize| match piece.ends[side] {
                    PieceEnd::Node(i) => node(i).map(|body| Frame { body, X_BF: Isometry3::identity() }),
                    PieceEnd::Link(end) => links[end].map(|body| on_link(body, &piece.X_W[side])),
                };
                let (Some(a), Some(b)) = (frame(0), frame(1)) else { continue };
                if piece.ends.iter().any(|end| matches!(end, PieceEnd::Link(_))) {
                    apart.push([a.body, b.body]);
                }
                if tree.bodies()[a.body].node == tree.bodies()[b.body].node {
                    let (a, b) = (tree.bodies()[a.body].name.clone(), tree.bodies()[b.body].name.clone());
                    faults.push(PlantError::CannotMove { constraint: format!("{}.e{e}", fibre.name), a, b });
                    continue;
                }
                add(format!("{}.e{e}", fibre.name), PlacedLaw::Beam { a, b, law: *law });
            }
            for (end, i, X_WF) in &fibre.pieces.pins {
                let (Some(link), Some(body)) = (links[*end], node(*i)) else { continue };
                let (a, b) = (on_link(link, X_WF), Frame { body, X_BF: Isometry3::identity() });
                apart.push([link, body]);
                add(format!("{}.pin{end}", fibre.name), PlacedLaw::Ball { a, b, compliance: None });
            }
        }
    });
    (constraints, apart)
}
