//! Measures of a run.

use kinegraph_io::sweep::Measure;

#[test]
fn text_and_back() {
    for text in
        ["end(plant.arm.j1.q)", "rms(a.b[0])", "crossing(x.y,-0.5)", "min(a.b)", "max(a.b)", "peak(a.b)", "mean(a.b)"]
    {
        assert_eq!(text.parse::<Measure>().unwrap().to_string(), text);
    }
    for wrong in ["end", "end()", "crossing(a)", "crossing(a,b)", "median(a)", "end(a,b)"] {
        assert!(wrong.parse::<Measure>().is_err(), "{wrong}");
    }
}
