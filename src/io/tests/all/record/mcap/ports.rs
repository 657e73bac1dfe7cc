//! The record of each output.

use kinegraph_io::record::mcap::ports::recorded;
use kinegraph_scenario::Scenario;
use serde_json::{Value, json};

#[test]
fn names_lead_to_the_numbers() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../examples/double_pendulum/double_pendulum.yaml");
    let diagram = Scenario::open(file).unwrap().diagram;
    let channels = diagram.find_channels("plant.state").unwrap();
    let (ports, recorded) = recorded(&diagram, &channels);
    let values: Vec<f64> = (0..channels.len()).map(|i| 0.5 + i as f64).collect();
    let mut text = Vec::new();
    ports[0].write(&values, &mut text).unwrap();
    let message: Value = serde_json::from_slice(&text).unwrap();
    assert_eq!((ports.len(), &*ports[0].topic), (1, "/plant/state"));
    for (channel, value) in recorded.iter().zip(&values) {
        let found = channel.path.iter().fold(&message, |at, name| &at[name]);
        assert_eq!(found.as_f64(), Some(*value), "{channel:?} {message}");
        assert_eq!(channel.name, format!("plant.{}", channel.path.join(".")));
    }
    assert_eq!(recorded[0].unit, "rad");
    let schema = &ports[0].schema["properties"]["pendulum"]["properties"]["j1"]["properties"]["q"];
    assert_eq!(*schema, json!({ "type": "number", "description": "rad" }));
}
