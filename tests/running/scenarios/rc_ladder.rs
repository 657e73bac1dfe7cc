//! A ladder of n equal resistors and capacitors, open at its end, under a constant voltage from rest. With τ = R C the
//! voltages keep `τ v' = T v + e₁`, where T has -2 on its diagonal (-1 at the end) and 1 beside it. Its eigenvectors
//! are standing waves that vanish at the source and are flat at the open end,
//!
//! ```text
//! u_k(j) = sin(j θ_k),   θ_k = (2k - 1) π/(2n + 1),   λ_k = -(4/τ) sin²(θ_k/2),   |u_k|² = (2n + 1)/4,
//! v(t) = 1 - Σ_k (1·u_k/|u_k|²) e^(λ_k t) u_k.
//! ```

use super::{check, open};
use kinegraph::diagram::DiagramBuilder;
use kinegraph::systems::operators::{Adder, Gain, Integrator};
use kinegraph::systems::sources::Constant;
use std::f64::consts::PI;

const N: usize = 5;

fn by_hand() -> DiagramBuilder {
    let mut b = DiagramBuilder::new("rc_ladder");
    let source = b.add("source", Constant::new([1.0]).unwrap());
    let mut left = source.output;
    let mut flows: Vec<(std::sync::Arc<Gain>, Option<std::sync::Arc<Adder>>)> = Vec::new();
    for i in 1..=N {
        let drop = b.add(format!("drop{i}"), Adder::new(1, [1.0, -1.0]).unwrap());
        let resistor = b.add(format!("resistor{i}"), Gain::new(1, 1e-3).unwrap());
        let charge = (i < N).then(|| b.add(format!("charge{i}"), Adder::new(1, [1.0, -1.0]).unwrap()));
        let elastance = b.add(format!("elastance{i}"), Gain::new(1, 1e3).unwrap());
        let capacitor = b.add(format!("capacitor{i}"), Integrator::new([0.0]).unwrap());
        b.connect(left, drop.inputs[0]);
        b.connect(capacitor.output, drop.inputs[1]);
        b.connect(drop.output, resistor.input);
        if let Some((_, Some(before))) = flows.last() {
            b.connect(resistor.output, before.inputs[1]);
        }
        match &charge {
            Some(charge) => {
                b.connect(resistor.output, charge.inputs[0]);
                b.connect(charge.output, elastance.input);
            }
            None => b.connect(resistor.output, elastance.input),
        }
        b.connect(elastance.output, capacitor.input);
        left = capacitor.output;
        flows.push((resistor, charge));
    }
    b
}

fn exact(t: f64) -> Vec<f64> {
    let norm = (2 * N + 1) as f64 / 4.0;
    let mut v = vec![1.0; N];
    for k in 1..=N {
        let theta = (2 * k - 1) as f64 * PI / (2 * N + 1) as f64;
        let wave = |j: usize| (j as f64 * theta).sin();
        let weight = (1..=N).map(wave).sum::<f64>() / norm * (-4.0 * (theta / 2.0).sin().powi(2) * t).exp();
        v.iter_mut().enumerate().for_each(|(i, v)| *v -= weight * wave(i + 1));
    }
    v
}

#[test]
fn voltages_along_an_rc_ladder() {
    assert!(exact(0.0).iter().all(|v| v.abs() < 1e-14), "it starts without charge");
    let scenario = open("tests/running/scenarios/rc_ladder.yaml", by_hand());
    let names: Vec<String> = (1..=N).map(|i| format!("capacitor{i}")).collect();
    check(&scenario, &names.iter().map(String::as_str).collect::<Vec<_>>(), exact);
}
