//! Derivatives along a line.

use super::*;
use kinegraph_convex::solvers::icf::pools::contact_line::LinePairs;

/// Derivatives of all contact points together, computed without vectors, are those of the laws.
#[test]
fn derivatives_along_a_line_are_those_of_impulses_and_hessians() {
    let mut r = Random(21);
    let mut line = LinePairs::default();
    for round in 0..50 {
        let mut p = fixture(&mut r);
        p.set_step(r.log(1e-5, 1e-1));
        let mut island = p.islands()[0].clone();
        island.patches.truncate(round % 6); // any number of points, also such that fill no group of four
        let size = r.log(1e-6, 10.0);
        let vc: Vec<_> = (0..p.contacts.points.len()).map(|_| r.vector(size)).collect();
        let rate = if round % 7 == 0 { 0.0 } else { r.log(1e-3, 1e3) };
        let uc: Vec<_> = (0..p.contacts.points.len()).map(|_| r.vector(size * rate)).collect();
        let laws: Vec<_> = p.contacts.points.iter().map(|pair| ContactLaw::new(pair, p.step_terms.dt)).collect();
        line.set(&p, &island, &laws, &vc, &uc);
        for alpha in [0.0, 0.3, 1.0] {
            let (mut slope, mut curvature, mut sizes) = (0.0, 0.0, (0.0, 0.0));
            for i in island.patches.iter().flat_map(|&patch| p.contacts.patches[patch].points.clone()) {
                let (impulse, hessian) = laws[i].impulse_and_hessian(&(vc[i] + uc[i] * alpha));
                slope -= impulse.dot(&uc[i]);
                curvature += uc[i].dot(&(hessian * uc[i]));
                sizes.0 += impulse.norm() * uc[i].norm();
                sizes.1 += hessian.norm() * uc[i].norm_squared();
            }
            let (s, c) = line.derivatives(alpha);
            assert!(close(s, slope, sizes.0, 1e-13), "slope {s} and {slope} at {alpha}");
            assert!(close(c, curvature, sizes.1, 1e-13), "curvature {c} and {curvature} at {alpha}");
        }
    }
}
