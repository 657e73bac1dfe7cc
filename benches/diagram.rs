//! Building and evaluating random diagrams without loops: time per block stays the same as they grow.
//!
//! A line per size: `cargo bench --bench diagram`.

mod timing;

use kinegraph::diagram::DiagramBuilder;
use kinegraph::systems::operators::Adder;
use std::hint::black_box;
use std::time::Instant;

/// `blocks` sums, each of two pseudo-random later ones in order of insertion: the worst order to be given.
fn random(blocks: usize) -> DiagramBuilder {
    let mut b = DiagramBuilder::new("random");
    for i in 0..blocks {
        b.add(format!("b{i}"), Adder::new(1, [0.5, -0.5]).expect("two signs"));
    }
    let mut seed = 1_u64;
    for i in 0..blocks {
        for port in 0..2 {
            let input = format!("b{i}.input{port}");
            if i + 1 == blocks {
                b.fix_path(input, [1.0]);
                continue;
            }
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let from = i + 1 + (seed >> 33) as usize % (blocks - i - 1);
            b.connect_paths(format!("b{from}.output"), input);
        }
    }
    b
}

/// Nanoseconds per block to build a diagram, the quickest of 20 times.
fn build(blocks: usize) -> f64 {
    let time = |_| {
        let builder = random(blocks);
        let start = Instant::now();
        black_box(builder.build().expect("no faults"));
        start.elapsed().as_secs_f64() * 1e9 / blocks as f64
    };
    (0..20).map(time).fold(f64::INFINITY, f64::min)
}

fn main() {
    println!("{:>8} {:>18} {:>21}", "blocks", "build [ns/block]", "evaluate [ns/block]");
    for blocks in [100, 1_000, 10_000] {
        let diagram = random(blocks).build().expect("no faults");
        let mut values = diagram.values::<f64>();
        let evaluate = timing::microseconds(|| {
            diagram.evaluate(black_box(0.0), &[], &mut values);
        });
        println!("{blocks:8} {:18.0} {:21.1}", build(blocks), 1e3 * evaluate / blocks as f64);
    }
}
