//! Tests of `src/cli/waiting_acts.rs`.

use kinegraph::cli::waiting_acts::WaitingActs;
use kinegraph::simulate::Act;

fn tune(path: &str, value: f64) -> Act {
    Act::Tune { path: path.into(), values: vec![value] }
}

fn place(value: f64) -> Act {
    Act::Place { channel: "plant.arm.joint1.q".into(), value }
}

#[test]
fn of_values_of_the_same_thing_the_last_one_waits() {
    let mut waiting = WaitingActs::default();
    for i in 0..10_000 {
        let act = match i % 3 {
            0 => tune("systems.pid.kp", f64::from(i)),
            1 => tune("systems.pid.kd", f64::from(i)),
            _ => Act::Drag { target: [f64::from(i), 0.0, 0.0] },
        };
        assert!(waiting.push(act));
    }
    let left: Vec<Act> = waiting.take().collect();
    let last = Act::Drag { target: [9998.0, 0.0, 0.0] };
    assert_eq!(left, [tune("systems.pid.kp", 9999.0), tune("systems.pid.kd", 9997.0), last]);
}

#[test]
fn acts_that_are_no_values_are_not_overtaken() {
    let mut waiting: WaitingActs = [place(1.0), Act::Release, place(2.0)].into_iter().collect();
    assert!(waiting.push(place(3.0)));
    let left: Vec<Act> = waiting.take().collect();
    assert_eq!(left, [place(1.0), Act::Release, place(3.0)]);
}

#[test]
fn acts_beyond_the_limit_are_refused() {
    let mut waiting = WaitingActs::default();
    let taken = (0..1000).filter(|i| waiting.push(tune(&format!("systems.s{i}.gain"), 1.0))).count();
    assert_eq!((taken, waiting.take().count()), (256, 256));
    assert!(waiting.pop().is_none());
}
