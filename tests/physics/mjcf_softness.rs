//! Soft couplings and dry friction of MJCF files against MuJoCo 4.0.0.

use crate::common::*;
use crate::mjcf_plants::*;
use kinegraph::integrators::{OfOptions, Options};

/// Three arms on hinges of their own, with couplings between them.
fn arms(held: &str) -> String {
    let arm = |name: &str, length: f64, density: f64| {
        format!(
            r#"<body name="{name}"><joint name="{name}" axis="0 1 0" damping="20"/><geom type="capsule"
fromto="0 0 0 {length} 0 0" size="0.05" density="{density}" contype="0"/></body>"#
        )
    };
    let arms = [arm("a", 1.0, 1000.0), arm("b", 0.5, 500.0), arm("c", 0.7, 700.0)].concat();
    let tendons = r#"<fixed name="s"><joint joint="a" coef="1"/><joint joint="b" coef="2"/></fixed>
<fixed name="t"><joint joint="c" coef="1.5"/></fixed>"#;
    let held = held.replace("SOFT", r#"solref=".2 1" solimp=".9 .9 .001""#);
    format!(r#"<mujoco><worldbody>{arms}</worldbody><tendon>{tendons}</tendon><equality>{held}</equality></mujoco>"#)
}

/// Positions of rest of arms under soft couplings: MuJoCo after 6 s of steps of 1e-4 s.
#[test]
fn couplings_of_joints_and_tendons_yield_under_load() {
    let alone = r#"<joint joint1="c" SOFT/>"#;
    for (held, expected) in [
        (r#"<joint joint1="a" SOFT/><joint joint1="b" SOFT/>"#, [0.056684521, 0.108318055, 0.079488663]),
        (r#"<joint joint1="a" joint2="b" polycoef=".1 -2 0 0 0" SOFT/>"#, [1.519369947, -0.687137427, 0.079488663]),
        (r#"<joint joint1="a" joint2="b" polycoef=".1 -2 .3 .1 0" SOFT/>"#, [1.523743955, -0.64256996, 0.079488663]),
        (
            r#"<tendon tendon1="s" tendon2="t" polycoef="0 -1 0 0 0" SOFT/><joint joint1="b" SOFT/>"#,
            [1.349146016, -0.255326398, 0.005075851],
        ),
        (r#"<tendon tendon1="s" SOFT/><joint joint1="b" SOFT/>"#, [1.335311761, -0.278101361, 0.079488663]),
    ] {
        let q = end(&diagram(&arms(&format!("{held}{alone}")), &[]), cenic(1e-5), 6.0);
        for (found, expected) in q.iter().zip(expected) {
            assert!((found - expected).abs() < 3e-4, "{held}: {:?} for {expected:?}", &q[..3]);
        }
    }
    // As the format's defaults say, and by a stiffness of its own.
    let held = r#"<joint joint1="a" joint2="b" polycoef="0 -2 0 0 0"/><joint joint1="c" solref="-300 -50"/>"#;
    let q = end(&diagram(&arms(held), &[]), cenic(1e-5), 6.0);
    for (found, expected) in q.iter().zip([1.522687283, -0.76115025, 0.003322502]) {
        assert!((found - expected).abs() < 3e-4, "{:?}", &q[..3]);
    }
}

/// Friction with stated softness creeps as in MuJoCo, by `(1 - d)/(d b)` per held acceleration with the damping b per
/// unit of inertia (`2/(d₁ T)` or as stated); beyond its limit it is ordinary friction. Friction without a statement
/// holds.
#[test]
fn stated_friction_creeps() {
    let inertia = r#"<inertial pos="0 0 0" mass="2" diaginertia=".5 .5 .5"/>"#;
    let hinge = |attributes: &str, load: f64| {
        format!(
            r#"<mujoco><option gravity="0 0 0"/><worldbody><body><joint name="j" frictionloss="10" {attributes}/>{inertia}
</body></worldbody><actuator><general joint="j" biastype="affine" biasprm="{load} 0 0"/></actuator></mujoco>"#
        )
    };
    let ball = |attributes: &str, load: f64| {
        let gear = format!(r#"joint="j" gear="0 {load} 0" biastype="affine" biasprm="1 0 0""#);
        let text = hinge(attributes, load).replace(r#"name="j" "#, r#"name="j" type="ball" "#);
        text.replace(&format!(r#"joint="j" biastype="affine" biasprm="{load} 0 0""#), &gear)
    };
    let tendon = |attributes: &str, load: f64| {
        let slide = |name: &str, mass: f64| {
            format!(
                r#"<body><joint name="{name}" type="slide" axis="1 0 0"/>
<inertial pos="0 0 0" mass="{mass}" diaginertia="1 1 1"/></body>"#
            )
        };
        format!(
            r#"<mujoco><option gravity="0 0 0"/><worldbody>{}{}</worldbody><tendon><fixed name="t" frictionloss="10"
{attributes}><joint joint="a" coef="1"/><joint joint="b" coef="2"/></fixed></tendon>
<actuator><general tendon="t" biastype="affine" biasprm="{load} 0 0"/></actuator></mujoco>"#,
            slide("a", 2.0),
            slide("b", 3.0)
        )
    };
    let rates = |text: String, options: Options, n: usize| {
        let state = end(&diagram(&text, &[]), options, 1.0);
        state[state.len() - n..].to_vec()
    };
    for (attributes, creep) in [
        (r#"solreffriction=".1 1" solimpfriction=".8 .9 .001""#, 0.01125),
        (r#"solreffriction="-1 -20""#, 5.277778e-3),
        (r#"solreffriction=".02 1""#, 1.055556e-3),
    ] {
        for options in [cenic(1e-4), icf(1e-3), Options::cenic_trapezoid(1e-4)] {
            let near = |found: f64, expected: f64| {
                assert!(
                    (found - expected).abs() < 1e-3 * expected,
                    "{attributes}, {options:?}: {found} for {expected}"
                );
            };
            // 5 N m hold 10 rad/s².
            near(rates(hinge(attributes, 5.0), options, 1)[0], 10.0 * creep);
            near(rates(ball(attributes, 5.0), options, 3)[1], 10.0 * creep);
            // l̇ = ȧ + 2 ḃ, of which the force makes (1/2 + 4/3) times its size.
            let v = rates(tendon(attributes, 5.0), options, 2);
            near(v[0] + 2.0 * v[1], 5.0 * (0.5 + 4.0 / 3.0) * creep);
        }
    }
    for text in [hinge("", 5.0), ball("", 5.0), tendon("", 5.0)] {
        assert!(rates(text, cenic(1e-4), 1)[0].abs() < 1e-5);
    }
    // Beyond the limit: (20 - 10) N m on 0.5 kg m².
    let v = rates(hinge(r#"solreffriction=".02 1""#, 20.0), cenic(1e-5), 1)[0];
    assert!((v - 20.0).abs() < 0.01, "{v}");
}
