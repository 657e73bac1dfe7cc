//! Derivative policies.

use kinegraph_systems::operators::Gain;
use kinegraph_systems::scalar::{Jet, Scalar};
use kinegraph_systems::testing::{Sample, conformance};
use kinegraph_systems::*;
use std::sync::Arc;

/// y = x sin u + t², ẋ = -x u; on plain numbers.
struct Wave {
    u: In<Fixed<1>>,
    y: Out<Fixed<1>>,
    policy: DerivativePolicy,
    /// An error in the Jacobian, for a check that must find it.
    mistake: f64,
    ports: Ports,
}

impl Wave {
    fn new(policy: DerivativePolicy, mistake: f64) -> Self {
        let mut ports = Ports::new();
        ports.continuous_state("x", vec![0.7]);
        Wave { u: ports.input("u"), y: ports.output("y"), policy, mistake, ports }
    }
}

impl RealSystem for Wave {
    fn ports(&self) -> &Ports {
        &self.ports
    }
    fn outputs(&self, ctx: &Context<f64>, out: &mut Outputs<f64>) {
        let [u] = ctx.get(self.u);
        out.set(self.y, [ctx.continuous[0] * u.sin() + ctx.time * ctx.time]);
    }
    fn derivatives(&self, ctx: &Context<f64>, derivatives: &mut [f64]) {
        let [u] = ctx.get(self.u);
        derivatives[0] = -ctx.continuous[0] * u;
    }
    fn policy(&self) -> DerivativePolicy {
        self.policy
    }
    fn jacobian(&self, ctx: &Context<f64>, jacobian: &mut Jacobian) {
        let ([u], x) = (ctx.get(self.u), ctx.continuous[0]);
        jacobian.set(0, 0, 2.0 * ctx.time);
        jacobian.set(0, 1, u.sin() + self.mistake);
        jacobian.set(0, 2, x * u.cos());
        jacobian.set(1, 1, -u);
        jacobian.set(1, 2, -x);
    }
}

#[test]
fn every_policy_conforms() {
    use DerivativePolicy::*;
    for policy in [Given, Differences, Explicit] {
        let block = Real(Wave::new(policy, 0.0));
        assert_eq!(ErasedSystem::policy(&block), policy);
        conformance::check(&block);
    }
    for policy in [Exact, Given, Differences, Explicit] {
        let gain: Arc<dyn ErasedSystem> = Arc::new(Gain::new(2, -3.0).unwrap());
        let block = WithDerivatives::new(gain, policy);
        assert_eq!(block.policy(), if policy == Given { Exact } else { policy });
        conformance::check(&block);
    }
}

#[test]
fn a_wrong_jacobian_is_found() {
    let block = Real(Wave::new(DerivativePolicy::Given, 0.01));
    let report = conformance::report(&block, &[Sample::random(&block, 0)]);
    let slopes = report.failures.iter().filter(|(_, f)| matches!(f, conformance::Failure::Slope { .. })).count();
    assert_eq!((slopes, report.failures.len()), (1, 1), "{report}");
}

/// The jets of y and ẋ along u by each policy, for y = x sin u + t².
#[test]
fn slopes_follow_the_policy() {
    let (x, u) = (0.7, 0.4_f64);
    let slopes = |block: &dyn ErasedSystem| {
        let values = [Jet::with_partials(u, &[0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0])];
        let (state, inputs) = ([Jet::constant(x)], [Some(0..1)]);
        let ctx = Context::new(Jet::constant(0.0), &state, &values, &inputs);
        let mut y = [Jet::constant(0.0)];
        block.outputs_jet(&ctx, &mut Outputs::new(block.ports(), &mut y, &[true]));
        let mut rate = [Jet::constant(0.0)];
        block.derivatives_jet(&ctx, &mut rate);
        (y[0].partials()[1], rate[0].partials()[1])
    };
    let exact = (2.0 * x * u.cos(), -2.0 * x);
    for (policy, tolerance) in [(DerivativePolicy::Given, 1e-15), (DerivativePolicy::Differences, 1e-9)] {
        let (y, rate) = slopes(&Real(Wave::new(policy, 0.0)));
        assert!((y - exact.0).abs() < tolerance && (rate - exact.1).abs() < tolerance);
    }
    assert_eq!(slopes(&Real(Wave::new(DerivativePolicy::Explicit, 0.0))), (0.0, 0.0));
    // Of a block with a Jacobian of its own, another policy can be asked for all the same.
    let given: Arc<dyn ErasedSystem> = Arc::new(Real(Wave::new(DerivativePolicy::Given, 0.0)));
    assert_eq!(slopes(&WithDerivatives::new(given, DerivativePolicy::Explicit)), (0.0, 0.0));
}
