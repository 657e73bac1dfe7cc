//! Channels over time.

use kinegraph_io::plot::time_plot::{MAX_LINES, MAX_PANELS, label, range, time_range};
use kinegraph_io::plot::{Series, TimePlot};

fn series(name: &str, unit: &str, sampled: bool, values: Vec<f64>) -> Series {
    Series { name: name.into(), unit: unit.into(), sampled, values }
}

#[test]
fn each_unit_has_its_panels_and_none_is_crowded() {
    let mut plot = TimePlot { title: "t".into(), times: vec![0.0, 1.0], series: Vec::new() };
    for i in 0..13 {
        plot.series.push(series(&format!("q{i}"), "rad", false, vec![0.0, 1.0]));
        plot.series.push(series(&format!("v{i}"), "rad/s", false, vec![0.0, 1.0]));
    }
    let panels: Vec<(&str, usize)> = plot.panels().iter().map(|p| (p.unit, p.series.len())).collect();
    assert_eq!(panels, [("rad", 10), ("rad", 3), ("rad/s", 10), ("rad/s", 3)]);
    let many = (0..MAX_LINES * MAX_PANELS + 5).map(|i| series(&i.to_string(), "m", false, vec![0.0, 1.0]));
    plot.series = many.collect();
    let panels = plot.panels();
    assert_eq!((panels.len(), panels[MAX_PANELS - 1].left_out), (MAX_PANELS, 5));
}

#[test]
fn lines_break_at_events_and_samples_are_held() {
    let held = series("u", "", true, vec![1.0, 1.0, 2.0, 3.0]);
    let plot = TimePlot { title: String::new(), times: vec![0.0, 1.0, 1.0, 2.0], series: vec![held] };
    assert_eq!(plot.pieces(), [0..2, 2..4]);
    assert_eq!(plot.points(&plot.series[0], 2..4), [(1.0, 2.0), (2.0, 2.0), (2.0, 3.0)]);
}

#[test]
fn a_constant_has_a_range_and_what_is_no_number_does_not_count() {
    let around = range([5.0, f64::NAN, 5.0].into_iter());
    assert!(around.start < 5.0 && around.end > 5.0);
    assert_eq!(range(std::iter::empty()), -1.0..1.0);
    for values in [[f64::MAX, f64::MIN], [1e308, 1e308], [-1e308, 0.0]] {
        let wide = range(values.into_iter());
        assert!((wide.end - wide.start).is_finite() && wide.end > wide.start, "{wide:?}");
    }
    for times in [[0.0, 0.0], [1e308, -1e308], [1e300, 1e300], [1e17, 1e17 + 16.0], [5e-324, 1e-323]] {
        let time = time_range(&times);
        assert!((time.end - time.start).is_finite() && time.end > time.start, "{time:?}");
    }
    let at = [(0.1 + 0.2, 1.0), (1e-7, 1e-6), (123456.0, 1e6), (-5.6e-17, 0.6)];
    let labels = at.map(|(x, end)| label(x, &(0.0..end)));
    assert_eq!(labels, ["0.3", "1e-7", "1.2346e5", "0"]);
}
