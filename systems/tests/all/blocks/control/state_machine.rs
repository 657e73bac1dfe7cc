//! State machines.

use kinegraph_core::port::{Tick, Witness};
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::control::{
    Machine, MachineError, MachinePlace, MachineState, StateMachine, StateName, StatePart,
};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    Search,
    SwingUp,
    Fault,
}
impl StateName for Mode {}

fn description() -> Machine<Mode> {
    let mut fault = MachineState::new(Mode::Fault).output("gain", 0);
    fault.is_final = true;
    Machine {
        inputs: vec!["position".into(), "speed".into()],
        outputs: vec![("gain".into(), 1), ("goal".into(), 2)],
        variables: vec![("count".into(), 2.0)],
        states: vec![
            MachineState {
                outputs: vec![
                    ("gain".into(), vec!["1".into()]),
                    ("goal".into(), vec!["$input.speed".into(), "t".into()]),
                ],
                ..MachineState::new(Mode::Search)
            }
            .goes_to(Mode::SwingUp, "position > 0.5 and speed < 0.1")
            .goes_to(Mode::Fault, "after 10 s"),
            MachineState::new(Mode::SwingUp)
                .output("gain", "3*position + count")
                .on_enter("count", "count + 1")
                .goes_to(Mode::Search, "every 0.5 s and speed > 2")
                .on_exit("count", "10*count"),
            fault,
        ],
        initial: Mode::Search,
    }
}

/// The block in a state: its number, the time of entry, and what it has kept.
fn bench(block: &StateMachine, discrete: [f64; 10], at: f64, inputs: [f64; 2]) -> Bench<'_> {
    let bench = Bench::new(block).discrete(discrete).time(at);
    block.inputs.iter().zip(inputs).fold(bench, |bench, (&port, value)| bench.input(port, [value]))
}

const START: [f64; 10] = [0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0];

#[test]
fn conforms() {
    conformance::check(&StateMachine::new(&description()).unwrap());
}

#[test]
fn outputs_are_those_of_the_state_or_kept() {
    let block = StateMachine::new(&description()).unwrap();
    let search = bench(&block, START, 4.0, [0.2, 7.0]);
    assert_eq!([search.eval(block.outputs[0]), search.eval(block.outputs[1])], [vec![1.0], vec![7.0, 4.0]]);
    assert_eq!(search.eval(block.is(&Mode::Search).unwrap()), [1.0]);
    assert_eq!([search.eval_named("is_swing_up"), search.eval_named("count")], [[0.0], [2.0]]);
    let mut swing = START;
    (swing[0], swing[7], swing[8]) = (1.0, 5.0, 6.0);
    let swing = bench(&block, swing, 4.0, [0.2, 7.0]);
    assert_eq!([swing.eval(block.outputs[0]), swing.eval(block.outputs[1])], [vec![3.0 * 0.2 + 2.0], vec![5.0, 6.0]]);
    assert_eq!(swing.jacobian(block.inputs[0], block.outputs[0])[(0, 0)], 3.0);
    assert_eq!(block.states().collect::<Vec<_>>(), ["search", "swing_up", "fault"]);
}

#[test]
fn a_transition_keeps_outputs_and_runs_actions() {
    let block = StateMachine::new(&description()).unwrap();
    let due = bench(&block, START, 4.0, [0.75, 0.0]);
    // The margin of `and` is the smaller one.
    assert_eq!(due.witnesses()[0], 0.1);
    let (_, swing) = due.reset(Witness { index: 0 });
    assert_eq!(swing, [1.0, 4.0, 0.0, 1.0, 1.0, 3.0, 1.0, 0.0, 4.0, 4.0]);
    // While `changed` is 1 nothing else is due but its end.
    let changed = bench(&block, swing.clone().try_into().unwrap(), 4.0, [0.75, 3.0]);
    assert_eq!(changed.witnesses(), [-1.0, 1.0, -1.0]);
    let (_, settled) = changed.reset(Witness { index: 1 });
    assert_eq!(settled[3], 0.0);
    // `every` is due at its multiples, and counts on if its condition is not true.
    let settled: [f64; 10] = settled.try_into().unwrap();
    let early = bench(&block, settled, 4.375, [0.75, 3.0]);
    assert_eq!(early.witnesses(), [-0.5, -1.0, -0.125]);
    let idle = bench(&block, settled, 4.5, [0.75, 1.0]);
    assert_eq!(idle.reset(Witness { index: 2 }).1[9], 4.5);
    let (_, search) = bench(&block, settled, 4.5, [0.75, 3.0]).reset(Witness { index: 2 });
    assert_eq!((search[0], search[5], search[6]), (0.0, 30.0, 3.0 * 0.75 + 3.0));
}

#[test]
fn a_state_around_others_goes_first_and_is_entered_and_left() {
    let state = |name: &str| MachineState::new(name.to_owned());
    let mut work = state("work").on_enter("trace", "trace*10 + 1").on_exit("trace", "trace*10 + 2").output("power", 5);
    work.states = vec![
        state("near").on_enter("trace", "trace*10 + 3").goes_to("far".to_owned(), "x > 1"),
        state("far").output("power", 7).on_exit("trace", "trace*10 + 4").goes_to("near".to_owned(), "x < 0"),
    ];
    work = work.goes_to("rest".to_owned(), "x > 5");
    let machine = Machine {
        inputs: vec!["x".into()],
        outputs: vec![("power".into(), 1)],
        variables: vec![("trace".into(), 0.0)],
        states: vec![state("rest").goes_to("work".to_owned(), "x > 0"), work],
        initial: "rest".to_owned(),
    };
    let block = StateMachine::new(&machine).unwrap();
    assert_eq!(block.states().collect::<Vec<_>>(), ["rest", "work.near", "work.far"]);
    let at = |discrete: &[f64], x: f64| {
        let discrete: [f64; 7] = discrete.try_into().unwrap();
        Bench::new(&block).discrete(discrete).time(2.0).input(block.inputs[0], [x])
    };
    let moved = |discrete: &[f64], x: f64| {
        let mut next = at(discrete, x).reset(Witness { index: 0 }).1;
        next[3] = 0.0;
        next
    };
    let rest = at(&[0.0; 7], 0.5).update(Tick { index: 0 });
    let near = moved(&rest, 0.5);
    assert_eq!((near[0], near[5]), (1.0, 13.0));
    assert_eq!([at(&near, 0.5).eval_named("is_work"), at(&near, 0.5).eval_named("is_near")], [[1.0], [1.0]]);
    assert_eq!(at(&near, 0.5).eval_named("power"), [5.0]);
    let far = moved(&near, 2.0);
    assert_eq!((far[0], far[5], at(&far, 2.0).eval_named("power")), (2.0, 13.0, vec![7.0]));
    // The state around it goes before the state itself; inner exits come before outer ones.
    let rest = moved(&far, 6.0);
    assert_eq!((rest[0], rest[5]), (0.0, 1342.0));
    // An output that no state gives a value keeps the last one.
    assert_eq!(at(&rest, 6.0).eval_named("power"), [7.0]);
}

#[test]
fn all_faults_are_reported_together_with_their_places() {
    let state = |name: &str| MachineState::new(name.to_owned());
    let mut two = state("two").goes_to("one".to_owned(), "x > ");
    two.is_final = true;
    let machine = Machine {
        inputs: vec!["x".into(), "sin".into()],
        outputs: vec![("y".into(), 1), ("state".into(), 1), ("wide".into(), 2)],
        variables: vec![("x".into(), 0.0)],
        states: vec![
            state("one").output("z", 1).output("y", "if(x > 1, 2, 3)").goes_to("tow".to_owned(), "x > 1"),
            two,
            state("one").on_enter("wide", 1).on_enter("cout", 1).on_enter("x", 1).output("wide", "1"),
        ],
        initial: "zero".to_owned(),
    };
    let Err(MachineError { faults }) = StateMachine::new(&machine) else { panic!("it is accepted") };
    let expected = [
        (MachinePlace::Input(1), "has a meaning in expressions"),
        (MachinePlace::Variable(0), "this name is given twice"),
        (MachinePlace::Output(1), "every machine has an output `state`"),
        (MachinePlace::State(2, None, StatePart::Itself), "there are two states `one`"),
        (MachinePlace::State(0, None, StatePart::Output(0)), "`one` has no output `z`"),
        (MachinePlace::State(0, None, StatePart::Output(1)), "what depends on a condition is a state of its own"),
        (MachinePlace::State(0, None, StatePart::To(0)), "there is no state `tow`; did you mean `two`?"),
        (MachinePlace::State(1, None, StatePart::To(0)), "`two` is final and has transitions"),
        (MachinePlace::State(1, None, StatePart::To(0)), "`x > `, column 5: expected a number, a name or `(`"),
        (MachinePlace::State(2, None, StatePart::Output(0)), "`wide` has 2 numbers, 1 are given"),
        (MachinePlace::State(2, None, StatePart::Enter(1)), "`cout` is neither a variable nor an output"),
        (MachinePlace::Initial, "initial: there is no state `zero`"),
    ];
    for (place, message) in expected {
        let found = faults.iter().any(|fault| fault.place == place && fault.message.contains(message));
        assert!(found, "{place:?} {message}\n{faults:#?}");
    }
}
