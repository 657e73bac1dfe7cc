//! Rows of rigid constraints that nothing moves, by the geometry of the bodies that they hold.

use kinegraph_convex::contact::{Problem, Rows};
use nalgebra::Vector3;

/// A body on a hinge about z through the origin, held to the world at a point that is `off` the axis.
fn hinge(off: f64) -> Problem {
    let mut problem = Problem::default();
    let clique = problem.add_clique(&[0.4], &[0.0], &[0.0], &[1.0]);
    let world = problem.add_body(None, false, &[], 0.0);
    let body = problem.add_body(Some(clique), false, &[0.0, 0.0, 1.0, 0.0, 0.0, 0.0], 2.0);
    let at = Vector3::new(off, 0.0, 1.0);
    let rows = Rows::Point { body_a: world, p_AP: at, body_b: body, p_BQ: at };
    problem.add_rows(rows, Vector3::new(0.0, 3e-6, 0.0), None);
    problem.drop_redundant_rows(0);
    problem
}

#[test]
fn a_ball_on_the_axis_of_a_hinge_holds_nothing() {
    for off in [1e-17, 1e-10, 1e-5] {
        let problem = hinge(off);
        assert!(!problem.has_rigid_rows(), "{off:e}");
        assert_eq!(
            problem.constraints.rows[0].violation,
            Vector3::zeros(),
            "{off:e}: what digits leave open stays open"
        );
        let [set] = problem.redundant_sets() else { panic!("{off:e}: one set") };
        assert_eq!((set.rows, set.open, problem.groups_of(set)), (1, 3e-6, vec![0]), "{off:e}");
    }
    for (off, weak) in [(1e-3, true), (0.1, false)] {
        let problem = hinge(off);
        assert!(problem.has_rigid_rows() && problem.redundant_sets().is_empty(), "{off:e}");
        assert_eq!(problem.weakest_row().is_some(), weak, "{off:e}");
        assert_eq!(problem.constraints.rows[0].violation.y, 3e-6, "{off:e}");
    }
}

/// Masses do not matter for redundancy: a link of a microgram between real ones is no reason to drop a row.
#[test]
fn rows_that_move_a_light_link_and_a_heavy_one_hold_both() {
    let mut problem = Problem::default();
    let clique = problem.add_clique(&[1e-12, 0.0, 0.0, 1e3], &[0.0; 2], &[0.0; 2], &[0.0; 2]);
    let world = problem.add_body(None, false, &[], 0.0);
    let jacobian = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let body = problem.add_body(Some(clique), false, &jacobian, 1e-12);
    let origin = Vector3::zeros();
    let rows = Rows::Point { body_a: world, p_AP: origin, body_b: body, p_BQ: origin };
    problem.add_rows(rows, Vector3::zeros(), None);
    problem.drop_redundant_rows(0);
    assert!(problem.redundant_sets().is_empty());
    assert_eq!(problem.constraints.support[problem.constraints.rows[0].support.clone()].len(), 2);
}

/// Two couplers that are equal but for digits become one, exactly, and share their load.
#[test]
fn rows_that_say_the_same_but_for_digits_become_parallel() {
    let mut problem = Problem::default();
    for _ in 0..2 {
        problem.add_clique(&[1.0], &[0.0], &[0.0], &[0.0]);
    }
    for (ratio, open) in [(1.0, 1e-6), (1.000_003, 2e-6)] {
        let entries = &[(0, 1.0), (1, -ratio)];
        problem.add_rows(Rows::Coordinates { first: 0, entries }, Vector3::new(open, 0.0, 0.0), None);
    }
    problem.drop_redundant_rows(0);
    let columns = |group: usize| {
        let of: Vec<f64> = problem.constraints.support[problem.constraints.rows[group].support.clone()]
            .iter()
            .map(|s| s.column.x)
            .collect();
        (of[0], of[1])
    };
    let ((a, b), (c, d)) = (columns(0), columns(1));
    assert!((a * d - b * c).abs() < 1e-15, "{a} {b}, {c} {d}");
    assert!((a - 1.0).abs() < 1e-5 && (d + 1.0).abs() < 1e-5);
    // Both are violated by the same: their difference cannot be closed.
    let [x, y] = [0, 1].map(|group: usize| problem.constraints.rows[group].violation.x);
    assert!((x - y).abs() < 1e-11 && (x - 1.5e-6).abs() < 1e-11, "{x} {y}");
    assert_eq!(problem.redundant_sets()[0].rows, 1);
    assert_eq!(problem.groups_of(&problem.redundant_sets()[0]), [0, 1]);
}
