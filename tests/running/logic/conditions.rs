//! Parts that run on a condition: what is held, what begins anew, what is refused.

use super::super::common::*;
use kinegraph::diagram::{DiagramBuilder, HeldAs, States, When};
use kinegraph::integrators::Options;
use kinegraph::simulate::Simulation;
use kinegraph::systems::control::Pid;
use kinegraph::systems::dynamics::{TransportDelay, UnitDelay, ZeroOrderHold};
use kinegraph::systems::multibody::{Base, Model, PlantBuilder};
use kinegraph::systems::operators::{Comparator, Expression, Integrator};
use kinegraph::systems::{Crossing, Sampling};
use nalgebra::Isometry3;
use std::sync::Arc;

/// Adds a formula of the time.
fn formula(b: &mut DiagramBuilder, name: &str, text: &str) {
    b.add(name, Expression::new(&[], &[text]).unwrap());
}

fn simulation(b: DiagramBuilder) -> Simulation {
    Simulation::new(&b.build().unwrap(), Options::dopri5(1e-9)).unwrap()
}

#[test]
fn the_output_that_is_held_is_that_before_a_jump_of_the_same_event() {
    // At 0.5 s the part is disabled, and its input jumps by the same signal.
    let mut part = DiagramBuilder::new("part");
    let gain = part.add("gain", Expression::new(&[("u", 1)], &["3*u"]).unwrap());
    part.export_input("u", gain.inputs[0]);
    part.export_output("y", gain.output);
    let mut b = DiagramBuilder::new("outer");
    formula(&mut b, "on", "t < 0.5");
    formula(&mut b, "u", "if(t < 0.5, 2, 7)");
    b.add_diagram_when("part", part, When::Enabled(States::Hold, HeldAs::Last)).unwrap();
    b.connect_paths("on.output", "part.enabled");
    b.connect_paths("u.output", "part.u");
    let mut run = simulation(b);
    run.advance_to(0.4).unwrap();
    assert_eq!(run.channel("part.y").unwrap(), 6.0);
    run.advance_to(1.0).unwrap();
    assert_eq!(run.channel("part.y").unwrap(), 6.0);
}

#[test]
fn a_crossing_that_was_missed_happens_when_the_part_is_enabled_again() {
    // The comparator sees its input above one between 0.2 s and 0.6 s only, while it does not run, or from 0.2 s on.
    for (text, then) in [("if(t > 0.2 and t < 0.6, 2, 0)", 0.0), ("if(t > 0.2, 2, 0)", 1.0)] {
        let mut part = DiagramBuilder::new("part");
        let above = part.add("above", Comparator::new(1, 1.0, 0.0).unwrap());
        part.export_input("u", above.input);
        part.export_output("y", above.output);
        let mut b = DiagramBuilder::new("outer");
        formula(&mut b, "on", "t < 0.1 or t > 0.8");
        formula(&mut b, "u", text);
        b.add_diagram_when("part", part, When::Enabled(States::Hold, HeldAs::Last)).unwrap();
        b.connect_paths("on.output", "part.enabled");
        b.connect_paths("u.output", "part.u");
        let mut run = simulation(b);
        run.advance_to(0.7).unwrap();
        assert_eq!(run.channel("part.y").unwrap(), 0.0, "{text}");
        run.advance_to(0.9).unwrap();
        assert_eq!(run.channel("part.y").unwrap(), then, "{text}");
    }
}

#[test]
fn a_chain_of_delays_moves_by_one_at_each_trigger_of_any_period() {
    let mut part = DiagramBuilder::new("part");
    let first = part.add("first", ZeroOrderHold::new(1, Sampling::every(0.3), 0.0).unwrap());
    let second = part.add("second", UnitDelay::new(1, Sampling::every(0.7), 0.0).unwrap());
    part.connect(first.output, second.input);
    part.export_input("u", first.input);
    part.export_output("now", first.output);
    part.export_output("before", second.output);
    let mut b = DiagramBuilder::new("outer");
    formula(&mut b, "clock", "sin(2*pi*t) > 0.25 + 0.5");
    formula(&mut b, "u", "t");
    b.add_diagram_when("part", part, When::Triggered(Crossing::Rising)).unwrap();
    b.connect_paths("clock.output", "part.triggered");
    b.connect_paths("u.output", "part.u");
    let mut run = simulation(b);
    let edge = 0.75_f64.asin() / std::f64::consts::TAU;
    for k in 0..4 {
        run.advance_to(f64::from(k) + 0.9).unwrap();
        let now = run.channel("part.now").unwrap();
        assert!((now - (f64::from(k) + edge)).abs() < 1e-9, "{now}");
        // All read the values just before the edge: the delay read at the last edge what was held until then.
        let before = run.channel("part.before").unwrap();
        let expected = if k < 2 { 0.0 } else { f64::from(k - 2) + edge };
        assert!((before - expected).abs() < 1e-9, "{k}: {before} for {expected}");
    }
}

#[test]
fn parts_within_parts_need_both_conditions() {
    let mut inner = DiagramBuilder::new("inner");
    let x = inner.add("x", Integrator::new(vec![0.0]).unwrap());
    inner.export_input("u", x.input);
    inner.export_output("y", x.output);
    let mut outer = DiagramBuilder::new("outer");
    let nested = outer.add_diagram_when("inner", inner, When::Enabled(States::Hold, HeldAs::Last)).unwrap();
    outer.export_input("u", nested.input("u"));
    outer.export_input("inner_on", nested.input("enabled"));
    outer.export_output("y", nested.output("y"));
    let mut b = DiagramBuilder::new("all");
    formula(&mut b, "one", "1");
    formula(&mut b, "a", "t > 0.2 and t < 0.6");
    formula(&mut b, "b", "t > 0.4 and t < 0.9");
    b.add_diagram_when("part", outer, When::Enabled(States::Hold, HeldAs::Last)).unwrap();
    b.connect_paths("one.output", "part.u");
    b.connect_paths("a.output", "part.enabled");
    b.connect_paths("b.output", "part.inner_on");
    let mut run = simulation(b);
    run.advance_to(2.0).unwrap();
    assert!((run.channel("part.y").unwrap() - 0.2).abs() < 1e-12);
}

#[test]
fn what_cannot_be_held_is_refused_with_the_reason() {
    let refused = |block: Arc<dyn kinegraph::systems::ErasedSystem>, when: When| {
        let mut part = DiagramBuilder::new("part");
        part.add_erased("block", block);
        let mut b = DiagramBuilder::new("outer");
        b.add_diagram_when("part", part, when).unwrap_err().to_string()
    };
    let model = Model { name: "m".into(), links: vec![link("base", 1.0, [0.0; 3])], ..Model::default() };
    let plant =
        || PlantBuilder::new().model("m", model.clone(), Base::floating(Isometry3::identity())).build().unwrap();
    let enabled = When::Enabled(States::Hold, HeldAs::Last);
    let message = refused(Arc::new(plant()), enabled);
    assert!(message.contains("part cannot run on a condition: `block` is a plant"), "{message}");
    let message = refused(Arc::new(Pid::new(1, 1.0, 1.0, 0.0).unwrap()), When::Triggered(Crossing::Rising));
    assert!(message.contains("`block` has continuous state"), "{message}");
    let delay = TransportDelay::new(1, 0.2, 0.1, 0.0).unwrap();
    let message = refused(Arc::new(delay), When::Reset(Crossing::Rising));
    assert!(message.contains("keeps what has arrived at it"), "{message}");
    let mut part = DiagramBuilder::new("part");
    let x = part.add("x", Integrator::new(vec![0.0]).unwrap());
    part.export_input("enabled", x.input);
    let message = DiagramBuilder::new("outer").add_diagram_when("part", part, enabled).unwrap_err().to_string();
    assert!(message.contains("`enabled` is the name of the input that has the condition"), "{message}");
}
