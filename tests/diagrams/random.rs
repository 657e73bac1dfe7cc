//! Random diagrams: the compiled pass equals a naive recursive evaluation.

use super::blocks::{Mixer, WIDTH};
use kinegraph::diagram::{BuildError, Diagram, DiagramBuilder, Source};
use proptest::prelude::*;
use std::sync::Arc;

/// Shape of one block: feedthrough of each output over three inputs, state, and where the inputs come from.
#[derive(Clone, Debug)]
struct Shape {
    feedthrough: Vec<Vec<usize>>,
    stateful: bool,
    sources: Vec<Option<(usize, usize)>>,
}

const INPUTS: usize = 3;

fn shapes() -> impl Strategy<Value = Vec<Shape>> {
    let feedthrough =
        prop::collection::vec(proptest::sample::subsequence((0..INPUTS).collect::<Vec<_>>(), 0..=2), 1..4);
    let sources = prop::collection::vec(prop::option::weighted(0.6, (0..64usize, 0..4usize)), INPUTS);
    let shape = (feedthrough, any::<bool>(), sources).prop_map(|(feedthrough, stateful, sources)| Shape {
        feedthrough,
        stateful,
        sources,
    });
    prop::collection::vec(shape, 1..12)
}

/// Builds the diagram; an algebraic loop is broken by dropping a wire of it, as often as needed.
fn build(mut shapes: Vec<Shape>) -> (Diagram, Vec<Arc<Mixer>>) {
    loop {
        let mut b = DiagramBuilder::new("random");
        let mixers: Vec<Arc<Mixer>> = shapes
            .iter()
            .enumerate()
            .map(|(i, s)| b.add(format!("b{i}"), Mixer::new(INPUTS, &s.feedthrough, s.stateful.then_some(0.3), true)))
            .collect();
        for (shape, mixer) in shapes.iter().zip(&mixers) {
            for (source, &input) in shape.sources.iter().zip(&mixer.inputs) {
                if let Some((block, port)) = source {
                    let from = &mixers[block % mixers.len()];
                    b.connect(from.outputs[port % from.outputs.len()], input);
                }
            }
        }
        match b.build() {
            Ok(diagram) => return (diagram, mixers),
            Err(errors) => {
                for fault in errors.0 {
                    let BuildError::AlgebraicLoop { hops } = fault else { panic!("{fault}") };
                    let (block, port) = hops[0].input.split_once('.').unwrap();
                    let (block, input): (usize, usize) = (block[1..].parse().unwrap(), port[1..].parse().unwrap());
                    shapes[block].sources[input] = None;
                }
            }
        }
    }
}

/// An output by definition: its inputs first, recursively.
fn naive(
    diagram: &Diagram,
    mixers: &[Arc<Mixer>],
    time: f64,
    state: &[f64],
    (block, port): (usize, usize),
) -> Vec<f64> {
    let input = |i: usize| match diagram.blocks()[block].sources[i] {
        Source::Output { block, port } => naive(diagram, mixers, time, state, (block, port)),
        _ => vec![0.0; WIDTH],
    };
    mixers[block].formula(port, time, &state[diagram.blocks()[block].state.clone()], input)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_compiled_order_equals_recursion(shapes in shapes(), time in -1.0..1.0f64, offset in -1.0..1.0f64) {
        let (diagram, mixers) = build(shapes);
        let state: Vec<f64> = (0..diagram.state_width()).map(|i| offset + 0.1 * i as f64).collect();
        let mut values = diagram.values::<f64>();
        // Old values everywhere: what is not recomputed in time would show.
        values.arena_mut().fill(f64::NAN);
        diagram.evaluate(time, &state, &mut values);
        for (block, mixer) in mixers.iter().enumerate() {
            for port in 0..mixer.outputs.len() {
                let range = diagram.blocks()[block].outputs[port].clone();
                prop_assert_eq!(values.get(range), naive(&diagram, &mixers, time, &state, (block, port)));
            }
        }
    }

    #[test]
    fn a_slice_computes_the_inputs_asked_for_and_nothing_else(shapes in shapes(), target in 0..64usize) {
        let (diagram, mixers) = build(shapes);
        let target = target % mixers.len();
        let state = vec![0.4; diagram.state_width()];
        let schedule = diagram.schedule_for_inputs_of(&[target]);
        let mut values = diagram.values::<f64>();
        values.arena_mut().fill(f64::NAN);
        diagram.evaluate_schedule(&schedule, 0.3, &state, &mut values);
        for (source, range) in diagram.blocks()[target].sources.iter().zip(&diagram.blocks()[target].inputs) {
            if let (Source::Output { block, port }, Some(range)) = (source, range) {
                prop_assert_eq!(values.get(range.clone()), naive(&diagram, &mixers, 0.3, &state, (*block, *port)));
            }
        }
        for (block, entry) in diagram.blocks().iter().enumerate() {
            let computed = schedule.outputs_of(block);
            for (port, range) in entry.outputs.iter().enumerate() {
                prop_assert_eq!(computed.contains(&port), values.get(range.clone())[0].is_finite());
            }
        }
    }

    #[test]
    fn calls_depending_on_a_block_are_those_whose_results_change_with_it(shapes in shapes(), moved in 0..64usize) {
        let (diagram, mixers) = build(shapes);
        let moved = moved % mixers.len();
        let state = vec![0.4; diagram.state_width()];
        let mut here = diagram.values::<f64>();
        diagram.evaluate(0.3, &state, &mut here);
        // The outputs of the block move; only the calls that depend on them are repeated.
        let mut part = here.clone();
        let mut full = here.clone();
        for values in [&mut part, &mut full] {
            for range in &diagram.blocks()[moved].outputs {
                values.arena_mut()[range.clone()].fill(0.77);
            }
        }
        let dependent = diagram.calls_depending_on(diagram.schedule(), moved).without(moved);
        diagram.evaluate_schedule(&dependent, 0.3, &state, &mut part);
        diagram.evaluate_schedule(&diagram.schedule().without(moved), 0.3, &state, &mut full);
        prop_assert_eq!(part.arena(), full.arena());
    }
}
