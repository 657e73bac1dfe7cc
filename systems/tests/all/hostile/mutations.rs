//! Mutations of good files.

use kinegraph_systems::models::{LoadOptions, MissingMeshes, parse_model, parse_urdf_with};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const URDF: [&str; 3] = [
    include_str!("../../data/urdf/hand.urdf"),
    include_str!("../../data/urdf/features.urdf"),
    "<robot name='r'><link name='a'/><link name='b'/><frame name='f' link='b' xyz='1 2 3'/><joint name='j' type='planar'>\
     <parent link='a'/><child link='b'/></joint><drake:linear_bushing_rpy><drake:bushing_frameA name='a'/>\
     <drake:bushing_frameC name='f'/><drake:bushing_torque_stiffness value='5 5 5'/></drake:linear_bushing_rpy>\
     <drake:collision_filter_group name='g'><drake:member link='a'/><drake:member_group name='g'/>\
     <drake:ignored_collision_filter_group name='g'/></drake:collision_filter_group></robot>",
];
const SDF: [&str; 2] =
    [include_str!("../../data/sdf/mechanism.sdf"), include_str!("../../data/sdf/arm_parts/tool.sdf")];
const MJCF: [&str; 2] = [
    "<mujoco><compiler angle='radian' autolimits='true'/><option gravity='0 0 -9.81'><flag contact='enable'/></option>\
     <default><joint damping='1'/><default class='c'><geom type='capsule' size='0.1 0.2'/></default></default>\
     <asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset><worldbody><geom type='plane' size='1 1 1'/>\
     <body name='a' pos='0 0 1' gravcomp='0.5'><freejoint/><geom class='c'/><site name='s'/><body name='b'>\
     <joint name='j' range='-1 1' stiffness='2'/><joint name='k' type='slide'/><geom size='0.1' fromto='0 0 0 1 0 0' \
     type='capsule'/></body></body><replicate count='3' offset='1 0 0' euler='0 0 1'><body name='c' pos='3 0 0'>\
     <joint name='n' type='ball' range='0 1'/><geom type='box' size='.1 .1 .1'/></body></replicate></worldbody>\
     <tendon><fixed name='t' range='0 1' stiffness='3'><joint joint='j' coef='1'/><joint joint='k' coef='2'/></fixed></tendon>\
     <equality><joint joint1='j' joint2='k'/><connect body1='a' anchor='0 0 0'/></equality>\
     <actuator><position joint='j' kp='3'/><general tendon='t' gainprm='2' dyntype='filter'/></actuator>\
     <keyframe><key qpos='0 0 0 1 0 0 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0' ctrl='1 2' act='3'/></keyframe></mujoco>",
    "<mujoco><worldbody><frame pos='1 2 3' euler='10 20 30'><body name='a'><inertial mass='1' pos='0 0 0' \
     diaginertia='1 1 1'/><joint/></body></frame></worldbody><contact><exclude body1='a' body2='world'/></contact></mujoco>",
];
const OBJ: &str = "o cube\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 1 1 1\nf 1 2 3\nf 1/1 2/2 4\nf 3 4 5 2\n";
const STL: &str = "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n\
                   facet normal 0 1 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 0 1\nendloop\nendfacet\nendsolid s\n";

/// Words that turn a good file into an interesting one.
const WORDS: [&str; 24] = [
    "nan",
    "-inf",
    "1e999",
    "-0",
    "1e-308",
    "99999999999",
    "-1",
    "",
    " ",
    "\"",
    "<",
    "/>",
    "</",
    "<!--",
    "<![CDATA[",
    "&x;",
    "::",
    "__model__",
    "world",
    "name='a'",
    "../..",
    "\u{feff}",
    "ß",
    "0",
];

/// An endless sequence of random numbers from a fixed start.
struct Random(u64);

impl Random {
    fn next(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

/// Cut, doubled, moved and changed pieces of `seed`.
fn mutated(seed: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..1 + random.next(5) {
        let at = random.next(bytes.len());
        let end = (at + random.next(60)).min(bytes.len());
        match random.next(7) {
            0 => drop(bytes.drain(at..end)),
            1 | 2 => {
                let piece = bytes[at..end].to_vec();
                let to = random.next(bytes.len() + 1);
                bytes.splice(to..to, piece);
            }
            3 => {
                drop(bytes.splice(at..(at + random.next(4)).min(bytes.len()), WORDS[random.next(WORDS.len())].bytes()))
            }
            4 => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte = random.next(256) as u8),
            5 if random.next(4) == 0 => bytes.truncate(at),
            _ => {
                // A number in place of one.
                let digits = bytes[at..].iter().position(u8::is_ascii_digit).map(|offset| at + offset);
                if let Some(at) = digits {
                    bytes.splice(at..at + 1, WORDS[random.next(7)].bytes());
                }
            }
        }
    }
    bytes
}

/// Runs a target on `cases` mutations, or for as long as the environment states; each must return within seconds.
fn fuzz(target: &str, cases: usize, seeds: &[&[u8]], check: impl Fn(&[u8])) {
    let seconds = std::env::var("KINEGRAPH_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok());
    let (begin, end) = (Instant::now(), seconds.map(Duration::from_secs));
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut done = 0;
    while end.map_or(done < cases, |end| begin.elapsed() < end) {
        let bytes = mutated(seeds[done % seeds.len()], &mut random);
        let start = Instant::now();
        check(&bytes);
        let took = start.elapsed();
        assert!(took < Duration::from_secs(20), "{target}: {took:?} for {:?}", String::from_utf8_lossy(&bytes));
        done += 1;
    }
    println!("{target}: {done} cases");
}

fn options() -> LoadOptions {
    LoadOptions { missing_meshes: MissingMeshes::Ignore, ..LoadOptions::default() }
}

fn model(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let name = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/sdf/fuzz.xml");
    match parse_model(text, &name.display().to_string(), &options()) {
        Ok(loaded) => {
            assert!(loaded.notes.iter().all(|note| note.span.end <= text.len() || note.file.ends_with("tool.sdf")))
        }
        Err(error) => assert!(!error.faults.is_empty()),
    }
}

#[test]
fn urdf() {
    fuzz("urdf", 3000, &URDF.map(str::as_bytes), model);
}

#[test]
fn mjcf() {
    fuzz("mjcf", 3000, &MJCF.map(str::as_bytes), model);
}

#[test]
fn sdf() {
    fuzz("sdf", 2000, &SDF.map(str::as_bytes), model);
}

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile").join(std::process::id().to_string());
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn mesh(format: &str, bytes: &[u8]) {
    let (folder, file) = (folder(), format!("mesh.{format}"));
    std::fs::write(folder.join(&file), bytes).unwrap();
    let name = folder.join("model.xml").display().to_string();
    let urdf = format!(
        "<robot name='r'><link name='a'><collision><geometry><mesh filename='{file}'/></geometry></collision></link></robot>"
    );
    let mjcf = format!(
        "<mujoco><asset><mesh name='m' file='{file}'/></asset><worldbody><body><joint/><geom type='mesh' mesh='m'/></body>\
         </worldbody></mujoco>"
    );
    parse_urdf_with(&urdf, &name, &options()).unwrap();
    let _ = parse_model(&mjcf, &name, &options());
}

#[test]
fn obj() {
    fuzz("obj", 800, &[OBJ.as_bytes()], |bytes| mesh("obj", bytes));
}

#[test]
fn stl() {
    let mut binary = vec![0; 80];
    binary.extend(4_u32.to_le_bytes());
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0_f32]];
    for face in [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]] {
        binary.extend([0; 12]);
        face.iter().flat_map(|&i: &usize| corners[i]).for_each(|x| binary.extend(x.to_le_bytes()));
        binary.extend([0; 2]);
    }
    fuzz("stl", 800, &[STL.as_bytes(), &binary], |bytes| mesh("stl", bytes));
}

#[test]
fn msh() {
    let mut bytes = Vec::new();
    [4_i32, 0, 0, 4].iter().for_each(|n| bytes.extend(n.to_le_bytes()));
    let points = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0_f32];
    points.iter().for_each(|x| bytes.extend(x.to_le_bytes()));
    [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2_i32].iter().for_each(|n| bytes.extend(n.to_le_bytes()));
    fuzz("msh", 800, &[&bytes], |bytes| mesh("msh", bytes));
}

#[test]
fn ply_and_vtk() {
    let ply = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 4\n\
               property list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n";
    fuzz("ply", 800, &[ply.as_bytes()], |bytes| mesh("ply", bytes));
    let vtk = "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n0 0 0 1 0 0 0 1 0 0 0 1\n\
               CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n";
    fuzz("vtk", 800, &[vtk.as_bytes()], |bytes| mesh("vtk", bytes));
}

/// A tetrahedron: positions in the layout of glTF and STL, and the JSON that names them, with their data at `uri`.
fn gltf_json(uri: &str) -> String {
    format!(
        "{{\"asset\":{{\"version\":\"2.0\"}},\"scene\":0,\"scenes\":[{{\"nodes\":[0]}}],\"nodes\":[{{\"children\":[1],\
         \"scale\":[2,2,-2]}},{{\"mesh\":0,\"translation\":[0,1,0]}}],\"meshes\":[{{\"primitives\":[{{\"attributes\":\
         {{\"POSITION\":0}},\"indices\":1,\"mode\":4}}]}}],\"accessors\":[{{\"bufferView\":0,\"componentType\":5126,\
         \"count\":4,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[1,1,1]}},{{\"bufferView\":1,\"componentType\":5121,\
         \"count\":12,\"type\":\"SCALAR\"}}],\"bufferViews\":[{{\"buffer\":0,\"byteLength\":48}},{{\"buffer\":0,\
         \"byteOffset\":48,\"byteLength\":12}}],\"buffers\":[{{{uri}\"byteLength\":60}}]}}"
    )
}

fn gltf_data() -> Vec<u8> {
    let points = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0_f32];
    let mut data: Vec<u8> = points.iter().flat_map(|x| x.to_le_bytes()).collect();
    data.extend([0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2]);
    data
}

#[test]
fn gltf() {
    use base64::Engine;
    let data = base64::engine::general_purpose::STANDARD.encode(gltf_data());
    let text = gltf_json(&format!("\"uri\":\"data:application/octet-stream;base64,{data}\","));
    assert!(mesh_is_read("gltf", text.as_bytes()), "the seed is no mesh");
    fuzz("gltf", 800, &[text.as_bytes()], |bytes| mesh("gltf", bytes));
}

#[test]
fn glb() {
    let mut json = gltf_json("").into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let data = gltf_data();
    let mut bytes = b"glTF".to_vec();
    let mut number = |n: usize, kind: &[u8]| {
        bytes.extend((n as u32).to_le_bytes());
        bytes.extend(kind);
    };
    number(2, &((12 + 8 + json.len() + 8 + data.len()) as u32).to_le_bytes());
    number(json.len(), b"JSON");
    bytes.extend(&json);
    bytes.extend((data.len() as u32).to_le_bytes());
    bytes.extend(b"BIN\0");
    bytes.extend(&data);
    assert!(mesh_is_read("glb", &bytes), "the seed is no mesh");
    fuzz("glb", 800, &[&bytes], |bytes| mesh("glb", bytes));
}

fn mesh_is_read(format: &str, bytes: &[u8]) -> bool {
    let (folder, file) = (folder(), format!("seed.{format}"));
    std::fs::write(folder.join(&file), bytes).unwrap();
    let urdf = format!(
        "<robot name='r'><link name='a'><collision><geometry><mesh filename='{file}'/></geometry></collision></link></robot>"
    );
    let name = folder.join("model.xml").display().to_string();
    parse_urdf_with(&urdf, &name, &LoadOptions::default()).is_ok()
}
