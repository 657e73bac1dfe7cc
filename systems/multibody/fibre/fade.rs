//! Where contact passes from one piece of a fibre to the next.
//!
//! Each piece touches along the tangent of its node, and in a strip about the joint with the next piece both touch. The
//! stiffness of each fades over that strip by `w(t) = 1 - 3t² + 2t³`, with t from 0 to 1 along it: there
//! `w(t) + w(1 - t) = 1`, so that what slides along the fibre meets the stiffness of one piece everywhere, and the
//! force on each node has no jump and no kink. The axis that it meets is the mean of both tangents by these weights, a
//! curve of class C1 through the nodes.

/// Half of the strip, in parts of the element in whose middle the joint is.
pub(crate) const STRIP: f64 = 0.125;

/// How the contact of a piece fades towards its ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fade {
    /// Towards the start and the end of the fibre: how far the joint is from the node, and half the width of the strip
    /// about it \[m\]; `None` where there is no next piece.
    pub ends: [Option<(f64, f64)>; 2],
}

impl Fade {
    /// The part of its stiffness that the piece has at `x` \[m\] along the tangent of its node.
    pub fn part(&self, x: f64) -> f64 {
        let toward = |end: usize, x: f64| {
            let Some((joint, half)) = self.ends[end] else { return 1.0 };
            let t = ((x - joint + half) / (2.0 * half)).clamp(0.0, 1.0);
            1.0 - t * t * (3.0 - 2.0 * t)
        };
        toward(0, -x) * toward(1, x)
    }
}
