//! Tests of `systems/models/mjcf/format.rs`.

use kinegraph_models::mjcf::format::{attributes, elements};

#[test]
fn elements_have_their_attributes() {
    assert!(elements().len() > 100);
    let geom = attributes("geom").unwrap();
    assert!(["type", "fromto", "solref", "fluidcoef"].iter().all(|word| geom.contains(word)), "{geom:?}");
    assert_eq!(attributes("geo"), None);
}
