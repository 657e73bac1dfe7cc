//! Tests of `systems/geometry/ball.rs`.

use kinegraph_geometry::ball::{BallContact, touch};
use kinegraph_geometry::manifold::Contacts;
use kinegraph_geometry::solid::Solid;
use kinegraph_geometry::{Points, Shape, Touch, manifold};
use nalgebra::{Isometry3, UnitQuaternion, Vector3};
use proptest::prelude::*;

/// Contact by the general method: features along the direction of contact, in the frame of A.
fn general(a: &Shape, X_WA: &Isometry3<f64>, b: &Shape, X_WB: &Isometry3<f64>, margin: f64) -> Vec<Touch> {
    let (mut contacts, mut out) = (Contacts::new(margin), Vec::new());
    let solids = [Solid::new(a, &Isometry3::identity()), Solid::new(b, &X_WA.inv_mul(X_WB))];
    if let [Some(a), Some(b)] = solids {
        manifold::touches(&a, &b, &mut contacts);
        contacts.append(Points::Manifold, X_WA, &mut out);
    }
    out
}

fn ball_and_other() -> impl Strategy<Value = (Shape, Isometry3<f64>, Shape, Isometry3<f64>)> {
    let number = || -1.0..1.0_f64;
    let vector = move || prop::array::uniform3(number()).prop_map(Vector3::from);
    let other = prop_oneof![
        (0.1..0.8_f64).prop_map(|radius| Shape::Sphere { radius }),
        prop::array::uniform3(0.1..0.8_f64).prop_map(|h| Shape::Box { half_extents: h.into() }),
    ];
    let pose = move || {
        (vector(), vector())
            .prop_map(|(p, r)| Isometry3::from_parts(p.into(), UnitQuaternion::from_scaled_axis(r * 3.0)))
    };
    let ball = (0.1..0.8_f64).prop_map(|radius| Shape::Sphere { radius });
    (ball, pose(), other, pose())
}

proptest! {
    #[test]
    fn closed_forms_agree_with_the_general_algorithm((a, X, b, Y) in ball_and_other(), margin in 0.0..0.3_f64) {
        for points in [Points::Deepest, Points::Manifold] {
            let expected = general(&a, &X, &b, &Y, margin);
            match touch(&a, &X, &b, &Y, points, margin) {
                BallContact::Unknown => {}
                // Rounding decides at the margin itself.
                BallContact::Apart => prop_assert!(expected.iter().all(|t| t.depth < 1e-12 - margin), "{expected:?}"),
                BallContact::Touching(found) => {
                    let near = |t: &Touch| {
                        (t.p_WC - found.p_WC).norm() < 1e-9 && (t.normal - found.normal).norm() < 1e-9
                            && (t.depth - found.depth).abs() < 1e-12
                    };
                    prop_assert!(expected.iter().any(near) || found.depth < 1e-12 - margin, "{found:?} {expected:?}");
                }
            }
        }
    }

    #[test]
    fn the_other_order_gives_the_same_bits((a, X, b, Y) in ball_and_other(), margin in 0.0..0.3_f64) {
        match (touch(&a, &X, &b, &Y, Points::Deepest, margin), touch(&b, &Y, &a, &X, Points::Deepest, margin)) {
            (BallContact::Touching(one), BallContact::Touching(two)) => {
                prop_assert_eq!(one, Touch { normal: -two.normal, ..two });
            }
            (BallContact::Apart, BallContact::Apart) | (BallContact::Unknown, BallContact::Unknown) => {}
            _ => prop_assert!(false, "one order touches, the other does not"),
        }
    }
}

#[test]
fn only_a_centre_inside_a_box_is_left_to_the_general_way() {
    let (ball, cube) = (Shape::Sphere { radius: 0.2 }, Shape::Box { half_extents: Vector3::repeat(1.0) });
    let at = |x: f64| Isometry3::translation(x, 0.0, 0.0);
    let unknown = |x: f64| matches!(touch(&cube, &at(0.0), &ball, &at(x), Points::Deepest, 0.1), BallContact::Unknown);
    assert!(unknown(0.9) && !unknown(1.1) && !unknown(5.0));
}
