#![no_main]
//! Whatever the bytes, the readers of meshes answer. The first byte says which format the rest is meant to be.

use kinegraph_systems::models::{LoadOptions, MissingMeshes, parse_mjcf, parse_urdf_with};
use libfuzzer_sys::fuzz_target;

const FORMATS: [&str; 6] = ["obj", "stl", "dae", "msh", "gltf", "glb"];

fuzz_target!(|data: &[u8]| {
    let Some((first, bytes)) = data.split_first() else { return };
    let format = FORMATS[usize::from(*first) % FORMATS.len()];
    let folder = std::env::temp_dir().join(format!("kinegraph-fuzz-{}", std::process::id()));
    let file = format!("mesh.{format}");
    if std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(folder.join(&file), bytes)).is_err() {
        return;
    }
    let options = LoadOptions { missing_meshes: MissingMeshes::Ignore, ..LoadOptions::default() };
    let name = folder.join("model.xml").display().to_string();
    let urdf = format!(
        "<robot name='r'><link name='a'><collision><geometry><mesh filename='{file}'/></geometry></collision></link></robot>"
    );
    let mjcf = format!(
        "<mujoco><asset><mesh name='m' file='{file}'/></asset><worldbody><body><joint/><geom type='mesh' mesh='m'/></body>\
         </worldbody></mujoco>"
    );
    let _ = parse_urdf_with(&urdf, &name, &options);
    let _ = parse_mjcf(&mjcf, &name, &options);
});
