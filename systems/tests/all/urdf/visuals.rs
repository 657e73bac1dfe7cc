//! Visual shapes: every geometry with its pose and size, materials by name and in place, files; and refusals.

use super::{load, refuse};
use kinegraph_systems::models::read_urdf;
use kinegraph_systems::multibody::{Link, Visual};
use kinegraph_systems::scene::{Appearance, FileReference, Geometry, Image};
use nalgebra::Vector3;
use std::path::Path;

/// The links of a robot with this content.
fn links(content: &str) -> Vec<Link> {
    load(&format!("<robot name='r'>{content}</robot>")).model.links
}

/// The visuals of one link with these, each a geometry and what follows it.
fn visuals(parts: &[(&str, &str)]) -> Vec<Visual> {
    let visual = |(geometry, rest): &(&str, &str)| format!("<visual><geometry><{geometry}/></geometry>{rest}</visual>");
    links(&format!("<link name='a'>{}</link>", parts.iter().map(visual).collect::<String>())).remove(0).visuals
}

fn rgba(visual: &Visual) -> Option<[f64; 4]> {
    visual.appearance.as_ref().and_then(|appearance| appearance.rgba)
}

#[test]
fn sizes_are_full_lengths_and_poses_are_those_of_their_origins() {
    let shapes = [
        "box size='2 4 6'",
        "sphere radius='3'",
        "cylinder radius='1' length='8'",
        "capsule radius='1' length='8'",
        "mesh filename='none/x.dae' scale='1 -2 0.001'",
        "mesh filename='y.glb'",
    ];
    let origin = "<origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/>";
    let visuals = visuals(&shapes.map(|shape| (shape, origin)));
    let mesh = |uri: &str, scale| Geometry::Mesh { source: FileReference { uri: uri.into(), file: None }, scale };
    let expected = [
        Geometry::Box { size: [2.0, 4.0, 6.0] },
        Geometry::Sphere { radius: 3.0 },
        Geometry::Cylinder { radius: 1.0, length: 8.0 },
        Geometry::Capsule { radius: 1.0, length: 8.0 },
        mesh("none/x.dae", [1.0, -2.0, 0.001]),
        mesh("y.glb", [1.0; 3]),
    ];
    assert_eq!(visuals.iter().map(|visual| visual.geometry.clone()).collect::<Vec<_>>(), expected);
    for visual in &visuals {
        assert_eq!(visual.X_BG.translation.vector, Vector3::new(1.0, 2.0, 3.0));
        assert!((visual.X_BG * Vector3::x() - Vector3::y()).amax() < 1e-15);
        assert_eq!(visual.appearance, None);
    }
}

#[test]
fn materials_are_found_by_name_and_a_visuals_own_colour_takes_precedence() {
    let ball = |material: &str| format!("<visual><geometry><sphere radius='1'/></geometry>{material}</visual>");
    let red = "<material name='red'><color rgba='1 0 0 1'/></material>";
    let shapes = [
        ball("<material name='grey'/>"), // stated below, beside the links
        ball(red),                       // in place
        ball("<material name='red'/>"),  // by the name of an earlier visual's
        ball("<material name='grey'><color rgba='0 0 1 0.25'/></material>"), // in place, though the name is taken
        ball("<material name=''><color rgba='0 1 0 1'/></material>"), // without a name, as exporters write
        ball("<material name=''/>"),     // says nothing
        ball(""),
    ];
    let second = ball("<material name='red'/>") + &ball("<material name='grey'/>");
    let links = links(&format!(
        "<link name='a'>{}</link><link name='b'>{second}</link>
         <joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>
         <material name='grey'><color rgba='0.5 0.5 0.5 1'/></material>",
        shapes.concat()
    ));
    let (grey, red) = (Some([0.5, 0.5, 0.5, 1.0]), Some([1.0, 0.0, 0.0, 1.0]));
    let blue = Some([0.0, 0.0, 1.0, 0.25]);
    let colors: Vec<_> = links[0].visuals.iter().map(rgba).collect();
    assert_eq!(colors, [grey, red, red, blue, Some([0.0, 1.0, 0.0, 1.0]), None, None]);
    assert_eq!(links[1].visuals.iter().map(rgba).collect::<Vec<_>>(), [red, grey]);
    let name = |visual: &Visual| visual.appearance.as_ref().map(|a| a.name.clone());
    assert_eq!(name(&links[0].visuals[0]).as_deref(), Some("grey"));
    assert_eq!(name(&links[0].visuals[5]), None);
}

#[test]
fn colours_beyond_what_can_be_shown_are_limited() {
    let color = "<material name='m'><color rgba='255 -1 0.5 1'/></material>";
    assert_eq!(rgba(&visuals(&[("sphere radius='1'", color)])[0]), Some([1.0, 0.0, 0.5, 1.0]));
}

#[test]
fn meshes_and_textures_are_looked_for_and_not_read() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("urdf_visuals/arm_description");
    std::fs::create_dir_all(folder.join("meshes")).unwrap();
    std::fs::write(folder.join("meshes/link.dae"), "no mesh at all").unwrap();
    std::fs::write(folder.join("grain.png"), "no image").unwrap();
    let mesh =
        |uri: &str, material: &str| format!("<visual><geometry><mesh filename='{uri}'/></geometry>{material}</visual>");
    let wood = "<material name='wood'><texture filename='grain.png'/></material>";
    let uri = "package://arm_description/meshes/link.dae";
    let visuals = mesh(uri, wood) + &mesh("meshes/link.dae", "<material name='wood'/>") + &mesh("meshes", "");
    let body = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>";
    let file = folder.join("arm.urdf");
    std::fs::write(&file, format!("<robot name='r'><link name='arm'>{body}{visuals}</link></robot>")).unwrap();
    let loaded = read_urdf(&file).unwrap();

    let [note] = &loaded.notes[..] else { panic!("{:?}", loaded.notes) };
    assert!(note.to_string().contains("visual mesh \"meshes\"") && note.to_string().contains("not a file"), "{note}");
    let visuals = &loaded.model.links[0].visuals;
    let source = |visual: &Visual| match &visual.geometry {
        Geometry::Mesh { source, .. } => source.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(source(&visuals[0]).uri, uri);
    for visual in &visuals[..2] {
        let found = source(visual).file.unwrap();
        assert_eq!(std::fs::read_to_string(&found).unwrap(), "no mesh at all", "{found}");
        let Some(Appearance { rgba: None, texture: Some(texture), .. }) = visual.appearance.as_deref() else {
            panic!("{:?}", visual.appearance)
        };
        let Image::File(file) = &texture.image else { panic!("{texture:?}") };
        assert_eq!(file.uri, "grain.png");
        assert_eq!(std::fs::read_to_string(file.file.as_ref().unwrap()).unwrap(), "no image");
    }
    assert_eq!(source(&visuals[2]).file, None);
}

#[test]
fn bad_numbers_are_refused() {
    let visual = |content: &str| {
        let messages =
            refuse(&format!("<robot name='r'>\n<link name='arm'>\n<visual>{content}</visual></link></robot>"));
        println!("{}", messages.join("\n")); // `--nocapture` prints them, to be read as a user would
        let [message] = &messages[..] else { panic!("{messages:?}") };
        assert!(message.starts_with("robot.urdf:3:"), "{message}");
        message.clone()
    };
    let ball = "<geometry><sphere radius='1'/></geometry>";
    let material = |content: &str| visual(&format!("{ball}<material name='m'>{content}</material>"));
    for (message, words) in [
        (visual(""), "needs a <geometry>"),
        (visual("<geometry/>"), "has no shape"),
        (visual("<geometry><sphere radius='-1'/></geometry>"), "greater than zero"),
        (visual("<geometry><box size='1 2'/></geometry>"), "needs 3 numbers"),
        (visual("<geometry><cylinder radius='1' length='nan'/></geometry>"), "not a finite number"),
        (visual("<geometry><mesh filename='x.dae' scale='1 1 1 1 1'/></geometry>"), "numbers"),
        (visual("<geometry><mesh file='x.dae'/></geometry>"), "needs the attribute `filename`"),
        (visual(&format!("{ball}<origin xyz='1 2 x'/>")), "not a number"),
        (material("<color rgba='1 0 0'/>"), "needs 4 numbers"),
        (material("<color rgba='1 0 0 inf'/>"), "not a finite number"),
        (material("<color/>"), "`rgba`"),
    ] {
        assert!(message.contains(words), "{message} lacks {words}");
    }
    let messages = refuse("<robot name='r'><link name='arm'/><material><color rgba='1 0 0 1'/></material></robot>");
    assert!(messages[0].contains("`name`"), "{messages:?}");
}

/// A texture is only visual: one without a file makes a note.
#[test]
fn a_texture_without_a_file_is_ignored() {
    let loaded = load(
        "<robot name='r'><link name='a'><visual><geometry><sphere radius='1'/></geometry>\
         <material name='m'><color rgba='1 0 0 1'/><texture/></material></visual></link></robot>",
    );
    let material = loaded.model.links[0].visuals[0].appearance.clone().unwrap();
    assert_eq!((material.rgba, &material.texture), (Some([1.0, 0.0, 0.0, 1.0]), &None));
    assert!(loaded.notes.iter().any(|note| note.to_string().contains("names no file")), "{:?}", loaded.notes);
}
