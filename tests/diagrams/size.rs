//! Work grows with the size of a diagram, not with its square.

use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph_systems::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The sum of two inputs, which counts its evaluations.
struct Counted {
    inputs: [In<Dyn>; 2],
    output: Out<Dyn>,
    calls: Arc<AtomicUsize>,
    ports: Ports,
}

impl LeafSystem for Counted {
    fn ports(&self) -> &Ports {
        &self.ports
    }
    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        self.calls.fetch_add(1, Ordering::Relaxed);
        let input = |i: usize| ctx.get_optional(self.inputs[i]).map_or(S::zero(), |u| u[0]);
        let sum = (input(0) + input(1)) * S::constant(0.25) + S::one();
        out.set(self.output, [sum]);
    }
}

/// `blocks` sums, each fed by two pseudorandom later ones in order of insertion, which is the worst order.
fn random(blocks: usize) -> (Diagram, Arc<AtomicUsize>) {
    let calls = Arc::new(AtomicUsize::new(0));
    let mut b = DiagramBuilder::new("random");
    for i in 0..blocks {
        let mut ports = Ports::new();
        let inputs = [ports.optional_input_of_width("u0", 1), ports.optional_input_of_width("u1", 1)];
        let output = ports.output_of_width("y", 1);
        b.add(format!("b{i}"), Counted { inputs, output, calls: calls.clone(), ports });
    }
    let mut seed = 1_u64;
    for i in 0..blocks - 1 {
        for port in 0..2 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let from = i + 1 + (seed >> 33) as usize % (blocks - i - 1);
            b.connect_paths(format!("b{from}.y"), format!("b{i}.u{port}"));
        }
    }
    (b.build().unwrap(), calls)
}

#[test]
fn each_block_is_called_once_and_memory_grows_with_the_blocks() {
    let mut bytes = Vec::new();
    for blocks in [1_250, 10_000] {
        let mut built = None;
        let memory = allocation_counter::measure(|| built = Some(random(blocks)));
        let (diagram, calls) = built.unwrap();
        let mut values = diagram.values::<f64>();
        calls.store(0, Ordering::Relaxed);
        diagram.evaluate(0.0, &[], &mut values);
        assert_eq!(calls.load(Ordering::Relaxed), blocks);
        assert!(values.arena().iter().all(|y| (1.0..=2.0).contains(y)));
        bytes.push((memory.bytes_total as f64, memory.count_total as f64));
    }
    // Eight times as many blocks; hash tables and vectors double, so allow a quarter more.
    assert!(bytes[1].0 < 10.0 * bytes[0].0 && bytes[1].1 < 10.0 * bytes[0].1, "{bytes:?}");
}

#[test]
fn a_long_chain_neither_overflows_nor_takes_long() {
    let (blocks, mut b) = (100_000, DiagramBuilder::new("chain"));
    let calls = Arc::new(AtomicUsize::new(0));
    let chain: Vec<_> = (0..blocks)
        .map(|i| {
            let mut ports = Ports::new();
            let inputs = [ports.optional_input_of_width("u0", 1), ports.optional_input_of_width("u1", 1)];
            let output = ports.output_of_width("y", 1);
            b.add(format!("b{i}"), Counted { inputs, output, calls: calls.clone(), ports })
        })
        .collect();
    for pair in chain.windows(2) {
        b.connect(pair[1].output, pair[0].inputs[0]);
    }
    let diagram = b.build().unwrap();
    let order: Vec<usize> = diagram.schedule().calls.iter().map(|call| call.block).collect();
    assert!(order.iter().copied().eq((0..blocks).rev()));
}
