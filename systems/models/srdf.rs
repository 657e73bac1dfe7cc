//! SRDF: pairs of links of a robot that never collide, as planners of ROS keep them beside a URDF file. Everything else
//! in it (groups, poses, end effectors) does not affect the motion and is not read.

use std::path::Path;

/// The largest file read \[MiB\].
const LARGEST_MIB: u64 = 16;

/// The pairs of links in the `<disable_collisions>` of a file.
///
/// # Errors
/// The reason why the file cannot be read.
pub fn read_disabled_collisions(path: &Path) -> Result<Vec<[String; 2]>, String> {
    let unreadable = |error: std::io::Error| format!("cannot read the file: {error}");
    let data = path.metadata().map_err(unreadable)?;
    if !data.is_file() {
        return Err("it is not a file".to_owned());
    }
    if data.len() > LARGEST_MIB << 20 {
        return Err(format!("the file is larger than {LARGEST_MIB} MiB"));
    }
    disabled_collisions(&std::fs::read_to_string(path).map_err(unreadable)?)
}

/// The pairs of links that a text in SRDF excludes from collisions.
pub fn disabled_collisions(text: &str) -> Result<Vec<[String; 2]>, String> {
    let document = roxmltree::Document::parse(text).map_err(|error| format!("not an SRDF file: {error}"))?;
    let robot = document.root_element();
    if robot.tag_name().name() != "robot" {
        return Err(format!("not an SRDF file: the root element is <{}>, not <robot>", robot.tag_name().name()));
    }
    let pair = |node: roxmltree::Node<'_, '_>| {
        let link = |name| node.attribute(name).map(str::to_owned);
        link("link1").zip(link("link2")).map(|(a, b)| [a, b]).ok_or_else(|| {
            let place = document.text_pos_at(node.range().start);
            format!("<disable_collisions> at line {} needs `link1` and `link2`", place.row)
        })
    };
    robot.children().filter(|node| node.tag_name().name() == "disable_collisions").map(pair).collect()
}
