//! The part of a diagram that moves together with some blocks.

use super::blocks::Mixer;
use kinegraph::diagram::DiagramBuilder;

#[test]
fn a_slice_has_the_blocks_that_feed_and_are_fed() {
    // filter -> controller -> plant -> observer -> (nothing); clock -> display is apart; model -> observer.
    let mut b = DiagramBuilder::new("slice");
    let controller = b.add("controller", Mixer::new(2, &[vec![0, 1]], None, false));
    let plant = b.add("plant", Mixer::new(1, &[vec![], vec![0]], Some(0.1), false));
    let filter = b.add("filter", Mixer::lagged(0.2));
    let observer = b.add("observer", Mixer::new(2, &[vec![]], Some(0.3), false));
    let model = b.add("model", Mixer::new(0, &[vec![]], Some(0.4), false));
    let clock = b.add("clock", Mixer::new(0, &[vec![]], Some(0.5), false));
    let display = b.add("display", Mixer::direct());
    b.connect(plant.outputs[0], controller.inputs[0]);
    b.connect(filter.outputs[0], controller.inputs[1]);
    b.connect(controller.outputs[0], plant.inputs[0]);
    b.connect(plant.outputs[0], filter.inputs[0]);
    b.connect(plant.outputs[1], observer.inputs[0]);
    b.connect(model.outputs[0], observer.inputs[1]);
    b.connect(clock.outputs[0], display.inputs[0]);
    let diagram = b.build().unwrap();
    let index = |name: &str| diagram.find_block(name).unwrap();

    let slice = diagram.slice_to(&[index("plant")]);
    assert_eq!(slice.stateful, [index("filter"), index("observer"), index("model")]);
    assert_eq!(slice.schedule.blocks(), [index("controller"), index("plant"), index("filter"), index("model")]);
    assert_eq!(slice.schedule.outputs_of(index("plant")), [0, 1]);

    // The plant's own inputs need neither the observer's model nor the plant's second output.
    let inputs = diagram.schedule_for_inputs_of(&[index("plant")]);
    assert_eq!(inputs.blocks(), [index("controller"), index("plant"), index("filter")]);
    assert_eq!(inputs.outputs_of(index("plant")), [0]);

    // Only the controller has to be repeated when the filter's state moves.
    let again = diagram.calls_depending_on(&inputs, index("filter")).without(index("filter"));
    assert_eq!(again.blocks(), [index("controller")]);
}
