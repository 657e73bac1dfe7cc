//! An evaluation of a diagram does not allocate, nor does a step after the first ones.

use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph_systems::Jet;
use kinegraph_systems::control::Pid;
use kinegraph_systems::operators::{Adder, Gain, Integrator};
use kinegraph_systems::sources::Trajectory;
use kinegraph_systems::system::ErasedScalar;

/// A PID loop around a double integrator that follows a trajectory.
pub fn servo() -> Diagram {
    let mut b = DiagramBuilder::new("servo");
    let goal = b.add("goal", Trajectory::new(vec![0.0, 1.0], vec![vec![0.0], vec![1.0]]).unwrap());
    let pid = b.add("pid", Pid::new(1, 100.0, 5.0, 7.0).unwrap());
    let q = b.add("q", Integrator::new([0.1]).unwrap());
    let v = b.add("v", Integrator::new([0.0]).unwrap());
    let load = b.add("load", Adder::new(1, [1.0, 1.0]).unwrap());
    let friction = b.add("friction", Gain::new(1, -0.5).unwrap());
    b.fix(pid.measured, [0.0, 0.0]);
    b.connect(goal.state, pid.desired);
    b.connect(pid.effort, load.inputs[0]);
    b.connect(v.output, friction.input);
    b.connect(friction.output, load.inputs[1]);
    b.connect(load.output, v.input);
    b.connect(v.output, q.input);
    b.build().unwrap()
}

fn allocations<S: ErasedScalar>(diagram: &Diagram) -> u64 {
    let state: Vec<S> = diagram.initial_state().continuous.iter().map(|&x| S::constant(x)).collect();
    let mut values = diagram.values::<S>();
    let mut derivatives = vec![S::zero(); state.len()];
    let slice = diagram.slice_to(&[diagram.find_block("v").unwrap()]);
    allocation_counter::measure(|| {
        diagram.evaluate(S::zero(), &state, &mut values);
        diagram.evaluate_schedule(&slice.schedule, S::one(), &state, &mut values);
        diagram.derivatives(S::zero(), &state, &values, &mut derivatives);
    })
    .count_total
}

#[test]
fn neither_values_nor_jets_allocate() {
    let diagram = servo();
    assert_eq!((allocations::<f64>(&diagram), allocations::<Jet>(&diagram)), (0, 0));
}

#[test]
fn explicit_steps_do_not_allocate_after_the_first() {
    use kinegraph::integrators::Options;
    let diagram = servo();
    for options in [
        Options::rk3(1e-6),
        Options::dopri5(1e-9),
        Options { step: Some(1e-3), ..Options::dopri5(1e-3) },
        Options::semi_implicit_euler(1e-3),
    ] {
        let mut integrator = options.build(&diagram).unwrap();
        let mut state = diagram.initial_state();
        integrator.advance(&mut state, 1.0).unwrap();
        let steps = allocation_counter::measure(|| {
            for _ in 0..50 {
                integrator.advance(&mut state, 1.0).unwrap();
                integrator.interrupted();
            }
        });
        assert_eq!(steps.count_total, 0);
    }
}

/// Checks that a run allocates nothing the second time, when every path was taken before.
pub fn check_convex_steps(diagram: &Diagram, options: kinegraph::integrators::Options) {
    let mut integrator = options.build(diagram).unwrap();
    let start = diagram.initial_state();
    let mut state = start.clone();
    let mut run = |state: &mut kinegraph::diagram::State| {
        integrator.recall(&kinegraph::integrators::StepMemory::default());
        state.clone_from(&start);
        for _ in 0..60 {
            integrator.advance(state, 10.0).unwrap();
        }
    };
    run(&mut state);
    let steps = allocation_counter::measure(|| run(&mut state));
    assert_eq!(steps.count_total, 0, "{options:?}");
}

/// The seven-joint arm under computed torque with integral action, from afar.
pub fn arm(effort: f64) -> Diagram {
    use kinegraph_systems::control::InverseDynamicsController;
    use kinegraph_systems::models::read_urdf;
    use kinegraph_systems::multibody::{Base, PlantBuilder};
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/scenes/arm7/arm.urdf");
    let mut model = read_urdf(&file).unwrap().model;
    model.joints.iter_mut().for_each(|joint| joint.effort = effort);
    let mut b = DiagramBuilder::new("arm");
    let c = InverseDynamicsController::new(&model, [0.0, 0.0, -9.81], 400.0, 10.0, 40.0).unwrap();
    let (plant, c) = (PlantBuilder::new().model("arm", model, Base::fixed()).build().unwrap(), b.add("controller", c));
    let plant = b.add("plant", plant);
    b.fix(c.desired_state, [0.1, -0.2, 0.2, -1.0, 0.1, 0.5, 0.2, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    b.connect(plant.state("arm"), c.estimated_state);
    b.connect(c.generalized_force, plant.actuation("arm"));
    b.build().unwrap()
}

#[test]
fn convex_steps_with_feedback_do_not_allocate_after_the_first() {
    for diagram in [arm(f64::INFINITY), arm(30.0)] {
        for options in [crate::common::icf(1e-3), crate::common::cenic(1e-4)] {
            check_convex_steps(&diagram, options);
        }
    }
}

#[test]
fn explicit_steps_of_plants_do_not_allocate_after_the_first() {
    use kinegraph::integrators::Options;
    for diagram in [arm(f64::INFINITY), arm(30.0)] {
        for options in [Options::rk3(1e-4), Options::bs23(1e-4), Options::dopri5(1e-4)] {
            check_convex_steps(&diagram, options);
        }
    }
}

#[test]
fn implicit_steps_do_not_allocate_after_the_first() {
    use kinegraph::integrators::Options;
    for diagram in [servo(), arm(f64::INFINITY), arm(30.0)] {
        for options in [Options::implicit_euler(1e-3), Options::sdirk2(1e-4), Options::ros2(1e-4)] {
            check_convex_steps(&diagram, options);
        }
    }
}

#[test]
fn convex_steps_of_polyhedra_do_not_allocate_after_the_first() {
    use kinegraph_systems::geometry::{ConvexHull, Shape};
    use nalgebra::Vector3;
    // Large hulls take other ways than small ones; all stand in each other from the start.
    let golden = std::f64::consts::PI * (3.0 - 5_f64.sqrt());
    let hull = |count: usize| {
        let points: Vec<_> = (0..count)
            .map(|i| {
                let z = 1.0 - 2.0 * (i as f64 + 0.5) / count as f64;
                let (s, c) = (i as f64 * golden).sin_cos();
                Vector3::new(c * (1.0 - z * z).sqrt(), s * (1.0 - z * z).sqrt(), z) * 0.1
            })
            .collect();
        Shape::Convex(std::sync::Arc::new(ConvexHull::new(&points).unwrap()))
    };
    let shapes = [
        hull(162),
        hull(100),
        hull(7),
        Shape::Box { half_extents: Vector3::repeat(0.1) },
        Shape::Cylinder { radius: 0.1, half_length: 0.1 },
        Shape::Capsule { radius: 0.05, half_length: 0.05 },
        Shape::Sphere { radius: 0.1 },
    ];
    let mut plant =
        kinegraph_systems::multibody::PlantBuilder::new().ground(0.0).contact(crate::common::contact(1e4, 10.0, 0.5));
    for (i, shape) in shapes.into_iter().enumerate() {
        let base =
            crate::common::thrown([0.1 * (i % 3) as f64, 0.12 * (i / 3) as f64, 0.095], [1.0, 2.0, 3.0], [0.0; 3]);
        plant = plant.model(format!("body{i}"), crate::common::solid(shape, 1.0), base);
    }
    let diagram = crate::common::alone(plant);
    for options in [crate::common::icf(1e-3), crate::common::cenic(1e-3)] {
        check_convex_steps(&diagram, options);
    }
}

/// A plant step with constraints and locks allocates no more than one without.
#[test]
fn constraints_and_locks_do_not_allocate_after_the_first_steps() {
    use kinegraph::integrators::Options;
    use kinegraph::systems::multibody::plant::{Attachment, Constraint};
    use kinegraph::systems::multibody::{Base, Inertia, Link, Model, PlantBuilder};
    use nalgebra::{Isometry3, Matrix3, Vector3};
    let inertia = Inertia { mass: 1.0, p_BoBcm: Vector3::zeros(), I_BBcm: Matrix3::identity() };
    let link = Link { name: "body".into(), inertia: Some(inertia), ..Link::default() };
    let model = Model { name: "m".into(), links: vec![link], ..Model::default() };
    let count = |constrained: bool| {
        let mut plant = PlantBuilder::new();
        for (i, name) in ["a", "b", "c", "d"].into_iter().enumerate() {
            plant = plant.model(name, model.clone(), Base::floating(Isometry3::translation(i as f64, 0.0, 0.0)));
        }
        if constrained {
            let at = |link: &str, x: f64| Attachment::at(link, [x, 0.0, 0.0]);
            plant = plant
                .constraint(Constraint::weld("weld", at("a/body", 1.0), at("b/body", 0.0)).capturing())
                .constraint(Constraint::ball("ball", at("b/body", 1.0), at("c/body", 0.0)))
                .constraint(Constraint::distance("rod", at("a/body", 0.0), at("world", 0.0), 0.1))
                .lock("d/body", true);
        }
        let mut builder = DiagramBuilder::new("plant");
        builder.add("plant", plant.build().unwrap());
        let diagram = builder.build().unwrap();
        let mut integrator = Options::icf(1e-3).build(&diagram).unwrap();
        let mut state = diagram.initial_state();
        let mut steps = || {
            for _ in 0..20 {
                integrator.advance(&mut state, 1.0).unwrap();
            }
        };
        steps();
        allocation_counter::measure(steps).count_total
    };
    assert_eq!(count(true), count(false));
}

/// Free motion under constraints that close a loop, and on a stop.
#[test]
fn constrained_free_motion_does_not_allocate_after_the_first_steps() {
    use kinegraph::systems::multibody::plant::{Attachment, Constraint};
    use kinegraph::systems::multibody::{Base, JointKind, PlantBuilder};
    let mut arm = crate::common::double_pendulum();
    (arm.joints[0].kind, arm.joints[0].limits) = (JointKind::Revolute, (-0.2, 3.0));
    let mut load = crate::common::ball(1.0, 0.1);
    load.links[0].collisions.clear();
    let tip = || Attachment::at("arm/lower", [0.0, 0.0, -1.0]);
    let plant = PlantBuilder::new().model("arm", arm, Base::fixed()).initial("arm/j1", 0.1, -1.0);
    let plant = plant.initial("arm/j2", 0.5, 0.0).model("box", load, crate::common::at(0.0, 0.0, -2.0));
    let plant = plant.constraint(Constraint::ball("ball", tip(), Attachment::at("box/body", [0.0; 3])).capturing());
    let diagram = crate::common::alone(plant);
    let mut integrator = crate::common::cenic(1e-4).build(&diagram).unwrap();
    let mut state = diagram.initial_state();
    let mut steps = || {
        for _ in 0..60 {
            integrator.advance(&mut state, 9.0).unwrap();
        }
    };
    // The first ones meet the stop.
    (0..3).for_each(|_| steps());
    assert_eq!(allocation_counter::measure(steps).count_total, 0);
    assert_eq!(integrator.statistics().solves, 0);
}

/// Contacts open and close, and the pattern of the Hessian changes: its analysis does not allocate after the first
/// large one.
#[test]
fn new_patterns_of_contact_do_not_allocate() {
    use kinegraph::linear_algebra::{BlockCholesky, Patterns, Places};
    let (mut patterns, mut factor) = (Patterns::default(), BlockCholesky::default());
    let mut solve = |n: u32, edges: &[(u32, u32)], sizes: &[u32], x: &mut [f64]| {
        let id = patterns.find(&sizes[..n as usize], edges);
        let pattern = patterns.get(id);
        let h = factor.start(&pattern);
        for c in 0..n as usize {
            for i in 0..6 {
                h[Places::Sparse(pattern).block(c, c).entry(i, i)] = 2.0;
            }
        }
        assert!(factor.factor(&pattern));
        factor.solve(&pattern, &mut x[..pattern.velocities()]);
    };
    let sizes = [6; 60];
    let mut x = [1.0; 360];
    let mut edges: Vec<_> = (0..60).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
    solve(60, &edges, &sizes, &mut x);
    // A pattern that is not dense has the most blocks outside the tail.
    edges.retain(|(a, b)| a + b < 60);
    solve(60, &edges, &sizes, &mut x);
    let mut seed = 1_u64;
    let count = allocation_counter::measure(|| {
        for round in 0..500 {
            edges.clear();
            let n: u32 = 2 + round % 50;
            for b in 1..n {
                for a in b.saturating_sub(4)..b {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    if seed >> 63 == 1 {
                        edges.push((a, b));
                    }
                }
            }
            solve(n, &edges, &sizes, &mut x);
        }
    });
    assert_eq!(count.count_total, 0);
}

/// Contact forces are passed from solve to solve without allocation.
#[test]
fn primal_dual_steps_do_not_allocate_after_the_first() {
    use kinegraph::integrators::Options;
    let clutter = kinegraph::simulate::Scenario::open("examples/clutter/clutter.yaml").unwrap().diagram;
    let count = |solver| {
        let mut integrator = Options { solver, ..Options::icf(5e-3) }.build(&clutter).unwrap();
        let start = clutter.initial_state();
        let mut state = start.clone();
        let mut run = |state: &mut kinegraph::diagram::State| {
            integrator.recall(&kinegraph::integrators::StepMemory::default());
            state.clone_from(&start);
            (0..60).for_each(|_| {
                integrator.advance(state, 10.0).unwrap();
            });
        };
        run(&mut state);
        allocation_counter::measure(|| run(&mut state)).count_total
    };
    use kinegraph::solvers::icf::Method;
    // Geometry queries may allocate; the method of solution adds nothing to them.
    assert!(count(Method::PrimalDual) <= count(Method::Newton));
}
