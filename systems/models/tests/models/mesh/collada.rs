//! Tests of `systems/models/mesh/collada.rs`.

use kinegraph_models::mesh::collada::read;
use nalgebra::Vector3;

fn file(faces: &str, node: &str) -> Vec<u8> {
    format!(
        r##"<COLLADA><asset><unit meter="0.01"/><up_axis>Y_UP</up_axis></asset>
        <library_effects><effect id="e"><diffuse><color>1 0 0 1</color></diffuse></effect></library_effects>
        <library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>
        <library_geometries><geometry id="g"><mesh>
          <source id="s"><float_array id="a" count="12">0 0 0 100 0 0 100 100 0 0 100 0</float_array></source>
          <vertices id="v"><input semantic="POSITION" source="#s"/></vertices>{faces}</mesh></geometry>
        </library_geometries>
        <library_visual_scenes><visual_scene id="all"><node>{node}<instance_geometry url="#g"/></node></visual_scene>
        </library_visual_scenes><scene><instance_visual_scene url="#all"/></scene></COLLADA>"##
    )
    .into_bytes()
}

const INPUTS: &str = r##"<input semantic="VERTEX" source="#v" offset="0"/>
    <input semantic="NORMAL" source="#n" offset="1"/>"##;

#[test]
fn polygons_strips_and_fans_are_triangles_placed_in_metres() {
    let square = "0 0 1 0 2 0 3 0";
    for (faces, expected) in [
        (
            format!("<polylist material='m'>{INPUTS}<vcount>4</vcount><p>{square}</p></polylist>"),
            [[0, 1, 2], [0, 2, 3]],
        ),
        (format!("<polygons material='m'>{INPUTS}<p>{square}</p></polygons>"), [[0, 1, 2], [0, 2, 3]]),
        (format!("<tristrips material='m'>{INPUTS}<p>0 0 1 0 3 0 2 0</p></tristrips>"), [[0, 1, 3], [3, 1, 2]]),
        (format!("<triangles material='m'>{INPUTS}<p>{square} 0 0 2 0</p></triangles>"), [[0, 1, 2], [3, 0, 2]]),
    ] {
        let mesh = read(file(&faces, "<translate>0 0 50</translate>")).unwrap();
        assert_eq!(mesh.positions[2], Vector3::new(1.0, 1.0, 0.5));
        assert_eq!(mesh.triangles, expected, "{faces}");
        assert_eq!(mesh.parts[0].rgba, Some([1.0, 0.0, 0.0, 1.0]));
    }
    let mirrored = format!("<triangles>{INPUTS}<p>0 0 1 0 2 0</p></triangles>");
    assert_eq!(read(file(&mirrored, "<scale>-1 1 1</scale>")).unwrap().triangles, [[0, 2, 1]]);
}

#[test]
fn references_to_missing_collada_data_are_faults() {
    for faces in [
        format!("<triangles>{INPUTS}<p>0 0 1 0 9 0</p></triangles>"),
        format!("<polylist>{INPUTS}<vcount>99999999999</vcount><p>0 0 1 0 2 0</p></polylist>"),
        format!("<polylist>{INPUTS}<p>0 0 1 0 2 0</p></polylist>"),
        format!("<triangles>{INPUTS}<p>a</p></triangles>"),
    ] {
        assert!(read(file(&faces, "")).is_err(), "{faces}");
    }
    for text in ["", "<a/>", "<COLLADA><asset><unit meter='x'/></asset></COLLADA>"] {
        assert!(read(text.into()).is_err());
    }
    // A node that shows itself, twice at every level.
    let twice = r##"<COLLADA><library_nodes><node id="n"><instance_node url="#n"/><instance_node url="#n"/></node>
        </library_nodes><library_visual_scenes><visual_scene id="all"><instance_node url="#n"/></visual_scene>
        </library_visual_scenes><scene><instance_visual_scene url="#all"/></scene></COLLADA>"##;
    assert!(read(twice.into()).is_err());
}
