//! Random parameters.

use kinegraph_io::sweep::Distribution;

#[test]
fn text_and_back() {
    for text in ["normal(0.5,0.1)", "uniform(-1,1)", "integer(0,9007199254740991)", "normal(1e-7,0)"] {
        assert_eq!(text.parse::<Distribution>().unwrap().to_string(), text);
    }
    for wrong in ["normal", "normal(1)", "normal(0,-1)", "uniform(1,1)", "integer(0.5,1)", "gauss(0,1)", "normal(0,1"] {
        assert!(wrong.parse::<Distribution>().is_err(), "{wrong}");
    }
}

#[test]
fn draws_have_their_moments_and_depend_on_seed_and_place_alone() {
    let draws = |text: &str| {
        let distribution: Distribution = text.parse().unwrap();
        (0..4000).map(|seed| distribution.draw(seed, 1).parse().unwrap()).collect::<Vec<f64>>()
    };
    let mean = |x: &[f64]| x.iter().sum::<f64>() / x.len() as f64;
    let deviation = |x: &[f64]| (x.iter().map(|y| (y - mean(x)).powi(2)).sum::<f64>() / x.len() as f64).sqrt();
    let normal = draws("normal(2,3)");
    assert!((mean(&normal) - 2.0).abs() < 0.24 && (deviation(&normal) - 3.0).abs() < 0.17);
    let uniform = draws("uniform(1,4)");
    assert!((mean(&uniform) - 2.5).abs() < 0.07 && uniform.iter().all(|x| (1.0..4.0).contains(x)));
    let whole = draws("integer(1,3)");
    assert!([1.0, 2.0, 3.0].iter().all(|k| whole.iter().filter(|x| *x == k).count() > 1200));
    let one: Distribution = "normal(0,1)".parse().unwrap();
    assert_eq!(one.draw(7, 1), one.draw(7, 1));
    assert!(one.draw(7, 1) != one.draw(7, 2) && one.draw(7, 1) != one.draw(8, 1));
}
