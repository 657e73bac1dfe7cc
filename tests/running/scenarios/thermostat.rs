//! A room of time constant T between 5 °C (heater off) and 40 °C (on), switched at 19 and 21 °C: it warms in
//! `T ln((40 - from)/(40 - to))` and cools in `T ln((from - 5)/(to - 5))`.

use super::{check_hybrid, open};
use kinegraph::diagram::DiagramBuilder;
use kinegraph::simulate::Simulation;
use kinegraph::systems::dynamics::{Counter, FirstOrderLag};
use kinegraph::systems::operators::{Adder, Gain, Relay, RelayParameters};
use kinegraph::systems::sources::Constant;

const T: f64 = 1200.0;

fn by_hand() -> DiagramBuilder {
    let mut b = DiagramBuilder::new("thermostat");
    let [rise_at, fall_at, high, low] = [21.0, 19.0, 0.0, 1.0].map(Into::into);
    let relay = RelayParameters { rise_at, fall_at, high, low, starts_high: false };
    let thermostat = b.add("thermostat", Relay::new(1, relay).unwrap());
    let heater = b.add("heater", Gain::new(1, 35.0).unwrap());
    let outside = b.add("outside", Constant::new([5.0]).unwrap());
    let tends_to = b.add("tends_to", Adder::new(1, [1.0, 1.0]).unwrap());
    let room = b.add("room", FirstOrderLag::new(1, T, 1.0, 15.0).unwrap());
    let cycles = b.add("cycles", Counter::new(0.5, None).unwrap());
    b.connect(room.output, thermostat.input);
    b.connect(thermostat.output, heater.input);
    b.connect(heater.output, tends_to.inputs[0]);
    b.connect(outside.output, tends_to.inputs[1]);
    b.connect(tends_to.output, room.input);
    b.connect(thermostat.output, cycles.input);
    b
}

fn warming(from: f64, to: f64) -> f64 {
    T * ((40.0 - from) / (40.0 - to)).ln()
}

fn cooling(from: f64, to: f64) -> f64 {
    T * ((from - 5.0) / (to - 5.0)).ln()
}

/// Temperature, and the number of times that the heater was switched on since the start.
fn exact(t: f64) -> (f64, f64) {
    let first = warming(15.0, 21.0);
    if t < first {
        return (40.0 - 25.0 * (-t / T).exp(), 0.0);
    }
    let (off, on) = (cooling(21.0, 19.0), warming(19.0, 21.0));
    let cycles = ((t - first) / (off + on)).floor();
    let t = t - first - cycles * (off + on);
    match t < off {
        true => (5.0 + 16.0 * (-t / T).exp(), cycles),
        false => (40.0 - 21.0 * (-(t - off) / T).exp(), cycles + 1.0),
    }
}

#[test]
fn temperature_and_period_of_a_thermostat() {
    let scenario = open("examples/thermostat/thermostat.yaml", by_hand());
    check_hybrid(&scenario, &["room"], |t| vec![exact(t).0]);
    let mut simulation = Simulation::new(&scenario.diagram, scenario.options).unwrap();
    simulation.advance_to(scenario.duration).unwrap();
    assert_eq!(simulation.channel("cycles.output").unwrap(), exact(scenario.duration).1);
}
