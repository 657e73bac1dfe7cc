//! Step response of a mass on a spring and a damper, ω = 3 rad/s, ζ = 0.4:
//! `x = 1 - e^(-ζωt) (cos w t + ζω/w sin w t)`, `w = ω √(1 - ζ²)`.

use super::{check, open};
use kinegraph::diagram::DiagramBuilder;
use kinegraph::systems::operators::{Adder, Gain, Integrator};
use kinegraph::systems::sources::Step;

fn by_hand() -> DiagramBuilder {
    let mut b = DiagramBuilder::new("second_order");
    let push = b.add("push", Step::new(1, 0.3, 0.0, 1.0).unwrap());
    let spring = b.add("spring", Gain::new(1, 9.0).unwrap());
    let damper = b.add("damper", Gain::new(1, 2.4).unwrap());
    let stretch = b.add("stretch", Adder::new(1, [1.0, -1.0]).unwrap());
    let force = b.add("force", Adder::new(1, [1.0, -1.0]).unwrap());
    let velocity = b.add("velocity", Integrator::new([0.0]).unwrap());
    let position = b.add("position", Integrator::new([0.0]).unwrap());
    b.connect(push.output, stretch.inputs[0]);
    b.connect(position.output, stretch.inputs[1]);
    b.connect(stretch.output, spring.input);
    b.connect(spring.output, force.inputs[0]);
    b.connect(damper.output, force.inputs[1]);
    b.connect(force.output, velocity.input);
    b.connect(velocity.output, position.input);
    b.connect(velocity.output, damper.input);
    b
}

#[test]
fn step_response_of_a_second_order_system() {
    let scenario = open("tests/running/scenarios/second_order.yaml", by_hand());
    let (decay, w) = (0.4 * 3.0, 3.0 * (1.0 - 0.16_f64).sqrt());
    check(&scenario, &["position", "velocity"], |t| {
        let t = (t - 0.3).max(0.0);
        let (sin, cos) = (w * t).sin_cos();
        let envelope = (-decay * t).exp();
        vec![1.0 - envelope * (cos + decay / w * sin), envelope * 9.0 / w * sin]
    });
}
