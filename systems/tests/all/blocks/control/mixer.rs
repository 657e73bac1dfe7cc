//! Control allocation.

use kinegraph_core::LeafSystem;
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::control::{Mixer, Overload};

/// Four rotors: thrust and three moments.
fn rotors(overload: Overload) -> Mixer {
    let signs = [[1.0, 1.0, 1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0], [1.0, -1.0, -1.0]];
    let rows = signs.map(|[roll, pitch, yaw]| vec![0.25, 2.0 * roll, 2.0 * pitch, 5.0 * yaw]);
    Mixer::new(rows.to_vec(), Some((-1.0).into()), Some(8.0.into()), overload).unwrap()
}

#[test]
fn conforms() {
    conformance::check(&rotors(Overload::Clip));
    conformance::check(&rotors(Overload::Scale));
    let free = Mixer::new(vec![vec![1.0, 2.0, 3.0], vec![4.0, 5.0, 6.0]], None, None, Overload::Scale).unwrap();
    conformance::check(&free);
    assert!(!LeafSystem::has_kinks(&free));
}

#[test]
fn allocates_within_the_limits() {
    for overload in [Overload::Clip, Overload::Scale] {
        let mixer = rotors(overload);
        let bench = Bench::new(&mixer).input(mixer.command, [12.0, 0.5, -0.25, 0.1]);
        assert_eq!(bench.eval(mixer.output), [4.0, 1.0, 3.0, 4.0]);
    }
}

/// 24 N ask for 6 N of each rotor, and the roll for 4 N more of two of them: 10, 2, 2, 10.
#[test]
fn an_overload_is_clipped_or_keeps_its_direction() {
    for (overload, expected) in [(Overload::Clip, [8.0, 2.0, 2.0, 8.0]), (Overload::Scale, [8.0, 1.6, 1.6, 8.0])] {
        let mixer = rotors(overload);
        let output = Bench::new(&mixer).input(mixer.command, [24.0, 2.0, 0.0, 0.0]).eval(mixer.output);
        assert!(output.iter().zip(expected).all(|(y, expected)| (y - expected).abs() < 1e-15), "{output:?}");
    }
    // -3 N would be needed: a third of the command.
    let mixer = rotors(Overload::Scale);
    let output = Bench::new(&mixer).input(mixer.command, [0.0, 1.5, 0.0, 0.0]).eval(mixer.output);
    assert!(output.iter().zip([1.0, -1.0, -1.0, 1.0]).all(|(y, expected)| (y - expected).abs() < 1e-15), "{output:?}");
}

#[test]
fn refuses_to_scale_to_limits_on_one_side() {
    let fault = Mixer::new(vec![vec![1.0]], Some(0.0.into()), None, Overload::Scale).err().unwrap();
    assert_eq!(fault.to_string(), "lower[0] is 0, expected a number below 0: what is scaled keeps its sign");
    let fault = Mixer::new(vec![vec![1.0], vec![1.0, 2.0]], None, None, Overload::Clip).err().unwrap();
    assert_eq!(fault.to_string(), "matrix[1] has 2 elements, expected 1");
}
