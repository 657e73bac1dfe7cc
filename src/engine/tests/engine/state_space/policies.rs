//! Blocks with derivative policies of their own in a diagram that is exact otherwise; and everything against central
//! differences.

use super::scenes;
use kinegraph_core::real::{Jacobian, Real, RealSystem, WithDerivatives};
use kinegraph_core::{Context, DerivativePolicy, ErasedSystem, Fixed, In, Out, Outputs, Ports};
use kinegraph_diagram::{Diagram, DiagramBuilder};
use kinegraph_engine::linearize::state_space::linearize;
use kinegraph_engine::linearize::{LinearModel, LinearizePorts, Linearizer};
use kinegraph_systems::operators::Gain;
use std::sync::Arc;

/// torque = -3 tanh(2 q) - v |v|, a foreign controller on plain numbers.
struct Foreign {
    state: In<Fixed<2>>,
    torque: Out<Fixed<1>>,
    policy: DerivativePolicy,
    ports: Ports,
}

impl Foreign {
    fn new(policy: DerivativePolicy) -> Real<Self> {
        let mut ports = Ports::new();
        Real(Foreign { state: ports.input("state"), torque: ports.output("torque"), policy, ports })
    }
}

fn slopes([q, v]: [f64; 2]) -> [f64; 2] {
    [-6.0 / (2.0 * q).cosh().powi(2), -2.0 * v.abs()]
}

impl RealSystem for Foreign {
    fn ports(&self) -> &Ports {
        &self.ports
    }
    fn outputs(&self, ctx: &Context<f64>, out: &mut Outputs<f64>) {
        let [q, v] = ctx.get(self.state);
        out.set(self.torque, [-3.0 * (2.0 * q).tanh() - v * v.abs()]);
    }
    fn policy(&self) -> DerivativePolicy {
        self.policy
    }
    fn jacobian(&self, ctx: &Context<f64>, jacobian: &mut Jacobian) {
        let [q, v] = slopes(ctx.get(self.state));
        jacobian.set(0, 1, q);
        jacobian.set(0, 2, v);
    }
}

/// Two pendulums: the first has the controller, through an exact gain; the second is exact.
fn diagram(controller: Arc<dyn ErasedSystem>) -> Diagram {
    let mut b = DiagramBuilder::new("mixed");
    let plant = kinegraph_multibody::PlantBuilder::new()
        .model("one", scenes::pendulum(0.1, f64::INFINITY), kinegraph_multibody::Base::fixed())
        .model("two", scenes::pendulum(0.2, f64::INFINITY), kinegraph_multibody::Base::fixed())
        .initial("one/hinge", 0.3, 0.7)
        .initial("two/hinge", -0.4, 0.2)
        .build()
        .unwrap();
    let plant = b.add("plant", plant);
    b.add_erased("controller", controller);
    let gain = b.add("gain", Gain::new(1, 0.5).unwrap());
    b.connect_paths("plant.one.state", "controller.state");
    b.connect_paths("controller.torque", "gain.input");
    b.connect(gain.output, plant.actuation("one"));
    b.build().unwrap()
}

fn model(diagram: &Diagram) -> LinearModel {
    let ports = LinearizePorts {
        inputs: vec!["plant.two.actuation".into(), "gain.input".into()],
        cuts: vec![],
        outputs: vec!["gain.output".into(), "plant.two.state".into()],
    };
    linearize(diagram, &diagram.initial_state(), &ports).unwrap()
}

#[test]
fn each_block_follows_its_policy_and_spoils_nothing_else() {
    // Values that a method of integration holds constant have derivatives all the same.
    let reference = model(&diagram(Arc::new(Foreign::new(DerivativePolicy::Given))));
    let names: Vec<&str> = reference.state_names.iter().map(String::as_str).collect();
    assert_eq!(names, ["plant.one.hinge.q", "plant.two.hinge.q", "plant.one.hinge.v", "plant.two.hinge.v"]);
    let controllers: [Arc<dyn ErasedSystem>; 4] = [
        Arc::new(Foreign::new(DerivativePolicy::Differences)),
        Arc::new(WithDerivatives::new(Arc::new(Foreign::new(DerivativePolicy::Given)), DerivativePolicy::Differences)),
        Arc::new(Foreign::new(DerivativePolicy::Explicit)),
        Arc::new(WithDerivatives::new(Arc::new(Foreign::new(DerivativePolicy::Given)), DerivativePolicy::Explicit)),
    ];
    let [by_q, by_v] = slopes([0.3, 0.7]);
    assert!((reference.c[(0, 0)] - 0.5 * by_q).abs() < 1e-14 && (reference.c[(0, 2)] - 0.5 * by_v).abs() < 1e-14);
    for controller in controllers {
        let model = model(&diagram(controller));
        for row in 0..4 {
            for column in 0..4 {
                let own = row == 2 && (column == 0 || column == 2);
                let expected = reference.a[(row, column)];
                let tolerance = if own { 1e-8 } else { 1e-14 * (1.0 + expected.abs()) };
                let found = model.a[(row, column)];
                assert!((found - expected).abs() <= tolerance, "A[{row}, {column}] = {found}, not {expected}");
            }
        }
        assert_eq!((&model.b, &model.d), (&reference.b, &reference.d));
        assert_eq!(model.c.rows(1, 2), reference.c.rows(1, 2));
    }
}

#[test]
fn every_column_agrees_with_central_differences() {
    let diagram = diagram(Arc::new(Foreign::new(DerivativePolicy::Given)));
    let ports = LinearizePorts { inputs: vec!["plant.two.actuation".into()], ..LinearizePorts::default() };
    let state = diagram.initial_state();
    let mut linearizer = Linearizer::new(&diagram, &state, &ports).unwrap();
    let model = linearizer.at(&state, &[0.4]).unwrap();
    let h = 1e-6;
    for column in 0..5 {
        let mut rates = [vec![0.0; 4], vec![0.0; 4]];
        for (rates, sign) in rates.iter_mut().zip([1.0, -1.0]) {
            let (mut state, mut u) = (state.clone(), [0.4]);
            *state.continuous.get_mut(column).unwrap_or(&mut u[0]) += sign * h;
            linearizer.rates(&state, &u, rates).unwrap();
        }
        for (row, (above, below)) in rates[0].iter().zip(&rates[1]).enumerate() {
            let difference = (above - below) / (2.0 * h);
            let exact = if column < 4 { model.a[(row, column)] } else { model.b[(row, 0)] };
            assert!(
                (difference - exact).abs() < 1e-8 * (1.0 + exact.abs()),
                "[{row}, {column}]: {exact}, {difference}"
            );
        }
    }
}

#[test]
fn an_effort_beyond_its_limit_has_no_slope() {
    let mut b = DiagramBuilder::new("limited");
    b.add("plant", scenes::plant("p", scenes::pendulum(0.0, 5.0)));
    let diagram = b.build().unwrap();
    let ports = LinearizePorts { inputs: vec!["plant.p.actuation".into()], ..LinearizePorts::default() };
    let state = diagram.initial_state();
    let mut linearizer = Linearizer::new(&diagram, &state, &ports).unwrap();
    for (effort, slope) in [(4.0, 1.0 / scenes::PENDULUM.0), (6.0, 0.0), (-6.0, 0.0)] {
        let model = linearizer.at(&state, &[effort]).unwrap();
        assert!((model.b[(1, 0)] - slope).abs() < 1e-13);
        let torque = f64::clamp(effort, -5.0, 5.0);
        assert!((model.rates[1] - torque / scenes::PENDULUM.0).abs() < 1e-12);
    }
}

/// Outputs and the smooth motion of a plant, a floating base, springs and every kind of input included.
#[test]
fn a_plant_conforms_as_a_block() {
    use kinegraph_multibody::{Base, Model, PlantBuilder};
    let (w_WR, v_WR) = Default::default();
    let floating = Base::Floating { X_WR: nalgebra::Isometry3::identity(), w_WR, v_WR };
    let body = Model { links: vec![scenes::link("body", 1.5, 0.2, 0.3)], ..Model::default() };
    let plant = PlantBuilder::new()
        .model("pole", scenes::cart_pole(2.0, 0.4, 0.6), Base::fixed())
        .model("arm", scenes::pendulum(0.3, 0.2), Base::fixed())
        .model("free", body, floating)
        .spring("arm/hinge", 7.0, 0.2)
        .build()
        .unwrap();
    kinegraph_core::testing::conformance::check(&plant);
}
