//! Smooth transition of contact from one piece of a fibre to the next.
//!
//! Each piece touches along the tangent of its node, and in a strip about the joint with the next piece both touch. The
//! stiffness of each fades over that strip by `w(t) = 1 - 3t² + 2t³`, with t from 0 to 1 along it. Since
//! `w(t) + w(1 - t) = 1`, a body that slides along the fibre meets the stiffness of one piece everywhere, and the force
//! on each node has no jump and no kink. The contact follows the mean of both tangents by these weights, a curve of
//! class C1 through the nodes.

/// Half width of the strip, as a fraction of the element whose middle is the joint.
pub(crate) const STRIP: f64 = 0.125;

/// Fading of the contact of a piece towards its ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fade {
    /// Towards the start and the end of the fibre: distance of the joint from the node, and half width of the strip
    /// about it \[m\]; `None` if there is no next piece.
    pub ends: [Option<(f64, f64)>; 2],
}

impl Fade {
    /// Fraction of its stiffness that the piece has at `x` \[m\] along the tangent of its node.
    pub fn part(&self, x: f64) -> f64 {
        let toward = |end: usize, x: f64| {
            let Some((joint, half)) = self.ends[end] else { return 1.0 };
            let t = ((x - joint + half) / (2.0 * half)).clamp(0.0, 1.0);
            1.0 - t * t * (3.0 - 2.0 * t)
        };
        toward(0, -x) * toward(1, x)
    }
}
