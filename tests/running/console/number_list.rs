//! Lists of numbers on the command line.

use kinegraph::cli::number_list::NumberList;

#[test]
fn lists_and_decades() {
    let read = |text: &str| text.parse::<NumberList>().map(|list| list.0);
    assert_eq!(read("1e-2, 3e-3"), Ok(vec![1e-2, 3e-3]));
    assert_eq!(read("1e-1..1e-4"), Ok(vec![1e-1, 1e-2, 1e-3, 1e-4]));
    assert_eq!(read("1e-4..1e-2"), Ok(vec![1e-4, 1e-3, 1e-2]));
    assert_eq!(read("5e-2..1e-3,1"), Ok(vec![5e-2, 5e-3, 1e-3, 1.0]));
    assert_eq!(read("0.1"), Ok(vec![0.1]));
    for wrong in ["", "a", "1..", "0", "-1", "1e-1..0", "inf"] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
}
