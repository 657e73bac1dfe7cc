//! The values of a parameter as people write them.

use kinegraph_io::sweep::values::values;

#[test]
fn lists_and_ranges() {
    let read = |text: &str| values(text).map_err(|error| error.to_string());
    let all = |texts: &[&str]| Ok(texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>());
    assert_eq!(read("1, 2,5"), all(&["1", "2", "5"]));
    assert_eq!(read("0:1:11").map(|v| v[3].clone()), Ok("0.3".to_owned()));
    assert_eq!(read("1e-4:1e-1:4:log"), all(&["0.0001", "0.001", "0.01", "0.1"]));
    assert_eq!(read("0:1:2,7"), all(&["0", "1", "7"]));
    assert_eq!(read("5:9:1"), all(&["5"]));
    assert_eq!(read("[1,2],{a: 1, b: [2]}"), all(&["[1,2]", "{a: 1, b: [2]}"]));
    assert_eq!(read("\"a,b\",c"), all(&["\"a,b\"", "c"]));
    assert_eq!(read("a.urdf,b.urdf"), all(&["a.urdf", "b.urdf"]));
    for wrong in ["", "1,,2", "0:1:0", "0:1:x", "-1:1:3:log", "0:inf:3"] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
}
