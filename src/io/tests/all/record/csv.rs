//! Samples as comma-separated values.

use kinegraph_diagram::{Diagram, DiagramBuilder};
use kinegraph_engine::simulate::{Observer, RunStart, Sampler};
use kinegraph_io::record::csv::CsvSink;
use kinegraph_systems::dynamics::Integrator;

/// Two integrators, whose outputs are their states.
fn diagram() -> Diagram {
    let mut builder = DiagramBuilder::new("two");
    for name in ["a", "b"] {
        let block = builder.add(name, Integrator::new([0.0]).unwrap());
        builder.fix(block.input, [0.0]);
    }
    builder.build().unwrap()
}

fn start<'a>(diagram: &'a Diagram, channels: &'a [kinegraph_diagram::Channel]) -> RunStart<'a> {
    RunStart { diagram, channels, time: 0.0, end: 1.0, every: 0.1, integrator: "rk3", accuracy: None }
}

#[test]
fn rows_read_back_to_the_same_numbers() {
    let rows = [(0.0, [1.0 / 3.0, -1e-300]), (0.1 + 0.2, [f64::MAX, 5e-324])];
    let diagram = diagram();
    let channels = [diagram.find_channels("a.output").unwrap(), diagram.find_channels("b.output").unwrap()];
    let channels = channels.concat();
    let mut sampler = Sampler::new(&diagram, &channels);
    let start = start(&diagram, &channels);
    let mut bytes = Vec::new();
    let mut sink = CsvSink::new(&mut bytes);
    sink.begin(&start).expect("header");
    for (time, values) in &rows {
        let mut state = diagram.initial_state();
        (state.time, state.continuous) = (*time, values.to_vec());
        sink.sample(&mut sampler.sample(&state, &[])).expect("row");
    }
    sink.end().expect("flush");
    drop(sink);

    let mut reader = csv::Reader::from_reader(bytes.as_slice());
    assert_eq!(reader.headers().expect("header"), vec!["time", "a.output", "b.output"]);
    let read: Vec<(f64, [f64; 2])> = reader.deserialize().map(|row| row.expect("a row")).collect();
    assert_eq!(read, rows);
}

#[test]
fn a_sample_of_the_wrong_width_is_an_error_not_a_crooked_table() {
    let diagram = diagram();
    let channels = diagram.find_channels("a.output").unwrap();
    let mut sink = CsvSink::new(Vec::new());
    let both = [&channels[..], &channels[..]].concat();
    sink.begin(&start(&diagram, &both)).expect("header");
    let state = diagram.initial_state();
    assert!(sink.sample(&mut Sampler::new(&diagram, &channels).sample(&state, &[])).is_err());
}
