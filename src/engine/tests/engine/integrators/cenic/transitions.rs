//! Tests of `src/engine/integrators/cenic/rules/transitions.rs`.

use kinegraph_engine::integrators::CenicTuning;
use kinegraph_engine::integrators::cenic::rules::transitions::Transitions;

const ACCURACY: f64 = 1e-3;

fn searching() -> Transitions {
    let mut transitions = Transitions::default();
    transitions.search_to(ACCURACY);
    transitions
}

/// Steps of length 1 that wish to cross a transition at `at`: the accepted steps, and how many attempts were
/// repeated.
fn run(transitions: &mut Transitions, at: f64, until: f64) -> (Vec<(f64, f64)>, usize) {
    let (mut time, mut steps, mut repeated) = (0.0, Vec::new(), 0);
    while time < until {
        let mut h = transitions.begin(time, 1.0);
        while let Some(shorter) = transitions.shorten(time, h, time < at && at <= time + h, ACCURACY, h) {
            h = shorter;
            repeated += 1;
        }
        Transitions::accepted(transitions, h);
        steps.push((time, h));
        time += h;
    }
    (steps, repeated)
}

#[test]
fn a_transition_is_crossed_by_a_short_step() {
    for at in [3.01, 3.3, 3.7, 3.99, 4.0] {
        let (steps, repeated) = run(&mut searching(), at, 6.0);
        let &(_, h) = steps.iter().find(|(t, h)| *t < at && at <= t + h).expect("it is crossed");
        assert!(h <= 1.6 * ACCURACY.sqrt() / CenicTuning::DEFAULT.resolution, "{at}: {h}");
        assert!(
            repeated + steps.len() <= 6 + CenicTuning::DEFAULT.search_cost as usize + 2,
            "{at}: {repeated} {steps:?}"
        );
        assert!(steps.iter().all(|&(t, h)| h == 1.0 || (t - at).abs() < 2.0));
    }
}

/// A step that another rule cut to a millionth crosses it at once, unless that is all that control wants.
#[test]
fn what_cuts_a_step_makes_no_search_finer() {
    let mut transitions = searching();
    transitions.accepted(1.0);
    assert_eq!(transitions.shorten(0.0, 1e-6, true, ACCURACY, 1e-6), Some(5e-7));
    transitions.memory.search = None;
    assert_eq!(transitions.shorten(0.0, 1e-6, true, ACCURACY, 1.0), None);
    assert!(transitions.longest_crossing().is_none());
    let finest = ACCURACY.sqrt() / CenicTuning::DEFAULT.resolution;
    assert_eq!(transitions.shorten(0.0, 2.0 * finest, true, ACCURACY, 1.0), Some(finest));
    assert_eq!(transitions.longest_crossing(), Some(1.01 * finest));
}

#[test]
fn no_accuracy_is_an_edge() {
    let budget = |accuracy: f64| {
        let mut transitions = Transitions::default();
        transitions.search_to(accuracy);
        transitions.largest()
    };
    let CenicTuning { loosest_search, searches, search_cost, .. } = CenicTuning::DEFAULT;
    assert_eq!(budget(2.0 * loosest_search), 0.0);
    assert_eq!(budget(0.5 * loosest_search), searches * search_cost);
    // Budgets of accuracies a hundredth apart differ by a few hundredths.
    let accuracies = (0..200).map(|i| 1e-2 * f64::powi(0.99, i)).collect::<Vec<_>>();
    let jumps = accuracies.windows(2).map(|pair| (budget(pair[1]) - budget(pair[0])).abs());
    assert!(jumps.fold(0.0, f64::max) < 0.025 * searches * search_cost);
}

#[test]
fn in_a_heap_of_transitions_the_extra_work_is_bounded() {
    let mut transitions = searching();
    let (mut time, mut attempts, mut accepted) = (0.0, 0, 0);
    while time < 1000.0 {
        let mut h = transitions.begin(time, 1.0);
        attempts += 1;
        while let Some(shorter) = transitions.shorten(time, h, true, ACCURACY, h) {
            h = shorter;
            attempts += 1;
        }
        transitions.accepted(h);
        accepted += 1;
        time += h;
    }
    assert!(f64::from(attempts) < 1.2 * 1000.0 + transitions.largest(), "{attempts} attempts, {accepted} accepted");
}
