//! Friction that depends on the direction of sliding, against the ellipse of its forces: closed forms, motions solved
//! anew, a skate on a slope, and what must not matter.

use crate::common::*;
use kinegraph::diagram::Diagram;
use kinegraph::integrators::{OfOptions, Options};
use kinegraph::simulate::Simulation;
use kinegraph::systems::convex::{ContactPoint, PlantPoint};
use kinegraph::systems::geometry::Shape;
use kinegraph::systems::multibody::plant::{Belt, ContactModel, ContactParameters, Hydroelastics, SurfaceMotion};
use kinegraph::systems::multibody::proximity::Proximity;
use kinegraph::systems::multibody::scene_data::{Grain, Surface};
use kinegraph::systems::multibody::{Base, Collision, JointKind, Link, Model, PlantBuilder};
use nalgebra::{Isometry3, Rotation2, Translation3, UnitQuaternion, Vector2, Vector3};

const G: f64 = 9.81;
/// Coefficient of the ground.
const GROUND: f64 = 0.6;
const STIFFNESS: f64 = 1e5;
/// Height of a block whose corners just touch.
const TOUCHES: f64 = 0.06;
/// Height at which it rests.
const RESTS: f64 = TOUCHES - G / (4.0 * STIFFNESS);

fn law() -> ContactParameters {
    contact(STIFFNESS, 10.0, GROUND)
}

/// The model with these coefficients along a direction of its links and across it.
fn with_grain(mut model: Model, along: [f64; 3], [friction, across]: [f64; 2]) -> Model {
    let grain = Some(Grain { along, across });
    let surface = Surface { friction, grain, ..plain_surface(2.0 * STIFFNESS, 10.0) };
    let shapes = model.links.iter_mut().flat_map(|link| &mut link.collisions);
    shapes.for_each(|shape| shape.surface = Some(surface));
    model
}

/// Coefficients of the pair with the ground.
fn on_ground(mu: [f64; 2]) -> Vector2<f64> {
    Vector2::from(mu).map(|mu| 2.0 * mu * GROUND / (mu + GROUND))
}

/// A block on the ground with its grain along `yaw`, thrown flat, under a pull along the ground.
fn thrown_block(yaw: f64, mu: [f64; 2], v: Vector2<f64>, spin: f64, pull: Vector2<f64>) -> Diagram {
    alone(thrown_on(yaw, mu, v, spin, pull))
}

fn thrown_on(yaw: f64, mu: [f64; 2], v: Vector2<f64>, spin: f64, pull: Vector2<f64>) -> PlantBuilder {
    let model = with_grain(block(), [2.0 * yaw.cos(), 2.0 * yaw.sin(), 0.0], mu);
    let base = thrown([0.0, 0.0, RESTS], [0.0, 0.0, spin], [v.x, v.y, 0.0]);
    PlantBuilder::new().gravity([pull.x, pull.y, -G]).ground(0.0).contact(law()).model("block", model, base)
}

/// Position and velocity after `time` of a point that is pulled and slides on an ellipse of friction with the semi-axes
/// `s` (over the weight), the first along `yaw`: of all forces of the ellipse that which takes most energy acts.
fn slid(yaw: f64, s: Vector2<f64>, v: Vector2<f64>, pull: Vector2<f64>, time: f64) -> [Vector2<f64>; 2] {
    let turn = Rotation2::new(yaw);
    let rate = |v: Vector2<f64>| {
        let u = turn.inverse() * v;
        let scaled = u.component_mul(&s);
        let along = if scaled.norm() > 0.0 { scaled.component_mul(&s) / scaled.norm() } else { Vector2::zeros() };
        pull - turn * along * G
    };
    let (mut x, mut v, steps) = (Vector2::zeros(), v, 4000);
    let h = time / f64::from(steps);
    for _ in 0..steps {
        let (a, va) = (rate(v), v);
        let (b, vb) = (rate(v + a * (0.5 * h)), v + a * (0.5 * h));
        let (c, vc) = (rate(v + b * (0.5 * h)), v + b * (0.5 * h));
        let (d, vd) = (rate(v + c * h), v + c * h);
        x += (va + vb * 2.0 + vc * 2.0 + vd) * (h / 6.0);
        v += (a + b * 2.0 + c * 2.0 + d) * (h / 6.0);
    }
    [x, v]
}

#[test]
fn a_block_stops_by_the_coefficient_of_the_direction_in_which_it_slides() {
    let (mu, speed) = ([0.8, 0.1], 1.0);
    let s = on_ground(mu);
    for accuracy in [1e-2, 1e-3, 1e-4] {
        for (yaw, coefficient) in [(0.0, s[0]), (90_f64.to_radians(), s[1])] {
            let diagram = thrown_block(yaw, mu, Vector2::new(speed, 0.0), 0.0, Vector2::zeros());
            let mut simulation = run(&diagram, cenic(accuracy), 1.0);
            let way = position(&mut simulation, "block").xy();
            let expected = speed * speed / (2.0 * coefficient * G);
            assert!((way - Vector2::new(expected, 0.0)).norm() < 2.0 * accuracy, "{way}, not {expected} at {accuracy}");
        }
    }
}

/// The block does not follow its velocity: with `r = s2/s1` in its axes, `v2/v1^(r²)` stays.
#[test]
fn a_block_that_slides_obliquely_is_slowed_by_the_force_of_the_ellipse_that_takes_most_energy() {
    let mu = [0.5, 0.2];
    let s = on_ground(mu);
    for (yaw, heading) in [(0.0, 0.6), (0.4, 1.2), (-1.1, 2.5)] {
        let v0 = Rotation2::new(heading) * Vector2::new(1.5, 0.0);
        for accuracy in [1e-3, 1e-5] {
            let mut simulation = run(&thrown_block(yaw, mu, v0, 0.0, Vector2::zeros()), cenic(accuracy), 0.3);
            let (x, v) = (position(&mut simulation, "block").xy(), velocity(&mut simulation, "block").1.xy());
            let [to, at] = slid(yaw, s, v0, Vector2::zeros(), 0.3);
            assert!((x - to).norm() < accuracy && (v - at).norm() < 20.0 * accuracy, "{x} {to} {v} {at}, {accuracy}");
            let kept = |v: Vector2<f64>| {
                let u = Rotation2::new(-yaw) * v;
                u[0].abs().powf((s[1] / s[0]).powi(2)) / u[1].abs()
            };
            assert!((kept(v) / kept(v0) - 1.0).abs() < 40.0 * accuracy, "{} {}", kept(v), kept(v0));
        }
        // What is reported: the force of the ellipse, against the velocity of sliding, all of the friction there is.
        let simulation = run(&thrown_block(yaw, mu, v0, 0.0, Vector2::zeros()), cenic(1e-7), 0.2);
        let results = simulation.contact_results("plant").unwrap();
        let [_, at] = slid(yaw, s, v0, Vector2::zeros(), 0.2);
        let u = Rotation2::new(-yaw) * at;
        let scaled = u.component_mul(&s);
        let expected = Rotation2::new(yaw) * scaled.component_mul(&s) * (-G / scaled.norm());
        let [fx, fy, _] = results.force_on("block/body");
        assert!((Vector2::new(fx, fy) - expected).norm() < 1e-3 * expected.norm(), "{fx} {fy}, not {expected}");
        for contact in results.contacts {
            assert!((Vector3::from(contact.slip_velocity).xy() - at).norm() < 1e-4, "{contact:?}, not {at}");
        }
        assert!(results.patches().iter().all(|patch| (patch.utilization - 1.0).abs() < 1e-3));
    }
}

/// On a slope a block of two coefficients drifts to the side of less friction; below both it creeps no faster than the
/// stiction tolerance allows.
#[test]
fn a_block_on_a_slope_drifts_to_the_side_of_less_friction() {
    let mu = [0.1, 2.0];
    let s = on_ground(mu);
    for yaw in [0.3, 1.0] {
        let pull = Vector2::new(0.6 * G, 0.0);
        for accuracy in [1e-3, 1e-4] {
            let diagram = thrown_block(yaw, mu, Vector2::new(0.1, 0.1), 0.0, pull);
            let mut simulation = run(&diagram, cenic(accuracy), 0.5);
            let (x, v) = (position(&mut simulation, "block").xy(), velocity(&mut simulation, "block").1.xy());
            let [to, at] = slid(yaw, s, Vector2::new(0.1, 0.1), pull, 0.5);
            assert!((x - to).norm() < 4.0 * accuracy && (v - at).norm() < 20.0 * accuracy, "{x} {to} {v} {at}");
            assert!(x.y > 0.05, "aside: {x}");
        }
        // Under 0.7 of what holds along either axis.
        for axis in 0..2 {
            let along = Rotation2::new(yaw) * Vector2::ith(axis, 0.7 * s[axis] * G);
            let mut simulation = run(&thrown_block(yaw, mu, Vector2::zeros(), 0.0, along), cenic(1e-4), 1.0);
            let creep = velocity(&mut simulation, "block").1.norm();
            assert!(creep > 1e-6 && creep < 1.01e-4, "{creep} along {axis}");
        }
    }
}

/// Any directions, coefficients and pulls, against the equation of the point.
#[test]
fn blocks_that_slide_in_any_direction_go_the_ways_of_points_under_the_force_of_the_ellipse() {
    let (mut r, mut all) = (Random(5), [Vec::new(), Vec::new()]);
    for _ in 0..40 {
        let mu = [r.log(0.05, 1.0), r.log(0.05, 1.0)];
        let (yaw, heading, speed) = (r.between(-3.0, 3.0), r.between(-3.0, 3.0), r.between(0.5, 2.0));
        let v0 = Rotation2::new(heading) * Vector2::new(speed, 0.0);
        let pull = Vector2::new(r.between(-2.0, 2.0), r.between(-2.0, 2.0));
        let [to, _] = slid(yaw, on_ground(mu), v0, pull, 0.4);
        for (accuracy, off) in [1e-3, 1e-5].into_iter().zip(&mut all) {
            let mut simulation = run(&thrown_block(yaw, mu, v0, 0.0, pull), cenic(accuracy), 0.4);
            off.push((position(&mut simulation, "block").xy() - to).norm());
        }
    }
    // What has stopped creeps.
    for (accuracy, mut off) in [1e-3, 1e-5].into_iter().zip(all) {
        off.sort_by(f64::total_cmp);
        assert!(off[20] < accuracy && off[39] < accuracy + 1e-4, "at {accuracy}: {off:?}");
    }
}

/// Ground that moves as a belt, with all on it: what slides on it moves against it as on ground at rest.
#[test]
fn on_a_belt_counts_the_velocity_against_it() {
    let (mu, v, pull) = ([0.5, 0.1], Vector2::new(0.8, 0.5), Vector2::new(0.3, -0.4));
    for belt in [[0.7, 0.0], [-0.4, 0.9]].map(Vector2::from) {
        let line = |speed| Belt {
            name: "line".into(),
            link: "ground".into(),
            motion: SurfaceMotion::Along([belt.x / belt.norm(), belt.y / belt.norm(), 0.0]),
            speed,
        };
        let end = |v, speed| {
            let plant = thrown_on(0.4, mu, v, 3.0, pull).belt(line(speed));
            position(&mut run(&alone(plant), cenic(1e-6), 0.4), "block").xy()
        };
        let off = (end(v + belt, belt.norm()) - belt * 0.4 - end(v, 0.0)).norm();
        assert!(off < 1e-5, "{off} on {belt}");
    }
}

/// A skate that turns evenly, on rails that leave it free along the ground; the pull of gravity along x.
fn skate(mu: [f64; 2], turning: f64, pull: f64) -> Diagram {
    let light = |name: &str| link(name, 1e-3, [0.0; 3]);
    let mut runner = link("runner", 1.0, [0.0; 3]);
    runner.collisions = vec![Collision {
        name: String::new(),
        X_BG: Isometry3::identity(),
        shape: Shape::Sphere { radius: 0.05 },
        surface: None,
    }];
    let model = Model {
        name: "skate".into(),
        links: vec![Link { name: "base".into(), ..Link::default() }, light("a"), light("b"), light("c"), runner],
        joints: vec![
            joint("x", JointKind::Prismatic, "base", "a", Vector3::x()),
            joint("y", JointKind::Prismatic, "a", "b", Vector3::y()),
            joint("z", JointKind::Prismatic, "b", "c", Vector3::z()),
            joint("yaw", JointKind::Continuous, "c", "runner", Vector3::z()),
        ],
        ..Model::default()
    };
    let plant = PlantBuilder::new().gravity([pull, 0.0, -G]).ground(0.0).contact(law());
    let plant = plant.model("skate", with_grain(model, [1.0, 0.0, 0.0], mu), Base::fixed());
    let plant = plant.initial("skate/z", 0.05 - 1.003 * G / STIFFNESS, 0.0).initial("skate/yaw", 0.0, turning);
    alone(plant)
}

fn place(simulation: &mut Simulation) -> Vector2<f64> {
    let mut get = |axis: &str| simulation.channel(&format!("plant.skate.{axis}")).unwrap();
    Vector2::new(get("x"), get("y"))
}

/// A blade that cannot slip aside, and turns at ω on a slope with the pull a, does not go down but aside: its speed is
/// `(a/ω) sin ωt`, its way `x = a/(2ω²) sin² ωt`, `y = a/(2ω²) (ωt - sin 2ωt / 2)`.
#[test]
fn a_turning_skate_goes_across_the_slope() {
    let (pull, turning, time) = (1.5_f64, 3.0_f64, 2.0);
    // The light rails take part of the pull along, not of the forces aside.
    let expected = |t: f64| {
        let (scale, angle) = (pull / (2.0 * turning * turning), turning * t);
        Vector2::new(angle.sin().powi(2), angle - 0.5 * (2.0 * angle).sin()) * scale
    };
    for (options, allowed) in [(cenic(1e-3), 4e-3), (cenic(1e-4), 2e-3), (icf(1e-3), 8e-3)] {
        let mut simulation = run(&skate([0.0, 50.0], turning, pull), options, time);
        let at = place(&mut simulation);
        assert!((at - expected(time)).norm() < allowed, "{at}, not {}, {options:?}", expected(time));
    }
}

/// Scenes with random grains, speeds and slopes.
fn family() -> impl Iterator<Item = Diagram> {
    let mut r = Random(11);
    (0..8).map(move |_| {
        let mu = [r.log(0.05, 1.0), r.log(0.05, 1.0)];
        let v = Vector2::new(r.between(-1.0, 1.0), r.between(-1.0, 1.0));
        let pull = Vector2::new(r.between(-0.5, 0.5), r.between(-0.5, 0.5));
        thrown_block(r.between(-3.0, 3.0), mu, v, r.between(-5.0, 5.0), pull)
    })
}

#[test]
fn blocks_that_slide_and_spin_end_within_the_accuracy_of_a_tight_run() {
    for (i, diagram) in family().enumerate() {
        let end = |accuracy: f64| position(&mut run(&diagram, cenic(accuracy), 0.5), "block");
        let tight = end(1e-7);
        for accuracy in [1e-2, 1e-3, 1e-4] {
            let off = (end(accuracy) - tight).norm() / accuracy;
            assert!(off < 3.0, "scene {i}: {off} accuracies at {accuracy}");
        }
    }
}

#[test]
fn no_step_gains_energy() {
    for (i, diagram) in family().enumerate() {
        for options in [cenic(1e-2), cenic(1e-4), icf(1e-2)] {
            let mut simulation = Simulation::new(&diagram, options).unwrap();
            let mut last = simulation.energy().unwrap();
            for k in 1..=50 {
                simulation.advance_to(0.01 * f64::from(k)).unwrap();
                let energy = simulation.energy().unwrap();
                assert!(energy < last + 1e-5, "scene {i}: {last} J grew to {energy} J, {options:?}");
                last = energy;
            }
        }
    }
}

/// A grain of equal coefficients is none.
#[test]
fn equal_coefficients_are_those_of_plain_friction() {
    let mut ends = [None, Some([0.3, 0.3])].map(|mu| {
        let mut model = with_grain(block(), [1.0, 0.4, 0.2], mu.unwrap_or([0.3, 0.3]));
        if mu.is_none() {
            let shapes = model.links[0].collisions.iter_mut();
            shapes.filter_map(|shape| shape.surface.as_mut()).for_each(|surface| surface.grain = None);
        }
        let base = thrown([0.0, 0.0, RESTS], [0.0, 0.0, 3.0], [1.0, 0.5, 0.0]);
        let plant = PlantBuilder::new().ground(0.0).contact(law()).model("block", model, base);
        run(&alone(plant), cenic(1e-4), 0.5).state().continuous.clone()
    });
    let [plain, alike] = &mut ends;
    for (a, b) in plain.iter().zip(alike) {
        assert!((a - *b).abs() < 1e-10, "{a} {b}");
    }
}

/// The world turned as a whole: the motion turns with it.
#[test]
fn a_turned_world_moves_the_same_way() {
    let end = |X: UnitQuaternion<f64>| {
        let turned = Isometry3::from_parts(Translation3::identity(), X);
        let mut plate = cuboid(1.0, [3.0, 3.0, 0.1]);
        plate.links[0].inertia = None;
        plate.links[0].collisions[0].X_BG = Isometry3::translation(0.0, 0.0, -0.1);
        let model = with_grain(block(), [1.0, 0.3, 0.1], [0.6, 0.1]);
        let base = Base::Floating {
            X_WR: turned * Isometry3::translation(0.0, 0.0, RESTS),
            w_WR: X * Vector3::new(0.0, 0.0, 4.0),
            v_WR: X * Vector3::new(1.0, 0.4, 0.0),
        };
        let plant = PlantBuilder::new().gravity((X * Vector3::new(0.5, 0.0, -G)).into()).contact(law());
        let plant = plant.model("plate", plate, Base::Fixed { X_WR: turned }).model("block", model, base);
        X.inverse() * position(&mut run(&alone(plant), cenic(1e-5), 0.5), "block")
    };
    let straight = end(UnitQuaternion::identity());
    assert!(straight.xy().norm() > 0.1);
    for (roll, pitch, yaw) in [(0.0, 0.0, 1.0), (0.7, -0.4, 2.0), (3.0, 1.0, 0.2)] {
        let off = (end(UnitQuaternion::from_euler_angles(roll, pitch, yaw)) - straight).norm();
        assert!(off < 1e-5, "{off}");
    }
}

/// Contact of a box with the ground or with a box under it, whose grains are along these directions.
fn touching(above: [f64; 3], below: Option<[f64; 3]>) -> ContactPoint {
    let upper = with_grain(cuboid(1.0, [0.1; 3]), above, [0.2, 0.8]);
    let plant = PlantBuilder::new().contact(law());
    let (plant, q) = match below {
        None => (plant.ground(0.0).model("a", upper, at(0.0, 0.0, 0.0999)), vec![1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0999]),
        Some(below) => {
            let lower = with_grain(cuboid(1.0, [0.2; 3]), below, [0.1, 0.5]);
            let plant = plant.model("b", lower, at(0.0, 0.0, 0.0)).model("a", upper, at(0.0, 0.0, 0.2999));
            (plant, [[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.2999]].concat())
        }
    };
    let plant = plant.build().unwrap();
    let v = vec![0.0; 6 * q.len() / 7];
    PlantPoint::touching(&plant, &q, &v).contacts[0]
}

/// Coefficient in the direction at the angle `angle` about z, as the friction of a pair: the norm of its tensor.
fn coefficient(point: &ContactPoint, angle: f64) -> f64 {
    let (d, grain) = (Vector3::new(angle.cos(), angle.sin(), 0.0), Vector3::from(point.grain));
    (d - grain * grain.dot(&d)).dot(&d) * point.dynamic_friction
}

#[test]
fn coefficients_of_a_pair_are_combined_direction_by_direction() {
    let mean = |mu: f64| 2.0 * mu * GROUND / (mu + GROUND);
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
    let right = 90_f64.to_radians();
    // Against plain ground: harmonic means along both axes.
    let point = touching([0.0, 3.0, 0.0], None);
    close(coefficient(&point, right), mean(0.2));
    close(coefficient(&point, 0.0), mean(0.8));
    // A grain along the normal is none; one that leans counts by the square of the cosine.
    let upright = touching([0.0, 0.0, -1.0], None);
    assert_eq!(upright.grain, [0.0; 3]);
    close(upright.dynamic_friction, mean(0.8));
    let leaning = touching([1.0, 0.0, 1.0], None);
    close(coefficient(&leaning, 0.0), mean(0.5));
    close(coefficient(&leaning, right), mean(0.8));
    // Of two that state one the larger counts, along axes that both share.
    let crossed = touching([1.0, 0.0, 0.0], Some([0.0, 1.0, 0.0]));
    close(coefficient(&crossed, 0.0), 0.5);
    close(coefficient(&crossed, right), 0.8);
    let alike = touching([1.0, 0.0, 0.0], Some([1.0, 0.0, 0.0]));
    close(coefficient(&alike, 0.0), 0.2);
    close(coefficient(&alike, right), 0.8);
    // Along any others it is at least that of each.
    let oblique = touching([1.0, 0.0, 0.0], Some([1.0, 1.0, 0.0]));
    for angle in (0..36).map(|k| 10.0 * f64::from(k)).map(f64::to_radians) {
        let of = |[along, across]: [f64; 2], axis: f64| across + (along - across) * (angle - axis).cos().powi(2);
        let least = of([0.2, 0.8], 0.0).max(of([0.1, 0.5], 45_f64.to_radians()));
        assert!(coefficient(&oblique, angle) > least - 1e-12, "{angle}: {} {least}", coefficient(&oblique, angle));
    }
}

/// A flat box that touches with an area, by its pressure field or its volume.
#[test]
fn areas_have_a_grain_as_points_have() {
    let (mu, v0, yaw) = ([0.5, 0.2], Vector2::new(1.2, 0.5), 0.4_f64);
    let [to, _] = slid(yaw, on_ground(mu), v0, Vector2::zeros(), 0.25);
    for (model, options, allowed) in [
        (ContactModel::Hydroelastic, cenic(1e-4), 5e-4),
        (ContactModel::Volume, cenic(1e-4), 5e-4),
        (ContactModel::Volume, Options::volume(1e-3), 5e-3),
    ] {
        let hydroelastics = Hydroelastics { model, bodies: Proximity::compliant(1e6), ..Hydroelastics::default() };
        let flat = with_grain(cuboid(1.0, [0.2, 0.15, 0.01]), [yaw.cos(), yaw.sin(), 0.0], mu);
        let base = thrown([0.0, 0.0, 0.01], [0.0; 3], [v0.x, v0.y, 0.0]);
        let plant = PlantBuilder::new().ground(0.0).contact(law()).hydroelastics(hydroelastics);
        let mut simulation = run(&alone(plant.model("block", flat, base)), options, 0.25);
        let way = position(&mut simulation, "block").xy();
        assert!((way - to).norm() < allowed, "{model:?}: {way}, not {to}");
    }
}
