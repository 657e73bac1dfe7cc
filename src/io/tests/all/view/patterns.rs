//! Images drawn by a rule, pixel for pixel as MuJoCo draws them for its files.

use kinegraph_engine::scene::{Pattern, PatternMark, PatternRule};
use kinegraph_io::view::patterns::drawn;

fn pattern(rule: PatternRule, cube: bool, size: [u32; 2], mark: PatternMark) -> Pattern {
    let (rgb1, rgb2) = ([1.0, 0.0, 0.2], [0.0, 0.5, 1.0]);
    Pattern { rule, cube, size, rgb1, rgb2, mark, mark_rgb: [1.0; 3], density: 0.25 }
}

/// `tex_data` of MuJoCo 4.0.0 for the same attributes.
#[test]
fn patterns_are_those_of_mujoco() {
    const A: [u8; 3] = [255, 0, 51];
    const B: [u8; 3] = [0, 127, 255];
    const M: [u8; 3] = [255; 3];
    let of = |rule, cube, size, mark| drawn(&pattern(rule, cube, size, mark));
    let flat = of(PatternRule::Gradient, false, [4, 3], PatternMark::Cross);
    assert_eq!(flat, [[B, B, M, B, M, M, M, M, B, B, M, B].concat()]);
    let flat = of(PatternRule::Checker, false, [4, 3], PatternMark::Edge);
    assert_eq!(flat, [[M, M, M, M, M, B, A, M, M, M, M, M].concat()]);
    let (one, other) = ([A, B, B, A].concat(), [B, A, A, B].concat());
    let cube = of(PatternRule::Checker, true, [2, 2], PatternMark::None);
    assert_eq!(cube, [&one, &one, &one, &one, &other, &other].map(Vec::clone));
    let cube = of(PatternRule::Flat, true, [1, 1], PatternMark::None);
    assert_eq!(cube, [A, A, A, B, A, A].map(Vec::from));
    let cube = of(PatternRule::Gradient, true, [3, 3], PatternMark::None);
    let (c, d, e) = ([193, 30, 100], [208, 23, 88], [127, 63, 153]);
    let (f, g) = ([61, 96, 205], [46, 104, 217]);
    let side = [c, d, c, e, e, e, f, g, f].concat();
    let [up, down] = [[c, d, c, d, A, d, c, d, c].concat(), [f, g, f, g, B, g, f, g, f].concat()];
    assert_eq!(cube, [&side, &side, &up, &down, &side, &side].map(Vec::clone));
}

#[test]
fn so_many_pixels_have_a_dot() {
    let dots = drawn(&pattern(PatternRule::Flat, false, [200, 200], PatternMark::Dots));
    let marked = dots[0].chunks(3).filter(|pixel| *pixel == [255; 3]).count();
    assert!(marked.abs_diff(10_000) < 400, "{marked}");
}
