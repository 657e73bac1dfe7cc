//! Contents of a picture: panels in rows, curves in them, one legend.

/// How a curve looks; also its place among the colours.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Style {
    /// Which colour.
    pub color: usize,
    /// Markers at its points.
    pub marked: bool,
    /// No line between them.
    pub scattered: bool,
    /// Dashed.
    pub dashed: bool,
}

impl Style {
    /// A line.
    pub fn line(color: usize) -> Self {
        Style { color, ..Style::default() }
    }

    /// A line with markers.
    pub fn marked(color: usize) -> Self {
        Style { color, marked: true, ..Style::default() }
    }

    /// Returns this style, dashed.
    pub fn dashed(self) -> Self {
        Style { dashed: true, ..self }
    }
}

/// One curve of a panel.
#[derive(Clone, Debug, Default)]
pub struct Curve {
    /// How it looks.
    pub style: Style,
    /// Its points.
    pub points: Vec<(f64, f64)>,
    /// Points that stand for something beyond them (a run given up at this time): drawn hollow.
    pub beyond: Vec<(f64, f64)>,
}

/// An axis.
#[derive(Clone, Debug, Default)]
pub struct Axis {
    /// Name of the quantity, with its unit.
    pub label: String,
    /// In decades.
    pub log: bool,
    /// From larger to smaller numbers.
    pub falling: bool,
    /// Its range where it does not follow from the points.
    pub range: Option<(f64, f64)>,
}

impl Axis {
    /// An axis of equal parts.
    pub fn linear(label: &str) -> Self {
        Axis { label: label.into(), ..Axis::default() }
    }

    /// An axis of decades.
    pub fn log(label: &str) -> Self {
        Axis { label: label.into(), log: true, ..Axis::default() }
    }

    /// Returns this axis with a range.
    pub fn within(self, from: f64, to: f64) -> Self {
        Axis { range: Some((from, to)), ..self }
    }

    /// The accuracies asked for, from loose to tight.
    pub fn accuracy() -> Self {
        Axis { falling: true, ..Axis::log("accuracy") }.within(5e-5, 2e-1)
    }
}

/// A chart.
#[derive(Clone, Debug, Default)]
pub struct Panel {
    /// Title above the panel.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The curves.
    pub curves: Vec<Curve>,
    /// Horizontal lines with what they are.
    pub levels: Vec<(f64, String)>,
    /// Filled boxes `(left, right, bottom, top, colour)`: the parts of bars.
    pub boxes: Vec<(f64, f64, f64, f64, usize)>,
    /// Names of places on the horizontal axis, in place of numbers.
    pub names: Vec<(f64, String)>,
    /// Notes below the numbers or names of the horizontal axis, at places on it.
    pub notes: Vec<(f64, String)>,
}

/// A picture.
#[derive(Clone, Debug, Default)]
pub struct Figure {
    /// Title above all panels.
    pub title: String,
    /// Rows of panels.
    pub rows: Vec<Vec<Panel>>,
    /// Names of the styles.
    pub legend: Vec<(String, Style)>,
    /// Width and height of a panel, axes included \[px\].
    pub panel: (u32, u32),
    /// True if the legend shows filled boxes in place of lines.
    pub filled: bool,
}

impl Axis {
    /// A value on the axis as a length: its logarithm, if the axis has decades.
    pub fn length(&self, x: f64) -> f64 {
        if self.log { x.log10() } else { x }
    }

    /// Both ends, as lengths, where these are the values: decades for logarithms, a little air else.
    pub fn span(&self, values: impl Iterator<Item = f64>) -> (f64, f64) {
        let values = values.map(|x| self.length(x)).filter(|x| x.is_finite());
        let (mut low, mut high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
        if let Some((from, to)) = self.range {
            (low, high) = (self.length(from), self.length(to));
        } else if low > high {
            (low, high) = (0.0, 1.0);
        } else if self.log {
            (low, high) = ((low - 0.05).floor(), (high + 0.05).ceil());
        } else {
            let air = if high > low { 0.05 * (high - low) } else { 0.1 * high.abs().max(1e-3) };
            (low, high) = (low - air, high + air);
        }
        if self.falling { (high, low) } else { (low, high) }
    }

    /// Where numbers stand between these ends: length and text.
    pub fn ticks(&self, (a, b): (f64, f64)) -> Vec<(f64, String)> {
        let (low, high) = (a.min(b), a.max(b));
        if self.log {
            let decades = (high - low).ceil().max(1.0);
            let every = (decades / 6.0).ceil() as i64;
            let first = low.ceil() as i64;
            let all = (first..=high.floor() as i64).filter(|k| (k - first) % every == 0);
            return all.map(|k| (k as f64, format!("1e{k}"))).collect();
        }
        let rough = (high - low) / 5.0;
        let decade = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * decade).into_iter().find(|s| *s >= rough).unwrap_or(rough);
        let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
        let digits = (-step.log10().floor()).max(0.0) as usize;
        (first..=last).map(|k| (k as f64 * step, format!("{:.digits$}", k as f64 * step))).collect()
    }
}

/// At most `most` of the points, the largest and the smallest of each stretch among them: the picture stays the same.
pub fn thinned(points: &[(f64, f64)], most: usize) -> Vec<(f64, f64)> {
    if points.len() <= most {
        return points.to_vec();
    }
    let stretch = points.len().div_ceil(most / 2);
    let mut kept = Vec::new();
    for part in points.chunks(stretch) {
        let least = (0..part.len()).min_by(|&i, &j| part[i].1.total_cmp(&part[j].1)).unwrap_or(0);
        let largest = (0..part.len()).max_by(|&i, &j| part[i].1.total_cmp(&part[j].1)).unwrap_or(0);
        kept.push(part[least.min(largest)]);
        if least != largest {
            kept.push(part[least.max(largest)]);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_round_numbers() {
        let texts = |axis: &Axis, ends| axis.ticks(ends).into_iter().map(|(_, text)| text).collect::<Vec<_>>();
        assert_eq!(texts(&Axis::linear(""), (0.0, 1.0)), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        let decades = Axis::log("");
        let ends = decades.span([2e-3, 0.5].into_iter());
        assert_eq!(
            (ends, texts(&decades, ends)),
            ((-3.0, 0.0), vec!["1e-3".into(), "1e-2".into(), "1e-1".into(), "1e0".into()])
        );
    }

    #[test]
    fn thinning_keeps_peaks() {
        let mut points: Vec<(f64, f64)> = (0..1000).map(|i| (f64::from(i), 0.0)).collect();
        points[417].1 = 3.0;
        let kept = thinned(&points, 50);
        assert!(kept.len() <= 50 && kept.contains(&(417.0, 3.0)));
    }
}
