//! Building and evaluating random diagrams without loops: time per block stays the same as they grow.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use kinegraph::diagram::DiagramBuilder;
use kinegraph::systems::operators::Adder;
use std::hint::black_box;

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

fn diagram(c: &mut Criterion) {
    let mut group = c.benchmark_group("diagram");
    for blocks in [100, 1_000, 10_000] {
        group.throughput(Throughput::Elements(blocks as u64));
        group.bench_function(BenchmarkId::new("build", blocks), |b| {
            b.iter_batched(|| random(blocks), |builder| builder.build(), criterion::BatchSize::LargeInput);
        });
        let diagram = random(blocks).build().expect("no faults");
        let mut values = diagram.values::<f64>();
        group.bench_function(BenchmarkId::new("evaluate", blocks), |b| {
            b.iter(|| diagram.evaluate(black_box(0.0), &[], &mut values));
        });
    }
    group.finish();
}

criterion_group!(benches, diagram);
criterion_main!(benches);
