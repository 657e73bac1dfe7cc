//! Conditions that end a run.

use kinegraph::diagram::DiagramBuilder;
use kinegraph::integrators::Options;
use kinegraph::simulate::{Simulation, StopCondition, stopping_when};
use kinegraph::systems::operators::{Expression, Integrator};

fn falling(conditions: &[(&str, &str)], options: Options) -> Simulation {
    let mut b = DiagramBuilder::new("falling");
    let a = b.add("a", Expression::new(&[], &["-10"]).unwrap());
    let v = b.add("v", Integrator::new(vec![0.0]).unwrap());
    let z = b.add("z", Integrator::new(vec![5.0]).unwrap());
    b.connect(a.output, v.input);
    b.connect(v.output, z.input);
    let of = |&(name, condition): &(&str, &str)| StopCondition { name: name.into(), condition: condition.into() };
    let conditions: Vec<StopCondition> = conditions.iter().map(of).collect();
    Simulation::new(&stopping_when(&b.build().unwrap(), &conditions).unwrap(), options).unwrap()
}

#[test]
fn a_run_ends_at_the_exact_time_of_the_first_condition() {
    for options in [Options::dopri5(1e-9), Options::cenic(1e-3)] {
        let conditions = [("low", "z.output < 1.8"), ("fast", "v.output < -9 and t > 0.1"), ("late", "t > 3")];
        let mut run = falling(&conditions, options);
        let mut samples = Vec::new();
        run.advance_sampling(4.0, 0.25, |state| samples.push(state.time)).unwrap();
        // z = 5 - 5 t^2 is 1.8 at 0.8 s, v = -10 t is -9 at 0.9 s.
        assert_eq!(run.stopped_by(), Some("low"));
        assert!((run.time() - 0.8).abs() < 1e-12, "{}", run.time());
        assert_eq!(samples[..4], [0.0, 0.25, 0.5, 0.75]);
        assert_eq!((samples.len(), samples[4]), (5, run.time()));
    }
}

#[test]
fn a_condition_that_is_true_at_the_start_ends_the_run_there() {
    let mut run = falling(&[("high", "z.output > 4")], Options::dopri5(1e-6));
    let mut samples = 0;
    run.advance_sampling(1.0, 0.1, |_| samples += 1).unwrap();
    assert_eq!((run.time(), run.stopped_by(), samples), (0.0, Some("high"), 1));
}

#[test]
fn a_run_without_its_condition_is_the_same_to_the_last_bit() {
    let mut with = falling(&[("never", "z.output > 6")], Options::dopri5(1e-6));
    let mut without = falling(&[], Options::dopri5(1e-6));
    with.advance_to(1.0).unwrap();
    without.advance_to(1.0).unwrap();
    assert_eq!(with.state().continuous, without.state().continuous);
    assert_eq!(with.stopped_by(), None);
}
