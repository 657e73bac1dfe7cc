//! Spatial tendons against another engine: lengths, moment arms and accelerations of random models
//! (`data/spatial_tendons.json` states the version).

use kinegraph_systems::models::{LoadOptions, parse_mjcf};
use kinegraph_systems::multibody::{Base, Kinematics, PlantBuilder, TendonPath};
use kinegraph_systems::testing::Bench;
use serde_json::Value;

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

#[test]
fn lengths_moment_arms_and_accelerations_are_those_of_another_engine() {
    let data: Value = serde_json::from_str(include_str!("../../data/spatial_tendons.json")).unwrap();
    let (mut worst, mut count) = ([0.0_f64; 3], 0);
    for (number, case) in data["models"].as_array().unwrap().iter().enumerate() {
        let text = case["model"].as_str().unwrap();
        let model =
            parse_mjcf(text, "test.xml", &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}")).model;
        let tendons = model.scene.spatial_tendons.clone();
        let gravity = model.scene.gravity.unwrap().into();
        let plant = PlantBuilder::new().gravity(gravity).model("m", model, Base::fixed()).build().unwrap();
        let tree = plant.tree();
        for at in case["cases"].as_array().unwrap() {
            let state = numbers(&at["state"]);
            let (q, v) = state.split_at(tree.num_positions());
            let mut k = Kinematics::default();
            tree.position_kinematics(q, &mut k);
            tree.velocity_kinematics(v, &mut k);
            let rows = at["arms"].as_array().unwrap().iter().map(numbers);
            for ((tendon, length), row) in tendons.iter().zip(numbers(&at["length"])).zip(rows) {
                let path = TendonPath::new(tree, "m", &tendon.path).unwrap();
                let mut arms = vec![0.0; v.len()];
                path.push(tree, &k, 1.0, &mut arms);
                worst[0] = worst[0].max((path.length(tree, &k) - length).abs());
                let off = arms.iter().zip(&row).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(off < 1e-6, "model {number}, {}: {arms:?} instead of {row:?}", tendon.name);
                worst[1] = worst[1].max(off);
                // The rate is what the moment arms say.
                let rate: f64 = arms.iter().zip(v).map(|(arm, v)| arm * v).sum();
                assert!((path.rate(tree, &k) - rate).abs() < 1e-12 * (1.0 + rate.abs()));
                count += 1;
            }
            let rates = Bench::new(&plant).state(state.clone()).derivatives();
            let expected = numbers(&at["acceleration"]);
            let scale = expected.iter().fold(1.0, |a: f64, b| a.max(b.abs()));
            let off = rates[q.len()..].iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / scale;
            assert!(off < 1e-6, "model {number}: {:?} instead of {expected:?}", &rates[q.len()..]);
            worst[2] = worst[2].max(off);
        }
    }
    assert!(count == 144, "{count}");
    assert!(worst.iter().all(|worst| *worst < 1e-6), "{worst:?}");
}

/// One string over one shape, with its ends and its side site anywhere (`data/tendon_wraps.json`).
#[test]
fn a_string_over_a_shape_goes_the_way_of_another_engine() {
    let data: Value = serde_json::from_str(include_str!("../../data/tendon_wraps.json")).unwrap();
    let cases = data["cases"].as_array().unwrap();
    let mut wrapped = [0; 2];
    for (number, case) in cases.iter().enumerate() {
        let place = |key: &str| {
            let p = numbers(&case[key]);
            format!("{} {} {}", p[0], p[1], p[2])
        };
        let form = case["form"].as_str().unwrap();
        let (side, of_side) = match &case["side"] {
            Value::Null => (String::new(), ""),
            _ => (format!(r#"<site name="s" pos="{}"/>"#, place("side")), r#"sidesite="s""#),
        };
        let text = format!(
            r#"<mujoco><worldbody><geom name="g" type="{form}" size="{} 1" contype="0" conaffinity="0"/>
            <site name="a" pos="{}"/>{side}<body pos="{}"><freejoint/><inertial pos="0 0 0" mass="1"
            diaginertia="1 1 1"/><site name="b"/></body></worldbody><tendon><spatial><site site="a"/>
            <geom geom="g" {of_side}/><site site="b"/></spatial></tendon></mujoco>"#,
            case["radius"],
            place("from"),
            place("to"),
        );
        let model = parse_mjcf(&text, "test.xml", &LoadOptions::default()).unwrap_or_else(|e| panic!("{e}")).model;
        let tendon = model.scene.spatial_tendons[0].clone();
        let plant = PlantBuilder::new().model("m", model, Base::fixed()).build().unwrap();
        let tree = plant.tree();
        let mut k = Kinematics::default();
        tree.position_kinematics(tree.initial_positions(), &mut k);
        let path = TendonPath::new(tree, "m", &tendon.path).unwrap();
        let (length, expected) = (path.length(tree, &k), case["length"].as_f64().unwrap());
        assert!((length - expected).abs() < 1e-9, "{number}: {length} instead of {expected} in {case}");
        let mut arms = [0.0; 6];
        path.push(tree, &k, 1.0, &mut arms);
        let off = arms[3..].iter().zip(numbers(&case["arms"])).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(off < 1e-5, "{number}: {arms:?} in {case}");
        let ends = [numbers(&case["from"]), numbers(&case["to"])];
        let straight = ends[0].iter().zip(&ends[1]).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
        wrapped[usize::from(length > straight + 1e-6)] += 1;
    }
    assert!(wrapped.iter().all(|count| *count > 50), "{wrapped:?}");
}
