//! Tests of `src/methods/theta_gamma/mixing.rs`.

use kinegraph_methods::theta_gamma::mixing::Mixing;

/// The fixed point of modes that oscillate and hardly contract is found in a few more iterations than there are modes.
#[test]
fn slow_modes_are_extrapolated() {
    let (modes, fixed) = ([-0.9, -0.75, 0.6, 0.1], [1.0, -2.0, 0.5, 3.0]);
    let (mut x, mut mixing) = ([0.0; 4], Mixing::default());
    let mut image = [0.0; 4];
    for _ in 0..8 {
        (0..4).for_each(|i| image[i] = fixed[i] + modes[i] * (x[i] - fixed[i]));
        mixing.next(&mut x, &image);
    }
    assert!(x.iter().zip(fixed).all(|(x, fixed)| (x - fixed).abs() < 1e-4), "{x:?}");
}
