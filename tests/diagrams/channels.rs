//! Names of recordable numbers and of states.

use kinegraph::diagram::DiagramBuilder;
use kinegraph_systems::operators::{Gain, Integrator};
use kinegraph_systems::{Context, Fixed, LeafSystem, MultibodyState, Out, Outputs, Ports, Scalar};

/// A source with named elements, as a plant has.
struct Arm {
    state: Out<MultibodyState>,
    energy: Out<Fixed<1>>,
    ports: Ports,
}

impl Arm {
    fn new() -> Self {
        let mut ports = Ports::new();
        let names = ["arm.joint1.q", "arm.joint1.v"].map(String::from).to_vec();
        let state = ports.output_of_width("arm.state", 2);
        let energy = ports.output("energy");
        ports.name_elements(state, names.clone());
        ports.named_continuous_state("arm", names, vec![0.5, 0.0]);
        Arm { state, energy, ports }
    }
}

impl LeafSystem for Arm {
    fn ports(&self) -> &Ports {
        &self.ports
    }
    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        out.set(self.state, ctx.continuous);
        out.set(self.energy, [S::one()]);
    }
}

#[test]
fn channels_and_states_have_names() {
    let mut b = DiagramBuilder::new("names");
    let arm = b.add("plant", Arm::new());
    let gain = b.add("left/gain", Gain::new(2, 1.0).unwrap());
    let x = b.add("x", Integrator::new([0.0]).unwrap());
    b.connect(arm.state, gain.input);
    b.connect(arm.energy, x.input);
    let diagram = b.build().unwrap();
    let names = |channels: Vec<kinegraph::diagram::Channel>| channels.into_iter().map(|c| c.name).collect::<Vec<_>>();
    assert_eq!(
        names(diagram.channels()),
        [
            "plant.arm.joint1.q",
            "plant.arm.joint1.v",
            "plant.energy",
            "left/gain.output[0]",
            "left/gain.output[1]",
            "x.output"
        ]
    );
    assert_eq!(diagram.state_names(), ["plant.arm.joint1.q", "plant.arm.joint1.v", "x.x"]);
    assert_eq!(names(diagram.find_channels("plant.arm.state").unwrap()), ["plant.arm.joint1.q", "plant.arm.joint1.v"]);
    let one = diagram.find_channels("left/gain.output[1]").unwrap();
    assert_eq!(
        (one[0].name.as_str(), one[0].index),
        ("left/gain.output[1]", diagram.output("left/gain.output").unwrap().range.end - 1)
    );
    for channel in diagram.channels() {
        let found = diagram.find_channels(&channel.name).unwrap();
        assert!(found.contains(&channel), "{}: {found:?}", channel.name);
    }
    for wrong in ["left/gain.output[2]", "left/gain.output[01]", "left/gain.output[+1]", "x.output[1]"] {
        assert!(diagram.find_channels(wrong).is_err(), "{wrong}");
    }
    // As wires name it.
    assert_eq!(names(diagram.find_channels("x.output[0]").unwrap()), ["x.output"]);
    let fault = diagram.find_channels("plant.arm.stat").unwrap_err().to_string();
    assert!(fault.contains("did you mean `arm.state`?"), "{fault}");
    assert!(diagram.find_channels("plan.arm.state").unwrap_err().to_string().contains("did you mean `plant`?"));
}
