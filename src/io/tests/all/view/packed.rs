//! Arrays of numbers in JSON.

use kinegraph_io::view::Packed;

#[test]
fn numbers_are_unpacked_to_the_same_bits() {
    let all: [Packed; 3] =
        [vec![1.5_f32, f32::MIN_POSITIVE].into(), vec![0.1, -1e300].into(), vec![7_u32, u32::MAX].into()];
    for packed in all {
        let text = serde_json::to_string(&packed).unwrap();
        assert_eq!(serde_json::from_str::<Packed>(&text).unwrap(), packed, "{text}");
    }
    assert_eq!(serde_json::to_string(&Packed::from(vec![1_u32])).unwrap(), r#"{"u32":"AQAAAA=="}"#);
    assert!(serde_json::from_str::<Packed>(r#"{"f64":"AQAAAA=="}"#).is_err());
}
