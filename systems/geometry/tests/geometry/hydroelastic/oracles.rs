//! Meshes and contact surfaces of another engine (`tests/data/hydroelastic/surfaces.json`, from Drake 1.51.1).

use super::*;
use serde_json::Value;

fn oracle() -> Value {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/hydroelastic/surfaces.json");
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

fn shape(name: &str) -> Option<Shape> {
    let cylinder = |radius, length| Shape::Cylinder { radius, half_length: 0.5 * length };
    Some(match name {
        "sphere R=0.1" => Shape::Sphere { radius: 0.1 },
        "box 0.2x0.3x0.4" => cuboid(0.2, 0.3, 0.4),
        "box cube 0.2" => cuboid(0.2, 0.2, 0.2),
        "box 0.2x0.2x0.4" => cuboid(0.2, 0.2, 0.4),
        "cylinder r=0.05 L=0.2" => cylinder(0.05, 0.2),
        "cylinder r=0.1 L=0.2" => cylinder(0.1, 0.2),
        "cylinder r=0.1 L=0.1" => cylinder(0.1, 0.1),
        "capsule r=0.05 L=0.2" => Shape::Capsule { radius: 0.05, half_length: 0.1 },
        "ellipsoid .1 .2 .3" => return None,
        _ => panic!("{name}"),
    })
}

#[test]
fn meshes_have_the_sizes_and_volumes_of_another_engine() {
    for case in oracle()["meshes"].as_array().unwrap() {
        let (name, hint) = (case["shape"].as_str().unwrap(), case["hint"].as_f64().unwrap());
        let compliance = if case["compliance"] == "rigid" { Compliance::Rigid } else { soft(1.0) };
        let field = match shape(name) {
            Some(shape) => Field::new(&shape, compliance, &inscribed(hint)),
            None => Field::ellipsoid(Vector3::new(0.1, 0.2, 0.3), compliance, &inscribed(hint)),
        };
        let (elements, vertices, volume) = match field.unwrap() {
            Field::Compliant(mesh) => (mesh.num_tetrahedra(), mesh.num_vertices(), Some(mesh.volume())),
            Field::Rigid(mesh) => {
                let mut named: Vec<_> = mesh.triangles().iter().flatten().collect();
                named.sort_unstable();
                named.dedup();
                (mesh.num_triangles(), named.len(), None)
            }
            other => panic!("{other:?}"),
        };
        // A box with two equal sides is cut into fewer cells here.
        if name != "box 0.2x0.2x0.4" || volume.is_none() {
            let expected = [&case["elements"], &case["vertices"]].map(|v| v.as_u64().unwrap() as usize);
            assert_eq!([elements, vertices], expected, "{name} at {hint}");
        }
        if let Some(volume) = volume {
            assert_near(volume, case["volume"].as_f64().unwrap(), 1e-13, name);
        }
    }
}

#[test]
fn contact_surfaces_have_the_areas_forces_and_stiffnesses_of_another_engine() {
    let ground = field(&Shape::HalfSpace, Compliance::Rigid, &inscribed(1.0));
    let mut count = 0;
    for case in oracle()["surfaces"].as_array().unwrap() {
        // Triangles that share the centroid of a polygon have its area and force.
        let name = case["case"].as_str().unwrap();
        let hint = case["hint"].as_f64().unwrap_or(0.02);
        let d = case["d"].as_f64().unwrap();
        let ball = |compliance, hint| field(&Shape::Sphere { radius: 0.1 }, compliance, &inscribed(hint));
        let on_its_side =
            |axis: Vector3<f64>, height| turned(axis, std::f64::consts::FRAC_PI_2, Vector3::new(0.0, 0.0, height));
        let E = 1e6;
        // The first pushed upward by the second.
        let (upper, X, lower) = match name {
            _ if name.starts_with("compliant sphere R=.1 E=1e6 on") => {
                (ball(soft(E), hint), at(0.0, 0.0, 0.1 - d), ground.clone())
            }
            _ if name.starts_with("compliant box .2x.3x.4") => {
                (field(&cuboid(0.2, 0.3, 0.4), soft(E), &inscribed(hint)), at(0.0, 0.0, 0.2 - d), ground.clone())
            }
            _ if name.starts_with("rigid box") => (
                field(&cuboid(0.2, 0.3, 0.4), Compliance::Rigid, &inscribed(hint)),
                at(0.0, 0.0, 0.2 - d),
                soft_ground(E, 0.1),
            ),
            _ if name.starts_with("rigid sphere") => {
                (ball(Compliance::Rigid, hint), at(0.0, 0.0, 0.1 - d), soft_ground(E, 0.1))
            }
            _ if name.starts_with("two compliant cubes") => {
                let cube = |modulus| field(&cuboid(0.2, 0.2, 0.2), soft(modulus), &inscribed(hint));
                (cube(E), at(0.0, 0.0, 0.2 - d), cube(3.0 * E))
            }
            _ if name.starts_with("two compliant spheres") => {
                (ball(soft(E), hint), at(0.0, 0.0, 0.2 - d), ball(soft(E), hint))
            }
            _ if name.starts_with("compliant sphere R=.1 hint .02 on rigid box") => {
                let slab = field(&cuboid(1.0, 1.0, 0.2), Compliance::Rigid, &inscribed(hint));
                (ball(soft(E), hint), at(0.013, 0.027, 0.2 - d), slab)
            }
            _ if name.contains("end-on") => {
                let shape = Shape::Cylinder { radius: 0.05, half_length: 0.1 };
                (field(&shape, soft(E), &inscribed(hint)), at(0.0, 0.0, 0.1 - d), ground.clone())
            }
            _ if name.starts_with("compliant cylinder") => {
                let shape = Shape::Cylinder { radius: 0.05, half_length: 0.1 };
                (field(&shape, soft(E), &inscribed(hint)), on_its_side(Vector3::x(), 0.05 - d), ground.clone())
            }
            _ if name.starts_with("compliant capsule") => {
                let shape = Shape::Capsule { radius: 0.05, half_length: 0.1 };
                (field(&shape, soft(E), &inscribed(hint)), on_its_side(Vector3::x(), 0.05 - d), ground.clone())
            }
            _ if name.starts_with("compliant ellipsoid") => {
                let field = Field::ellipsoid(Vector3::new(0.1, 0.2, 0.3), soft(E), &inscribed(hint)).unwrap();
                (field, at(0.0, 0.0, 0.3 - d), ground.clone())
            }
            _ if name.starts_with("margin") => {
                let tessellation = Tessellation { margin: 1e-3, ..inscribed(hint) };
                (field(&cuboid(0.2, 0.2, 0.2), soft(E), &tessellation), at(0.0, 0.0, 0.1 - d), ground.clone())
            }
            _ => panic!("{name}"),
        };
        let found = surface(&lower, &Isometry3::identity(), &upper, &X);
        let expected = &case["surfaces"][0];
        let number = |key: &str| expected[key].as_f64().unwrap();
        let what = |part: &str| format!("{part} of {name}, d = {d}, hint {hint}");
        let force = found.wrench(&Vector3::zeros()).0;
        assert_near(found.area(), number("area"), 1e-9, &what("area"));
        assert_near(force.z, expected["force"][2].as_f64().unwrap(), 1e-9, &what("force"));
        assert_near(found.stiffness(), number("k"), 1e-9, &what("stiffness"));
        // Boxes are cut into other cells here, and polygons at p = 0.
        if case["rep"] == "polygon" && !["box", "cubes", "margin"].iter().any(|other| name.contains(other)) {
            assert_eq!(found.faces.len(), number("faces") as usize, "{}", what("faces"));
            let centre =
                found.faces.iter().map(|face| face.p_WC * face.elastic_force()).sum::<Vector3<f64>>() / force.z;
            let expected = Vector3::from_fn(|i, _| expected["cop"][i].as_f64().unwrap());
            assert!((centre - expected).norm() < 1e-9, "{}: {centre} and {expected}", what("centre of pressure"));
        }
        count += 1;
    }
    assert_eq!(count, 88);
}
