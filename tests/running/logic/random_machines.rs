//! Random machines, and parts that they enable, trigger and reset, against the script.

use super::reference::{Case, History, SIGNALS};
use kinegraph::diagram::{Diagram, DiagramBuilder, HeldAs, States, When};
use kinegraph::integrators::Options;
use kinegraph::simulate::Simulation;
use kinegraph::systems::control::StateMachine;
use kinegraph::systems::dynamics::ZeroOrderHold;
use kinegraph::systems::operators::{Expression, Integrator};
use kinegraph::systems::{Crossing, Sampling};

const END: f64 = 6.0;
const ACCURACY: f64 = 1e-6;
/// Rate of what the enabled parts integrate \[rad/s\].
const RATE: f64 = 1.3;

/// An integrator as a diagram.
fn integral() -> DiagramBuilder {
    let mut b = DiagramBuilder::new("integral");
    let x = b.add("x", Integrator::new(vec![0.0]).unwrap());
    b.export_input("u", x.input);
    b.export_output("y", x.output);
    b
}

/// A diagram of a machine over a source, a formula of a source and an integral of one, with parts that depend on it.
fn diagram(case: &Case) -> Diagram {
    let mut b = DiagramBuilder::new("machine");
    b.add("mode", StateMachine::new(&case.machine()).unwrap());
    for i in 0..SIGNALS {
        let [a, w, p] = case.signals[i];
        if i == 1 {
            let rate = b.add("rate", Expression::new(&[], &[&format!("{}*cos({w}*t + {p})", a * w)]).unwrap());
            let x = b.add("x", Integrator::new(vec![a * p.sin()]).unwrap());
            b.connect(rate.output, x.input);
            b.connect_paths("x.output", format!("mode.s{i}"));
        } else {
            let name = format!("s{i}");
            b.add(&name, Expression::new(&[], &[&format!("{a}*sin({w}*t + {p})")]).unwrap());
            b.connect_paths(format!("{name}.output"), format!("mode.s{i}"));
        }
    }
    b.add("wave", Expression::new(&[], &[&format!("cos({RATE}*t)")]).unwrap());
    let mut add = |name: &str, part: DiagramBuilder, when: When, signal: &str| {
        b.add_diagram_when(name, part, when).unwrap();
        b.connect_paths(signal, format!("{name}.{}", when.input()));
        b.connect_paths(if name == "sample" { "s0.output" } else { "wave.output" }, format!("{name}.u"));
    };
    add("held", integral(), When::Enabled(States::Hold, HeldAs::Last), "mode.is_m0");
    add("anew", integral(), When::Enabled(States::Reset, HeldAs::Last), "mode.is_m0");
    add("zero", integral(), When::Enabled(States::Reset, HeldAs::Zero), "mode.is_m0");
    add("since", integral(), When::Reset(Crossing::Rising), "mode.changed");
    let mut sample = DiagramBuilder::new("sample");
    let hold = sample.add("hold", ZeroOrderHold::new(1, Sampling::every(0.1), 0.0).unwrap());
    sample.export_input("u", hold.input);
    sample.export_output("y", hold.output);
    add("sample", sample, When::Triggered(Crossing::Rising), "mode.changed");
    b.build().unwrap()
}

fn options() -> Options {
    Options { max_step: 0.01, ..Options::dopri5(ACCURACY) }
}

fn run(diagram: &Diagram) -> (History, Simulation) {
    let mut simulation = Simulation::new(diagram, options()).unwrap();
    let mut history = History::default();
    let mut seen = 0.0;
    simulation.advance_to(0.0).unwrap();
    loop {
        let count = simulation.channel("mode.transitions").unwrap();
        if count != seen {
            let state = simulation.channel("mode.state").unwrap() as usize;
            // Of several transitions at one time the last state is seen.
            (0..(count - seen) as usize).for_each(|_| history.moves.push((simulation.time(), state)));
            seen = count;
        }
        if simulation.time() >= END {
            break;
        }
        simulation.step(END).unwrap();
    }
    (history, simulation)
}

/// Expected outputs of the parts: held, anew, zero, since, sample.
fn expected(case: &Case, history: &History) -> [f64; 5] {
    let integral = |from: f64, to: f64| ((RATE * to).sin() - (RATE * from).sin()) / RATE;
    let mut spans: Vec<(f64, usize)> = vec![(0.0, 0)];
    spans.extend(&history.moves);
    let end = |i: usize| spans.get(i + 1).map_or(END, |(t, _)| *t);
    let (mut held, mut anew, mut before) = (0.0, 0.0, false);
    for (i, &(from, state)) in spans.iter().enumerate() {
        // A passage at one instant leaves the state and enters it again, which begins anew.
        if state == 0 {
            held += integral(from, end(i));
            anew = if before { anew } else { 0.0 } + integral(from, end(i));
        }
        before = state == 0;
    }
    let last = spans[spans.len() - 1];
    let sample = if history.moves.is_empty() { 0.0 } else { case.signal(0, last.0) };
    [held, anew, if before { anew } else { 0.0 }, integral(last.0, END), sample]
}

#[test]
fn random_machines_and_their_parts_follow_the_script() {
    let (mut cases, mut moves, mut seed) = (0, 0, 4900);
    while cases < 300 {
        seed += 1;
        let case = Case::random(seed);
        let Some(expected_history) = case.follow(END) else { continue };
        cases += 1;
        let (history, mut simulation) = run(&diagram(&case));
        let machine = case.machine();
        assert_eq!(
            history.moves.len(),
            expected_history.moves.len(),
            "seed {seed}: {history:?} {expected_history:?}\n{machine:#?}"
        );
        for (i, (found, script)) in history.moves.iter().zip(&expected_history.moves).enumerate() {
            assert!((found.0 - script.0).abs() <= 5.0 * ACCURACY, "seed {seed}, move {i}: {found:?} for {script:?}");
            let is_last_of_instant = expected_history.moves.get(i + 1).is_none_or(|next| next.0 > script.0);
            assert!(!is_last_of_instant || found.1 == script.1, "seed {seed}, move {i}: {found:?} for {script:?}");
        }
        let discrete = &simulation.state().discrete;
        let block = simulation.diagram().blocks().iter().find(|block| block.name == "mode").unwrap();
        assert_eq!(discrete[block.discrete.clone()][5], expected_history.sum, "seed {seed}");
        let expected = expected(&case, &expected_history);
        for (name, expected) in ["held.y", "anew.y", "zero.y", "since.y", "sample.y"].into_iter().zip(expected) {
            let found = simulation.channel(name).unwrap();
            assert!(
                (found - expected).abs() < 50.0 * ACCURACY,
                "seed {seed}, {name}: {found} for {expected}\n{machine:#?}"
            );
        }
        moves += history.moves.len();
    }
    assert!(moves > 1000, "{moves} transitions");
}

#[test]
fn a_run_continues_from_a_snapshot_to_the_last_bit() {
    let cases = (4901..).map(Case::random).filter(|case| case.follow(END).is_some_and(|h| h.moves.len() > 3));
    for case in cases.take(20) {
        let diagram = diagram(&case);
        let (_, whole) = run(&diagram);
        let mut first = Simulation::new(&diagram, options()).unwrap();
        while first.time() < 0.4 * END {
            first.step(END).unwrap();
        }
        let mut second = Simulation::new(&diagram, options()).unwrap();
        second.restore(&first.snapshot()).unwrap();
        while second.time() < END {
            second.step(END).unwrap();
        }
        assert_eq!(second.state(), whole.state());
    }
}
