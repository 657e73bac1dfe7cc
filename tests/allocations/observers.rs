//! Observing a run does not allocate after each kind of value was read once.

use kinegraph::simulate::{Observer, Sample, Scenario};
use std::io;

/// Observer that reads every value, and counts the allocations.
struct Curious {
    samples: usize,
    allocations: u64,
}

impl Observer for Curious {
    fn sample(&mut self, sample: &mut Sample<'_>) -> io::Result<()> {
        let look = |sample: &mut Sample<'_>| {
            let numbers = sample.values().len() + sample.poses(0).len() + sample.contacts(0).len();
            numbers + sample.belt_speeds(0).len() + sample.switches(0).map_or(0, |switches| switches.active.len())
        };
        let mut seen = 0;
        let counted = allocation_counter::measure(|| seen = look(sample)).count_total;
        assert!(seen > 0);
        // The first time memory takes its size.
        if self.samples > 0 {
            self.allocations += counted;
        }
        self.samples += 1;
        Ok(())
    }
}

#[test]
fn samples_do_not_allocate_after_the_first() {
    for example in ["franka", "vacuum", "conveyor", "pick_and_place", "double_pendulum", "clutter"] {
        let scenario = Scenario::open(format!("examples/{example}/{example}.yaml")).unwrap();
        let mut curious = Curious { samples: 0, allocations: 0 };
        let mut simulation = scenario.simulation().unwrap();
        simulation.advance_observing(0.2, 0.0037, &scenario.channels, &mut curious).unwrap();
        assert_eq!((curious.samples, curious.allocations), (1 + 54 + 1, 0), "{example}");
    }
}
