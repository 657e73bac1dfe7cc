//! Channels over time.

use kinegraph_io::plot::time_plot::{MAX_LINES, MAX_PANELS, label, monotone, range, time_range};
use kinegraph_io::plot::{Series, TimePlot, draw, read_table};

fn series(name: &str, unit: &str, sampled: bool, values: Vec<f64>) -> Series {
    Series { name: name.into(), unit: unit.into(), sampled, values }
}

#[test]
fn each_unit_has_its_panels_and_none_is_crowded() {
    let mut plot = TimePlot { title: "t".into(), times: vec![0.0, 1.0], ..TimePlot::default() };
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
    let plot = TimePlot { title: String::new(), times: vec![0.0, 1.0, 1.0, 2.0], series: vec![held], over: None };
    assert_eq!(plot.pieces(), [0..2, 2..4]);
    assert_eq!(plot.points(&plot.series[0], 2..4), [(1.0, 2.0), (2.0, 2.0), (2.0, 3.0)]);
}

/// No part of a line turns back, so that a PNG has no spikes.
#[test]
fn parts_of_lines_rise_or_fall_throughout() {
    let points = [(0.0, 0.0), (1.0, 2.0), (1.1, 5.0), (1.2, 4.9), (2.0, 4.9), (3.0, 6.0)];
    let parts = monotone(&points);
    assert_eq!(parts, [&points[0..3], &points[2..6]]);
    assert_eq!(monotone(&points[..1]), [&points[..1]]);
}

/// The table of a sweep is drawn over the varied parameter, with a point for each row.
#[test]
fn tables_of_sweeps_are_drawn_over_the_varied_parameter() {
    let folder = std::env::temp_dir().join(format!("kinegraph-sweep-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (name, text) in [
        (
            "t.csv",
            "index,systems.f.gain,status,steps,end(i.output)\n1,2.0,done,5,-3.0\n0,1.0,done,4,-1.5\n2,3.0,failed: x,1,\n",
        ),
        (
            "t.jsonl",
            "{\"index\":1,\"systems.f.gain\":2.0,\"status\":\"done\",\"steps\":5,\"end(i.output)\":-3.0}\n\
             {\"index\":0,\"systems.f.gain\":1.0,\"status\":\"done\",\"steps\":4,\"end(i.output)\":-1.5}\n\
             {\"index\":2,\"systems.f.gain\":3.0,\"status\":\"failed: x\",\"steps\":1,\"end(i.output)\":null}\n",
        ),
    ] {
        let file = folder.join(name);
        std::fs::write(&file, text).unwrap();
        let mut plot = read_table(&file).unwrap().plot;
        assert_eq!((plot.times.clone(), plot.measures()), (vec![2.0, 1.0, 3.0], vec!["end(i.output)".to_owned()]));
        let measured = plot.series.iter().find(|series| series.name == "end(i.output)").unwrap();
        assert!(measured.values[..2] == [-3.0, -1.5] && measured.values[2].is_nan());
        let pieces = plot.pieces();
        assert_eq!((pieces.len(), &pieces[0], plot.over.as_deref()), (1, &(0..3), Some("systems.f.gain")));
        assert!(plot.draw_over("steps") && !plot.draw_over("status"));
        draw(&plot, &folder.join("t.png")).unwrap();
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_range_of_a_constant_is_not_empty_and_nan_is_ignored() {
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
