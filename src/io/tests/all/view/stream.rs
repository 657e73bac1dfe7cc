//! Writes a run to a `Feed` while it runs.

use kinegraph_engine::simulate::{Act, Acted, HandForce, Observer};
use kinegraph_io::view::{Controls, Feed, Stream};

fn force(target: [f64; 3]) -> HandForce {
    HandForce { time: 0.0, plant: 0, body: 1, point: [0.0; 3], target, force: [0.0; 3] }
}

/// A change by hand is sent before the step in which it acts, however recently one was sent.
#[test]
fn a_hand_that_moved_is_seen_before_the_step() {
    let feed = Feed::default();
    let mut stream = Stream::live(feed.clone(), None, Controls::default());
    for x in [1.0, 2.0, 3.0] {
        let target = [x, 0.0, 0.0];
        stream.acted(&Acted { step: 0, time: 0.0, act: Act::Drag { target } }).unwrap();
        stream.pulled(&force(target)).unwrap();
        let last = String::from_utf8(feed.lines().last().unwrap().to_vec()).unwrap();
        assert!(last.contains("\"kind\":\"hand\"") && last.contains(&format!("\"target\":[{x:?},")), "{last}");
    }
    // The force of a hand at rest is sent with the recorded samples.
    let lines = feed.lines().len();
    stream.pulled(&force([3.0, 0.0, 0.0])).unwrap();
    assert_eq!(feed.lines().len(), lines);
}
