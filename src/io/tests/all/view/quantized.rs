//! Long recordings in less space.

use kinegraph_io::view::quantized::merged;
use kinegraph_io::view::{Frames, Line, Quantized};

#[test]
fn numbers_are_within_half_a_place() {
    let rows: Vec<f64> = (0..300)
        .flat_map(|i| {
            let t = f64::from(i) * 0.01;
            [t.sin(), 1e6 + t, 7.0, -1e-9 * t * t]
        })
        .collect();
    let found = Quantized::of(&rows, &[0.0; 4]).unwrap().numbers();
    for (column, range) in [(0, 1.15), (1, 2.99), (2, 0.0), (3, 8.95e-9)] {
        for row in 0..300 {
            let (a, b) = (rows[4 * row + column], found[4 * row + column]);
            assert!((a - b).abs() <= 0.51 * range / 65_535.0 + 1e-15 * a.abs(), "{a} {b}");
        }
    }
    let coarse = Quantized::of(&rows, &[0.25; 4]).unwrap().numbers();
    assert!(rows.iter().zip(&coarse).all(|(a, b)| (a - b).abs() <= 0.125 + 1e-9));
    assert_eq!(Quantized::of(&[1.0, f64::NAN], &[0.0]), None);
    assert!(Quantized::of(&[], &[0.0; 3]).unwrap().numbers().is_empty());
}

/// Short lines are merged into long ones, in order, and other lines between them are kept.
#[test]
fn lines_of_few_instants_are_merged() {
    let frames = |from: u32, count: u32| {
        let times: Vec<f64> = (from..from + count).map(f64::from).collect();
        let counts = vec![kinegraph_io::view::AS_BEFORE; count as usize];
        Line::Frames(Box::new(Frames {
            times: times.into(),
            poses: Vec::<f32>::new().into(),
            values: Vec::<f64>::new().into(),
            contacts: Vec::<f32>::new().into(),
            contact_counts: counts.into(),
            ghosts: None,
        }))
    };
    let steps = Line::Steps(Default::default());
    let lines: Vec<Line> = (0..300).flat_map(|i| [frames(4 * i, 4), steps.clone()]).collect();
    let lines = merged(lines);
    assert_eq!(lines.iter().filter(|line| **line == steps).count(), 300);
    let reported = lines.iter().filter_map(|line| if let Line::Frames(frames) = line { Some(frames) } else { None });
    let lengths: Vec<usize> = reported.clone().map(|frames| frames.len()).collect();
    assert_eq!(lengths, [512, 512, 176]);
    let times: Vec<f64> = reported.flat_map(|frames| frames.times.numbers()).collect();
    assert!(times.iter().enumerate().all(|(i, time)| *time == i as f64));
}
