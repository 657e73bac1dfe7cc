//! A strip buckles against a wall, then in a ring as well.

use super::run_at;

#[test]
fn the_strip_buckles_at_eulers_load() {
    let (report, samples) = run_at("strip_through_ring", "1e-3", &[]);
    let series = |channel: &str| -> Vec<f64> { samples.series(channel).map(|(_, x)| x).collect() };
    let wall = series("plant.wall.wall.contact.fx");
    let ring = series("plant.ring.ring.contact.fy");
    let middle = series("plant.strip.n11.y");
    // Clamped at one end, held by friction at the other.
    let euler = 20.19 * 2.1e11 * 0.02 * 0.0003_f64.powi(3) / 12.0 / (0.3 * 0.3);
    let bent: Vec<f64> =
        (0..wall.len()).filter(|&i| middle[i].abs() > 4.5e-3 && ring[i] == 0.0).map(|i| wall[i]).collect();
    assert!(bent.len() > 3, "{bent:?}");
    assert!(bent.iter().all(|force| (force / euler - 1.0).abs() < 0.1), "{bent:?} instead of {euler}");
    // The ring holds it.
    let last = wall.len() - 1;
    assert!(wall[last] > 2.0 * euler && ring[last] > 0.3, "{} {}", wall[last], ring[last]);
    assert!(middle[last].abs() < 8e-3 && report.statistics.max_penetration < 2e-4);
}
