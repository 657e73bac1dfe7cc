//! Height fields of MJCF files have sides and a bottom.

use crate::common::*;
use crate::mjcf_plants::*;
use kinegraph::systems::models::{LoadOptions, parse_mjcf};
use kinegraph::systems::multibody::{AssemblyWarning, Base, PlantBuilder};

/// A field of `n` times `n` heights over 2 m by 2 m, at most 0.2 m high, on a block of 0.5 m, and a ball of 0.1 m.
fn field(n: usize, heights: &[f64], gravity: &str, joints: &str, place: [f64; 3]) -> String {
    let elevation: Vec<String> = heights.iter().map(f64::to_string).collect();
    let [x, y, z] = place;
    format!(
        r#"<mujoco><option gravity="{gravity}"/><asset><hfield name="h" nrow="{n}" ncol="{n}" size="1 1 .2 .5"
elevation="{}"/></asset><worldbody><geom type="hfield" hfield="h"/><body pos="{x} {y} {z}">{joints}<geom size=".1"/>
</body></worldbody></mujoco>"#,
        elevation.join(" ")
    )
}

const ALONG_X: &str = r#"<joint type="slide" axis="1 0 0"/>"#;
const ALONG_Y: &str = r#"<joint type="slide" axis="0 1 0"/>"#;
const ALONG_Z: &str = r#"<joint type="slide" axis="0 0 1"/>"#;

/// A ball that is pressed against a side or the bottom rests there, one radius away.
#[test]
fn sides_and_bottom_of_height_fields_hold_bodies() {
    let hill: Vec<f64> = (0..25).map(|i| f64::from([0, 1, 2, 1, 0][i % 5])).collect();
    let rests = |gravity: &str, joint: &str, place: [f64; 3]| {
        end(&diagram(&field(5, &hill, gravity, joint, place), &[]), cenic(1e-4), 2.0)[0]
    };
    for (gravity, joint, place, way) in [
        ("-1 0 0", ALONG_X, [1.4, 0.3, -0.2], -0.3),
        ("1 0 0", ALONG_X, [-1.4, 0.3, -0.4], 0.3),
        ("0 -1 0", ALONG_Y, [0.0, 1.4, 0.05], -0.3),
        ("0 1 0", ALONG_Y, [0.0, -1.4, 0.1], 0.3),
        ("0 0 1", ALONG_Z, [0.3, 0.2, -0.9], 0.3),
    ] {
        let moved = rests(gravity, joint, place);
        assert!((moved - way).abs() < 1e-3, "pressed by {gravity}: {moved} m for {way} m");
    }
    // Above the rim of a hill that the side reaches up to, and beside the field, nothing holds.
    assert!(rests("0 -1 0", ALONG_Y, [0.0, 1.4, 0.35]) < -1.9);
    assert!(rests("0 0 -1", ALONG_Z, [1.2, 0.0, 0.3]) < -1.9);
}

/// A body that starts with its centre inside is reported, with the field; one that is deep in the surface, or beside,
/// is not.
#[test]
fn bodies_that_start_inside_a_height_field_are_reported() {
    let warnings = |z: f64| {
        let text = field(5, &[1.0; 25], "0 0 -1", "<freejoint/>", [0.3, 0.2, z]);
        let model = parse_mjcf(&text, "test.xml", &LoadOptions::default()).unwrap().model;
        let plant = PlantBuilder::new().model("m", model, Base::fixed()).build_with_warnings().unwrap();
        plant
            .1
            .into_iter()
            .filter(|warning| matches!(warning, AssemblyWarning::StartsInside { .. }))
            .collect::<Vec<_>>()
    };
    // Heights that are all alike are none: the surface is at zero, the bottom 0.5 m deep.
    for (z, inside) in [(0.25, false), (0.05, false), (-0.05, true), (-0.45, true), (-0.55, false)] {
        let found = warnings(z);
        assert_eq!(found.len(), usize::from(inside), "{z} m: {found:?}");
    }
    let text = warnings(-0.2)[0].to_string();
    assert!(text.contains("`m/body1` starts inside the triangles of `m/world`"), "{text}");
}
