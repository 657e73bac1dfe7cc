//! Pictures.

use kinegraph_diagram::DiagramBuilder;
use kinegraph_diagram::graph::place;
use kinegraph_diagram::graph::{Item, Link, Pin};
use kinegraph_systems::control::Pid;
use kinegraph_systems::operators::{Gain, Integrator};
use kinegraph_systems::sources::Constant;
use proptest::prelude::*;

fn nested() -> kinegraph_diagram::Diagram {
    let mut sub = DiagramBuilder::new("servo");
    let pid = sub.add("pid", Pid::new(1, 3.0, 0.5, 0.1).unwrap());
    let x = sub.add("x", Integrator::new([0.0, 0.0]).unwrap());
    let copy = sub.add("copy", Gain::new(2, 1.0).unwrap());
    sub.connect(x.output, pid.measured);
    sub.connect(copy.output, x.input);
    sub.export_input("reference", pid.desired);
    sub.export_input("reference", copy.input);
    sub.export_output("effort", pid.effort);
    let mut b = DiagramBuilder::new("a<b> & \"c\"");
    let goal = b.add("goal", Constant::new([1.0, 0.0]).unwrap());
    let servo = b.add_diagram("servo", sub);
    let sink = b.add("sink", Gain::new(1, 1.0).unwrap());
    let lone = b.add("lone", Gain::new(1, 1.0).unwrap());
    b.fix(lone.input, [0.25]);
    b.connect(goal.output, servo.input("reference"));
    b.connect(servo.output("effort"), sink.input);
    b.build().unwrap()
}

#[test]
fn the_pictures_hold_every_block_every_wire_and_every_nested_diagram() {
    let diagram = nested();
    let (dot, svg) = (diagram.to_dot(), diagram.to_svg());
    for part in ["goal", "servo", "pid", "copy", "sink", "Pid", "Gain", "reference", "effort", "input = 0.25"] {
        assert!(svg.contains(&format!(">{part}</text>")), "{part}\n{svg}");
    }
    for part in ["<B>goal</B>", "<B>pid</B>", "subgraph cluster_", "input [1] = 0.25", "→ effort [1]"] {
        assert!(dot.contains(part), "{part}\n{dot}");
    }
    // goal -> pid and copy, copy -> x, x -> pid, pid -> sink.
    assert_eq!(dot.matches(":e -> ").count(), 5, "{dot}");
    // In the picture, goal -> servo is one wire that branches inside, and pid -> sink is one inside and one outside.
    assert_eq!(svg.matches("<polyline").count(), 2 * 7);
    assert_eq!((dot, svg), (nested().to_dot(), nested().to_svg()));
}

#[test]
fn names_do_no_harm() {
    let svg = nested().to_svg();
    let text = roxmltree(&svg);
    assert!(text.contains("a<b> & \"c\""));
    assert!(nested().to_dot().contains("a&lt;b&gt; &amp; &quot;c&quot;"));
}

/// The text of an XML document; fails if tags are not closed in order.
fn roxmltree(xml: &str) -> String {
    let (mut open, mut text) = (Vec::new(), String::new());
    for piece in xml.split('<').skip(1) {
        let (tag, rest) = piece.split_once('>').expect("a tag ends");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(tag.split(' ').next().unwrap());
        }
        let plain = rest.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'");
        text += &plain.replace("&amp;", "&");
    }
    assert!(open.is_empty());
    text
}

fn graphs() -> impl Strategy<Value = (Vec<Item>, Vec<Link>)> {
    let item = (40.0..200.0f64, 1..4usize, 1..4usize, any::<bool>()).prop_map(|(width, inputs, outputs, last)| Item {
        width,
        height: 20.0 * inputs.max(outputs) as f64,
        inputs: (0..inputs).map(|i| 20.0 * i as f64 + 10.0).collect(),
        outputs: (0..outputs).map(|i| 20.0 * i as f64 + 10.0).collect(),
        pin: Pin::Free,
        last_in_loop: last,
    });
    let ends = prop::collection::vec((0..64usize, 0..64usize, 0..64usize, 0..64usize), 0..20);
    (prop::collection::vec(item, 1..10), ends).prop_map(|(items, ends)| {
        let link = |(a, p, b, q): (usize, usize, usize, usize)| {
            let (a, b) = (a % items.len(), b % items.len());
            Link { from: (a, p % items[a].outputs.len()), to: (b, q % items[b].inputs.len()) }
        };
        let links = ends.into_iter().map(link).collect();
        (items, links)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Loops, self-loops and parallel wires included.
    #[test]
    fn items_do_not_overlap_and_wires_go_from_port_to_port_around_them((items, links) in graphs()) {
        let placed = place(&items, &links);
        let boxes: Vec<_> = items.iter().zip(&placed.corners).map(|(i, c)| (c.0, c.1, c.0 + i.width, c.1 + i.height)).collect();
        for (i, a) in boxes.iter().enumerate() {
            prop_assert!(a.0 >= 0.0 && a.1 >= 0.0 && a.2 <= placed.width + 1e-9 && a.3 <= placed.height + 1e-9);
            for b in &boxes[i + 1..] {
                prop_assert!(a.2 <= b.0 || b.2 <= a.0 || a.3 <= b.1 || b.3 <= a.1, "{a:?} {b:?}");
            }
        }
        for (link, route) in links.iter().zip(&placed.routes) {
            let (a, b) = (boxes[link.from.0], boxes[link.to.0]);
            prop_assert_eq!(route[0], (a.2, a.1 + items[link.from.0].outputs[link.from.1]));
            prop_assert_eq!(route[route.len() - 1], (b.0, b.1 + items[link.to.0].inputs[link.to.1]));
            for (p, q) in route.iter().zip(&route[1..]) {
                prop_assert!((p.0 - q.0).abs() < 1e-9 || (p.1 - q.1).abs() <= 0.5, "right angles: {route:?}");
                for c in &boxes {
                    let inside = |(low, high): (f64, f64), (from, to): (f64, f64)| from.max(to) > low + 1.0 && from.min(to) < high - 1.0;
                    prop_assert!(!(inside((c.0, c.2), (p.0, q.0)) && inside((c.1, c.3), (p.1, q.1))), "{p:?} {q:?} through {c:?}");
                }
            }
        }
    }
}

#[test]
fn a_jump_that_comes_once_is_reported_by_its_time() {
    let mut b = DiagramBuilder::new("jump");
    b.add("goal", kinegraph_systems::sources::Step::new(1, 0.1, 0.0, 1.0).unwrap());
    let svg = b.build().unwrap().to_svg();
    assert!(svg.contains(">at 0.1 s</text>"), "{svg}");
}
