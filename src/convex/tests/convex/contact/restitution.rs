//! Tests of `src/convex/contact/restitution.rs`.

use kinegraph_convex::contact::restitution;

#[test]
fn energy_and_dissipation_along_the_way_agree() {
    for (s, e) in [(0.05, 0.967739), (0.22, 0.871884), (1.0, 0.593624), (5.0, 0.196980), (50.0, 0.02)] {
        assert!((restitution(s) - e).abs() < 1e-6, "{s}: {}", restitution(s));
    }
    for i in 0..400 {
        let s = 1e-4 * 1.035_f64.powi(i);
        let back = -s * restitution(s);
        let (to, from) = (s - s.ln_1p(), back - back.ln_1p());
        assert!(s > 5.0 || (to - from).abs() <= 1e-12 * to.max(1e-3), "{s}: {to} {from}");
    }
    assert!((restitution(1.0001e-4) - restitution(0.9999e-4)).abs() < 2e-8);
    assert_eq!(restitution(0.0), 1.0);
}
