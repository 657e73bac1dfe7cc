//! Connections in a problem: its islands, and the cliques that touch.

use super::islands::Island;
use super::problem::Problem;

impl Problem {
    /// Finds the islands, and the elements on each.
    pub(super) fn find_islands(&mut self) {
        let clique_of = |velocity: usize| self.trees.clique_of[velocity];
        let islands = &mut self.islands;
        islands.reset(self.trees.cliques.len());
        for patch in &self.contacts.patches {
            if let (Some(a), Some(b)) = (self.trees.bodies[patch.body_a].clique, self.trees.bodies[patch.body_b].clique)
            {
                islands.join(a, b);
            }
        }
        for block in &self.feedback {
            for pair in block.velocities.windows(2) {
                islands.join(clique_of(pair[0]), clique_of(pair[1]));
            }
        }
        for group in &self.constraints.rows {
            for pair in self.constraints.support[group.support.clone()].windows(2) {
                islands.join(pair[0].clique, pair[1].clique);
            }
        }
        islands.collect(|c| self.trees.cliques[c].velocities.clone());
        for (i, group) in self.constraints.rows.iter().enumerate() {
            let Some(first) = self.constraints.support[group.support.clone()].first() else { continue };
            let island = islands.of_clique[first.clique];
            islands.island_mut(island).rows.push(i);
        }
        for (i, patch) in self.contacts.patches.iter().enumerate() {
            let Some(clique) = self.trees.bodies[patch.body_b].clique else { continue };
            let island = islands.of_clique[clique];
            islands.island_mut(island).patches.push(i);
        }
        for (i, block) in self.feedback.iter().enumerate() {
            let Some(&first) = block.velocities.first() else { continue };
            let island = islands.of_clique[clique_of(first)];
            islands.island_mut(island).feedback.push(i);
        }
    }

    /// The islands of the problem.
    pub fn islands(&self) -> &[Island] {
        self.islands.all()
    }

    /// True if the island has feedback without a cost.
    pub fn is_unsymmetric(&self, island: &Island) -> bool {
        island.feedback.iter().any(|&f| self.feedback[f].unsymmetric)
    }

    /// The island that holds a velocity.
    pub fn island_of(&self, velocity: usize) -> usize {
        self.islands.of_clique[self.clique_of(velocity)]
    }

    /// The cliques that move the bodies of a patch.
    pub fn cliques_of(&self, patch: usize) -> impl Iterator<Item = usize> + use<> {
        let (body_a, body_b) = (self.contacts.patches[patch].body_a, self.contacts.patches[patch].body_b);
        let (a, b) = (self.trees.bodies[body_a].clique, self.trees.bodies[body_b].clique);
        a.into_iter().chain(b.filter(|_| b != a))
    }

    /// Calls `see` with every two cliques connected by contact points for which `counts` is true, some more than once.
    pub fn for_each_touch(&self, counts: impl Fn(usize) -> bool, mut see: impl FnMut(usize, usize)) {
        for patch in self.contacts.patches.iter().filter(|patch| patch.points.clone().any(&counts)) {
            if let (Some(a), Some(b)) = (self.trees.bodies[patch.body_a].clique, self.trees.bodies[patch.body_b].clique)
            {
                see(a, b);
            }
        }
    }

    /// Calls `see` with every two cliques connected by constraints, some more than once.
    pub fn for_each_tie(&self, mut see: impl FnMut(usize, usize)) {
        for group in &self.constraints.rows {
            let support = &self.constraints.support[group.support.clone()];
            for (i, one) in support.iter().enumerate() {
                support[..i].iter().for_each(|other| see(one.clique, other.clique));
            }
        }
    }
}
