//! Tests of `src/engine/simulate/report.rs`.

use kinegraph_engine::simulate::{Channels, RunReport, Statistics, Status};

#[test]
fn the_json_object_has_the_documented_keys_in_order() {
    let report = RunReport {
        diagram: "d".into(),
        integrator: "icf".into(),
        accuracy: None,
        duration: 1.0,
        sim_time: 1.0,
        stopped_by: None,
        wall_s: 0.5,
        real_time_factor: 2.0,
        statistics: Statistics::default(),
        profile: None,
        starts_violated: Vec::new(),
        lost: Vec::new(),
        energy_start: Some(1.0),
        energy_doubt: None,
        requirements: Vec::new(),
        energy_end: Some(1.0),
        final_state: Channels(vec![("plant.z.q".into(), 1.0), ("plant.a.q".into(), f64::NAN)]),
        status: Status::Done,
    };
    let text = serde_json::to_string(&report).expect("JSON");
    let keys = "diagram integrator accuracy duration sim_time wall_s real_time_factor steps rejected_steps solves \
        solver_iterations factorizations linesearch_evaluations geometry_queries largest_step smallest_step \
        max_contacts max_penetration truncated_contacts max_truncated_contacts unsettled_solves max_residual \
        energy_start energy_end final_state status";
    let mut from = 0;
    for key in keys.split_whitespace() {
        let place = text[from..].find(&format!("\"{key}\":"));
        from += place.unwrap_or_else(|| panic!("{key} is missing or out of order in {text}"));
    }
    let object: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(object.as_object().map(|o| o.len()), Some(keys.split_whitespace().count()));
    assert!(text.contains(r#""final_state":{"plant.z.q":1.0,"plant.a.q":null},"status":"done"}"#));
}
