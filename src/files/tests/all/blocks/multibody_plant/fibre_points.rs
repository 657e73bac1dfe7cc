//! The points of a fibre.

use kinegraph_files::blocks::multibody_plant::fibre_points::read;
use nalgebra::Vector3;

#[test]
fn points_are_lines_of_three_numbers() {
    let points = read("\u{feff}x, y, z\r\n# a comment\n0, 0, 1\n\n1;0;1 # the end\n1 -2e-1\t1\n").unwrap();
    assert_eq!(points, [Vector3::z(), Vector3::new(1.0, 0.0, 1.0), Vector3::new(1.0, -0.2, 1.0)]);
}

#[test]
fn faults_name_the_line() {
    for (text, line, reason) in [
        ("0,0,0\n1,0\n", 2, "2 numbers, but a point has three"),
        ("0,0,0\n1,0,x\n", 2, "`x` is not a finite number"),
        ("x,y,z\nx,y,z\n", 2, "`x` is not a finite number"),
        ("0,0,0\n1,0,nan\n", 2, "`nan` is not a finite number"),
        ("0,0,0\n\n1,0,0\n1,0,0\n", 4, "the point is where the one before it is"),
        ("0,0,0\n", 1, "1 points, but a fibre needs two or more"),
        ("", 1, "0 points, but a fibre needs two or more"),
    ] {
        assert_eq!(read(text), Err((line, reason.to_owned())), "{text:?}");
    }
}
