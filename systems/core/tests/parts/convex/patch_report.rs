//! Tests of `systems/core/convex/patch_report.rs`.

use kinegraph_core::convex::patch_report::patches;
use kinegraph_core::convex::step_record::ContactReport;
use nalgebra::Vector3;

/// Four corners of a square of the half width 5 cm that carry 4.9 N, with a friction of 0.5.
fn square(force: f64, torque: f64) -> Vec<ContactReport> {
    let (a, n) = (0.05, 4.9 / 4.0);
    [(a, a), (-a, a), (-a, -a), (a, -a)]
        .map(|(x, y)| ContactReport {
            body_b: 1,
            p_WC: [x, y, 0.0],
            normal: [0.0, 0.0, 1.0],
            // The torque by couples at all corners.
            force: [force / 4.0 - torque * y / (8.0 * a * a), torque * x / (8.0 * a * a), n],
            static_friction: 0.5,
            ..ContactReport::default()
        })
        .into()
}

/// Friction of a fifth in one direction: of a load at the angle a to it the ellipse takes the part
/// `sqrt(cos² a + 25 sin² a)` of what the other direction takes.
#[test]
fn friction_that_depends_on_the_direction_takes_the_loads_of_its_ellipse() {
    for angle in [0.0_f64, 0.4, 1.1, 1.5] {
        let part = 0.7;
        let load = part * 0.5 * 4.9 / angle.cos().hypot(5.0 * angle.sin());
        let mut points = square(0.0, 0.0);
        for point in &mut points {
            (point.force[0], point.force[1]) = (load * angle.cos() / 4.0, load * angle.sin() / 4.0);
            point.grain = [0.0, 0.8_f64.sqrt(), 0.0];
        }
        let found = patches(&points)[0];
        assert!((found.utilization - part).abs() < 1e-5, "{angle}: {}", found.utilization);
    }
}

#[test]
fn loads_on_the_limit_surface_have_the_utilization_one() {
    // Force and torque along x, from the closed form of four corners.
    let table = [(0.0, 0.173241), (0.6125, 0.163142), (1.225, 0.136644), (1.8375, 0.094924), (2.205, 0.057742)];
    for (force, torque) in table {
        let found = patches(&square(force, torque))[0];
        assert!((found.utilization - 1.0).abs() < 1e-5, "{force} {}", found.utilization);
        let half = patches(&square(0.5 * force, 0.5 * torque))[0];
        assert!((half.utilization - 0.5).abs() < 1e-5 && half.is_static() && !found.is_static());
        assert!(Vector3::from(found.center_of_pressure).norm() < 1e-15);
        assert!((Vector3::from(found.torque) - Vector3::z() * torque).norm() < 1e-12);
    }
    assert!((patches(&square(2.45, 0.0))[0].utilization - 1.0).abs() < 1e-9);
    assert_eq!(patches(&square(0.0, 0.0))[0].utilization, 0.0);
    assert!(patches(&[]).is_empty());
}
