//! Tests of `systems/multibody/fibre/fade.rs`.

use kinegraph_multibody::fibre::fade::Fade;

#[test]
fn two_pieces_have_the_stiffness_of_one() {
    let (length, half) = (0.2, 0.025);
    let piece = Fade { ends: [None, Some((0.5 * length, half))] };
    let next = Fade { ends: [Some((0.5 * length, half)), None] };
    for i in 0..=100 {
        let x = length * f64::from(i) / 100.0;
        assert!((piece.part(x) + next.part(x - length) - 1.0).abs() < 1e-14);
    }
    assert_eq!((piece.part(0.0), piece.part(length), piece.part(-1.0)), (1.0, 0.0, 1.0));
}
