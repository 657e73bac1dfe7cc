//! Two samples at each event, at one time, before and after it; all other samples are unchanged. Random pulses are
//! integrated, and a relay switches where the integral meets a level: events in closed form.

use crate::common::Random;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::integrators::{METHODS, Options};
use kinegraph::simulate::{Observer, Sample, Simulation};
use kinegraph::systems::dynamics::Integrator;
use kinegraph::systems::operators::{Relay, RelayParameters};
use kinegraph::systems::sources::Pulse;
use std::io;

/// Every multiple of it may be the time of an event.
const SAMPLE_TIME: f64 = 0.01;
const END: f64 = 1.0;

/// Time of each sample, and the pulse, its integral and the relay there.
#[derive(Clone, Debug, Default, PartialEq)]
struct Rows(Vec<(f64, [f64; 3])>);

impl Observer for Rows {
    fn sample(&mut self, sample: &mut Sample<'_>) -> io::Result<()> {
        let values = sample.values().try_into().expect("three channels");
        self.0.push((sample.time(), values));
        Ok(())
    }
}

fn rows(diagram: &Diagram, options: Options, events: bool) -> Vec<(f64, [f64; 3])> {
    let channels = ["pulse.output", "integral.output", "relay.output"].map(|name| diagram.find_channels(name).unwrap());
    let mut simulation = Simulation::new(diagram, options).unwrap();
    simulation.sample_events(events);
    let mut rows = Rows::default();
    simulation.advance_observing(END, SAMPLE_TIME, &channels.concat(), &mut rows).unwrap();
    rows.0
}

/// A diagram, the times of its edges, and that at which the relay switches.
fn random(random: &mut Random) -> (Diagram, Vec<f64>, f64) {
    let on_grid = random.part() < 0.5;
    let round = |time: f64| if on_grid { (time / SAMPLE_TIME).round() * SAMPLE_TIME } else { time };
    let (delay, period) = (round(random.between(0.05, 0.2)), round(random.between(0.3, 0.6)));
    let width = round(random.between(0.3, 0.7) * period);
    let level = round(random.between(0.2, 0.8) * width);
    let mut builder = DiagramBuilder::new("pulses");
    let pulse = builder.add("pulse", Pulse::new(1, 1.0, period, width / period, delay).unwrap());
    let integral = builder.add("integral", Integrator::new([0.0]).unwrap());
    let relay = RelayParameters {
        rise_at: level.into(),
        fall_at: (-1.0).into(),
        high: 1.0.into(),
        low: 0.0.into(),
        starts_high: false,
    };
    let relay = builder.add("relay", Relay::new(1, relay).unwrap());
    builder.connect(pulse.output, integral.input);
    builder.connect(integral.output, relay.input);
    let edges = (0..4).flat_map(|k| [0.0, width].map(|offset| delay + f64::from(k) * period + offset));
    (builder.build().unwrap(), edges.filter(|edge| *edge < END - 1e-6).collect(), delay + level)
}

#[test]
fn each_event_has_a_sample_before_it_and_one_behind() {
    let mut seed = Random(4711);
    for _ in 0..6 {
        let (diagram, edges, switched) = random(&mut seed);
        for method in METHODS {
            let options = Options::from(method);
            let (with, without) = (rows(&diagram, options, true), rows(&diagram, options, false));
            let mut twice: Vec<(f64, usize)> = Vec::new();
            for i in (1..with.len()).filter(|&i| with[i].0 == with[i - 1].0) {
                let ([(time, before), (_, after)], name) = ([with[i - 1], with[i]], method.name);
                let changed: Vec<usize> = [0, 2].into_iter().filter(|&k| before[k] != after[k]).collect();
                assert_eq!(changed.len(), 1, "{name} at {time} s: {before:?}, {after:?}");
                assert!((before[1] - after[1]).abs() < 1e-9, "{name}: the integral does not jump at {time} s");
                twice.push((time, changed[0]));
            }
            let mut expected: Vec<(f64, usize)> = edges.iter().map(|&edge| (edge, 0)).chain([(switched, 2)]).collect();
            expected.sort_by(|a, b| a.0.total_cmp(&b.0));
            assert_eq!(twice.len(), expected.len(), "{}: {twice:?} for {expected:?}", method.name);
            for (found, expected) in twice.iter().zip(&expected) {
                assert!((found.0 - expected.0).abs() < 1e-9 && found.1 == expected.1, "{}: {twice:?}", method.name);
            }
            // Samples that are not at an event are unchanged, to the last bit.
            let is_event = |row: &(f64, [f64; 3])| twice.iter().any(|event| event.0 == row.0);
            let others =
                |rows: &[(f64, [f64; 3])]| rows.iter().filter(|row| !is_event(row)).copied().collect::<Vec<_>>();
            assert_eq!(others(&with), others(&without), "{}", method.name);
            assert!(with.windows(3).all(|rows| rows[0].0 != rows[2].0), "{}: three samples at a time", method.name);
        }
    }
}
