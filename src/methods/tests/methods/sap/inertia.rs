//! Tests of `src/methods/sap/inertia.rs`.

use kinegraph_convex::contact::Problem;
use kinegraph_methods::sap::inertia::InertiaFactors;

#[test]
fn a_block_is_solved_to_the_digits_of_its_numbers() {
    let mut problem = Problem::default();
    problem.add_clique(&[4.0, 1.0, 1.0, 3.0], &[0.0; 2], &[0.0; 2], &[0.0; 2]);
    problem.finish();
    problem.set_step(0.01);
    let expected = [1.0 / 11.0, 7.0 / 11.0];
    let mut double = InertiaFactors::<f64>::default();
    let mut single = InertiaFactors::<f32>::default();
    double.factor(&problem);
    single.factor(&problem);
    let (mut x, mut y) = ([1.0, 2.0], [1.0, 2.0]);
    double.solve(&problem, 0, &mut x);
    single.solve(&problem, 0, &mut y);
    for i in 0..2 {
        assert!((x[i] - expected[i]).abs() < 1e-15);
        let off = (y[i] - expected[i]).abs();
        assert!(off < 1e-6 && y[i] == f64::from(y[i] as f32), "{off:e}");
    }
}
