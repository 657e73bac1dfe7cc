//! Tests of the search for the file that a misspelt path most likely means.

use kinegraph_files::nearest_file;
use std::path::Path;

#[test]
fn a_slip_in_a_path_finds_the_file() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples");
    for wrong in ["franka/franca.yaml", "frankka/franka.yaml", "franka/franka.yml"] {
        let found = nearest_file(&folder.join(wrong)).unwrap_or_default();
        assert!(found.ends_with("examples/franka/franka.yaml"), "{wrong}: {found}");
    }
    assert_eq!(nearest_file(&folder.join("franka/zzz.yaml")), None);
    assert_eq!(nearest_file(&folder.join("nothing/at/all.yaml")), None);
}
