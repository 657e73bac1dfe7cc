//! Poles and matrices with closed forms.

use super::scenes::{self, G, PENDULUM};
use kinegraph_diagram::{Diagram, DiagramBuilder, State};
use kinegraph_engine::linearize::state_space::linearize;
use kinegraph_engine::linearize::{LinearModel, LinearizeFault, LinearizePorts};
use kinegraph_geometry::Shape;
use kinegraph_multibody::{Base, Collision, JointKind, Model, PlantBuilder};
use kinegraph_systems::control::Pid;
use kinegraph_systems::operators::{Adder, Gain, Integrator};
use nalgebra::Complex;
use std::f64::consts::PI;

fn ports(inputs: &[&str], cuts: &[&str], outputs: &[&str]) -> LinearizePorts {
    let owned = |paths: &[&str]| paths.iter().map(|path| path.to_string()).collect();
    LinearizePorts { inputs: owned(inputs), cuts: owned(cuts), outputs: owned(outputs) }
}

fn assert_poles(model: &LinearModel, expected: &[(f64, f64)], tolerance: f64) {
    let mut poles = model.poles().expect("convergence");
    for &(re, im) in expected {
        let near = |p: &Complex<f64>| (p - Complex::new(re, im)).norm();
        let best = (0..poles.len()).min_by(|&a, &b| near(&poles[a]).total_cmp(&near(&poles[b]))).expect("a pole");
        assert!(near(&poles[best]) < tolerance, "no pole near {re} + {im} i: {poles:?}");
        poles.swap_remove(best);
    }
    assert!(poles.is_empty(), "{poles:?}");
}

fn pendulum(damping: f64) -> Diagram {
    let mut b = DiagramBuilder::new("pendulum");
    b.add("plant", scenes::plant("p", scenes::pendulum(damping, f64::INFINITY)));
    b.build().unwrap()
}

fn at(diagram: &Diagram, continuous: &[f64]) -> State {
    State { continuous: continuous.to_vec(), ..diagram.initial_state() }
}

#[test]
fn a_pendulum_swings_below_and_falls_above() {
    let (inertia, moment) = PENDULUM;
    let w = (moment / inertia).sqrt();
    let diagram = pendulum(0.0);
    let all = ports(&["plant.p.actuation"], &[], &["plant.p.state"]);
    let down = linearize(&diagram, &at(&diagram, &[0.0, 0.0]), &all).unwrap();
    assert_poles(&down, &[(0.0, w), (0.0, -w)], 1e-12);
    let up = linearize(&diagram, &at(&diagram, &[PI, 0.0]), &all).unwrap();
    assert_poles(&up, &[(w, 0.0), (-w, 0.0)], 1e-12);
    assert!(up.b[0] == 0.0 && (up.b[1] - 1.0 / inertia).abs() < 1e-13);
    assert_eq!((up.c.as_slice(), up.d.as_slice()), (&[1.0, 0.0, 0.0, 1.0][..], &[0.0, 0.0][..]));
    assert_eq!(up.state_names, ["plant.p.hinge.q", "plant.p.hinge.v"]);
    assert_eq!((up.input_names.as_slice(), &up.output_names), (&["plant.p.actuation".to_owned()][..], &up.state_names));
    // With damping d: s² + d/I s + w² = 0.
    let (diagram, d) = (pendulum(0.6), 0.6 / inertia);
    let damped = linearize(&diagram, &at(&diagram, &[0.0, 0.0]), &all).unwrap();
    let im = (w * w - d * d / 4.0).sqrt();
    assert_poles(&damped, &[(-d / 2.0, im), (-d / 2.0, -im)], 1e-12);
}

#[test]
fn a_cart_pole_has_its_textbook_matrices() {
    let (M, m, l) = (2.0, 0.3, 0.7);
    let mut b = DiagramBuilder::new("cart_pole");
    b.add("plant", scenes::plant("c", scenes::cart_pole(M, m, l)));
    let diagram = b.build().unwrap();
    let all = ports(&["plant.c.actuation"], &[], &[]);
    // Upright: about y, a positive angle leans the pole (which hangs at zero) so that ẍ and θ̈ couple with opposite
    // signs.
    let up = linearize(&diagram, &at(&diagram, &[0.4, PI, 0.0, 0.0]), &all).unwrap();
    let w2 = (M + m) * G / (M * l);
    assert_poles(&up, &[(0.0, 0.0), (0.0, 0.0), (w2.sqrt(), 0.0), (-w2.sqrt(), 0.0)], 1e-7);
    assert!((up.a[(3, 1)] - w2).abs() < 1e-11 && (up.a[(2, 1)].abs() - m * G / M).abs() < 1e-11);
    // The force on the cart: ẍ = F / M, θ̈ = F / (M l) in size.
    assert!((up.b[(2, 0)] - 1.0 / M).abs() < 1e-13 && (up.b[(3, 0)].abs() - 1.0 / (M * l)).abs() < 1e-13);
    assert_eq!(up.input_names, ["plant.c.actuation[0]", "plant.c.actuation[1]"]);
}

/// A joint of inertia one without gravity under PID control.
fn servo(kp: f64, ki: f64, kd: f64) -> Diagram {
    let mut b = DiagramBuilder::new("servo");
    let mut model = scenes::pendulum(0.0, f64::INFINITY);
    let inertia = model.links[1].inertia.as_mut().unwrap();
    inertia.p_BoBcm.z = 0.0;
    inertia.I_BBcm = nalgebra::Matrix3::identity();
    let plant = b.add("plant", PlantBuilder::new().model("p", model, Base::fixed()).build().unwrap());
    let pid = b.add("pid", Pid::new(1, kp, ki, kd).unwrap());
    b.connect(plant.state("p"), pid.measured);
    b.fix(pid.desired, [0.0, 0.0]);
    b.connect(pid.effort, plant.actuation("p"));
    b.build().unwrap()
}

#[test]
fn a_controlled_joint_has_the_closed_loop_poles() {
    // (s + 2)(s + 3)(s + 5) = s³ + 10 s² + 31 s + 30.
    let diagram = servo(31.0, 30.0, 10.0);
    let state = diagram.initial_state();
    let closed = linearize(&diagram, &state, &ports(&["pid.desired"], &[], &["plant.p.hinge.q"])).unwrap();
    assert_poles(&closed, &[(-2.0, 0.0), (-3.0, 0.0), (-5.0, 0.0)], 1e-10);
    // At rest the position follows the setpoint: -C A⁻¹ B = 1.
    let gain = -(&closed.c * closed.a.clone().try_inverse().unwrap() * &closed.b + &closed.d * 0.0)[(0, 0)];
    assert!((gain - 1.0).abs() < 1e-12);
    // A disturbance of the torque leaves the loop closed, and the integral removes it.
    let disturbed = linearize(&diagram, &state, &ports(&["plant.p.actuation"], &[], &["plant.p.hinge.q"])).unwrap();
    assert_eq!(disturbed.a, closed.a);
    assert!((disturbed.b[(1, 0)] - 1.0).abs() < 1e-14);
    // Cut off, the joint is a double integrator and the controller's loop gain is PID(s) / s².
    let open = linearize(&diagram, &state, &ports(&[], &["plant.p.actuation"], &["pid.effort"])).unwrap();
    // A double pole moves with the square root of rounding.
    assert_poles(&open, &[(0.0, 0.0); 3], 1e-7);
    let s = Complex::new(0.0, 2.0);
    let a = open.a.map(|x| Complex::new(-x, 0.0)) + nalgebra::DMatrix::identity(3, 3) * s;
    let transfer = (open.c.map(Complex::from) * a.try_inverse().unwrap() * open.b.map(Complex::from))[(0, 0)];
    let expected = -(Complex::from(31.0) + 30.0 / s + 10.0 * s) / (s * s);
    assert!((transfer - expected).norm() < 1e-12, "{transfer} {expected}");
}

#[test]
fn an_rc_ladder_has_its_sine_poles() {
    // V̇_k = (V_{k-1} - 2 V_k + V_{k+1}) / RC, both ends grounded: -4 sin²(k π / (2 (n + 1))) / RC.
    let (n, rc) = (9, 0.5);
    let mut b = DiagramBuilder::new("ladder");
    let v: Vec<_> = (0..n).map(|k| b.add(format!("v{k}"), Integrator::new([0.0]).unwrap())).collect();
    for k in 0..n {
        let current = b.add(format!("i{k}"), Adder::new(1, [1.0, -2.0, 1.0]).unwrap());
        let gain = b.add(format!("g{k}"), Gain::new(1, 1.0 / rc).unwrap());
        b.connect(v[k].output, current.inputs[1]);
        for (input, neighbour) in [(0, k.checked_sub(1)), (2, Some(k + 1).filter(|&k| k < n))] {
            match neighbour {
                Some(neighbour) => b.connect(v[neighbour].output, current.inputs[input]),
                None => b.fix(current.inputs[input], [0.0]),
            }
        }
        b.connect(current.output, gain.input);
        b.connect(gain.output, v[k].input);
    }
    let diagram = b.build().unwrap();
    let model = linearize(&diagram, &diagram.initial_state(), &ports(&["i0.input0"], &[], &["v8.output", "i0.output"]))
        .unwrap();
    let sine2 = |k: usize| (k as f64 * PI / (2.0 * (n + 1) as f64)).sin().powi(2);
    let expected: Vec<(f64, f64)> = (1..=n).map(|k| (-4.0 * sine2(k) / rc, 0.0)).collect();
    assert_poles(&model, &expected, 1e-11);
    assert_eq!((model.b[(0, 0)], model.b.sum(), model.d.as_slice()), (2.0, 2.0, &[0.0, 1.0][..]));
}

/// x' = 2 u, y' = 3 u, with both inputs exported under one name: one input of the linearization, however it is driven.
#[test]
fn inputs_that_are_exported_together_are_one_input() {
    let inner = || {
        let mut b = DiagramBuilder::new("inner");
        for (name, state, factor) in [("a", "x", 2.0), ("c", "y", 3.0)] {
            let gain = b.add(name, Gain::new(1, factor).unwrap());
            let integrator = b.add(state, Integrator::new([0.0]).unwrap());
            b.connect(gain.output, integrator.input);
            b.export_input("u", gain.input);
        }
        b
    };
    let mut b = DiagramBuilder::new("wired");
    let u = b.add_diagram("inner", inner());
    let source = b.add("source", Integrator::new([4.0]).unwrap());
    b.fix(source.input, [0.0]);
    b.connect(source.output, u.input("u"));
    let wired = b.build().unwrap();
    let mut b = DiagramBuilder::new("fixed");
    let u = b.add_diagram("inner", inner());
    b.fix(u.input("u"), [4.0]);
    let fixed = b.build().unwrap();
    for (diagram, inputs, cuts) in
        [(&wired, &["inner.u"][..], &[][..]), (&wired, &[], &["inner.u"]), (&fixed, &["inner.u"], &[])]
    {
        let model = linearize(diagram, &diagram.initial_state(), &ports(inputs, cuts, &["inner/x.output"])).unwrap();
        assert_eq!(model.input_names, ["inner.u"]);
        let of = |matrix: &nalgebra::DMatrix<f64>, state: &str| {
            let row = model.state_names.iter().position(|name| name.starts_with(state)).unwrap();
            matrix.row(row).iter().copied().collect::<Vec<_>>()
        };
        assert_eq!((of(&model.b, "inner/x"), of(&model.b, "inner/y")), (vec![2.0], vec![3.0]));
        // The operating point is the same: the source still drives it, or its value does.
        let rates: Vec<f64> = model.rates.iter().copied().filter(|rate| *rate != 0.0).collect();
        assert_eq!(rates, [8.0, 12.0]);
        // Only states that are not cut off depend on the source.
        let source_counts = model.a.iter().any(|a| *a != 0.0);
        assert_eq!(source_counts, !inputs.is_empty() && diagram.name() == "wired");
    }
}

#[test]
fn contact_stops_and_unknown_ports_are_refused() {
    let diagram = pendulum(0.0);
    let faults = linearize(
        &diagram,
        &diagram.initial_state(),
        &ports(
            &["plant.p.actuatoin", "plant.p.actuation"],
            &["plant.p.actuation", "plant.p.applied_generalized_force"],
            &["plant.q"],
        ),
    )
    .unwrap_err();
    assert_eq!(faults.0.len(), 4, "{faults}");
    let text = faults.to_string();
    for expected in ["did you mean `p.actuation`", "asked for twice", "cannot be cut off", "`plant.q`"] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let mut model = scenes::pendulum(0.0, f64::INFINITY);
    model.joints[0].kind = JointKind::Revolute;
    model.joints[0].limits = (-0.5, 0.5);
    let mut b = DiagramBuilder::new("stopped");
    b.add("plant", scenes::plant("p", model));
    let diagram = b.build().unwrap();
    let fault = linearize(&diagram, &at(&diagram, &[0.6, 0.0]), &LinearizePorts::default()).unwrap_err();
    assert!(matches!(&fault.0[..], [LinearizeFault::BeyondStop { value, .. }] if *value == 0.6));
    assert!(linearize(&diagram, &at(&diagram, &[0.4, 0.0]), &LinearizePorts::default()).is_ok());
}

#[test]
fn a_ball_above_the_ground_falls_and_one_on_it_is_carried() {
    let mut link = scenes::link("ball", 1.0, 0.0, 0.1);
    let X_BG = nalgebra::Isometry3::identity();
    link.collisions.push(Collision { name: String::new(), X_BG, shape: Shape::Sphere { radius: 0.1 }, surface: None });
    let model = Model { links: vec![link], ..Model::default() };
    let (w_WR, v_WR) = Default::default();
    let base = Base::Floating { X_WR: nalgebra::Isometry3::translation(0.0, 0.0, 0.2), w_WR, v_WR };
    let mut b = DiagramBuilder::new("ball");
    b.add("plant", PlantBuilder::new().ground(0.0).model("p", model, base).build().unwrap());
    let diagram = b.build().unwrap();
    let mut state = diagram.initial_state();
    let falling = linearize(&diagram, &state, &LinearizePorts::default()).unwrap();
    assert!((falling.rates.last().unwrap() + G).abs() < 1e-12);
    state.continuous[6] = 0.099;
    // Stiffness 1e5 N/m at a depth of 1 mm, 1 kg.
    let carried = linearize(&diagram, &state, &LinearizePorts::default()).unwrap();
    assert!((carried.rates.last().unwrap() - (100.0 - G)).abs() < 1e-9, "{:?}", carried.rates);
}
