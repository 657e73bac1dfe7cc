//! Sensors of SDFormat, and of Gazebo's elements in URDF, against closed forms: a rod that hangs still on a joint, with
//! its load.

use kinegraph_systems::LeafSystem;
use kinegraph_systems::convex::{PlantDynamics, PlantPoint, PlantReports, RayKind};
use kinegraph_systems::models::{LoadOptions, Loaded, parse_sdf, parse_urdf};
use kinegraph_systems::multibody::{Base, MultibodyPlant, PlantBuilder};
use kinegraph_systems::step_record::StepRecord;
use kinegraph_systems::testing::Bench;

const G: f64 = 9.81;

/// The elements of both formats: of the rod, and of the joint.
const ON_ROD: &str = r#"
<sensor name="imu" type="imu"><pose>0 0 -1 0 0 1.5707963267948966</pose><update_rate>100</update_rate></sensor>
<sensor name="height" type="altimeter"><pose>0 0 -1 0 0 0</pose></sensor>
<sensor name="compass" type="magnetometer"><pose>0 0 0 0 0 1.5707963267948966</pose></sensor>
<sensor name="touch" type="contact"><contact><collision>rod</collision></contact></sensor>
<sensor name="scan" type="gpu_lidar"><pose>0 0 -1 0 0 0</pose><update_rate>20</update_rate><lidar>
  <scan><horizontal><samples>5</samples><min_angle>-1</min_angle><max_angle>1</max_angle></horizontal>
  <vertical><samples>3</samples><min_angle>-0.2</min_angle><max_angle>0.2</max_angle></vertical></scan>
  <range><min>0.1</min><max>12</max></range>
  <noise type="gaussian"><mean>0.1</mean><stddev>0.02</stddev></noise></lidar></sensor>
<sensor name="eye" type="depth_camera"><update_rate>10</update_rate><camera><horizontal_fov>1.2</horizontal_fov>
  <image><width>32</width><height>24</height></image><clip><near>0.1</near><far>8</far></clip></camera></sensor>
<sensor name="sky" type="gps"/>"#;
const ON_JOINT: &str = r#"
<sensor name="wrist" type="force_torque"><force_torque><frame>parent</frame></force_torque></sensor>
<sensor name="hand" type="force_torque"><force_torque><frame>child</frame>
<measure_direction>parent_to_child</measure_direction></force_torque></sensor>"#;

fn sdf() -> Loaded {
    let text = format!(
        r#"<sdf version="1.9"><model name="m"><link name="base"/>
        <link name="rod"><pose>0 0 3 0 0 0</pose><inertial><pose>0 0 -0.5 0 0 0</pose><mass>2</mass>
        <inertia><ixx>0.2</ixx><iyy>0.2</iyy><izz>0.01</izz></inertia></inertial>{ON_ROD}</link>
        <joint name="pivot" type="continuous"><parent>base</parent><child>rod</child><axis><xyz>0 1 0</xyz></axis>
        {ON_JOINT}</joint></model></sdf>"#
    );
    parse_sdf(&text, "rod.sdf", &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn urdf() -> Loaded {
    let text = format!(
        r#"<robot name="m"><link name="base"/><link name="rod"><inertial><origin xyz="0 0 -0.5"/><mass value="2"/>
        <inertia ixx="0.2" iyy="0.2" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
        <joint name="pivot" type="continuous"><parent link="base"/><child link="rod"/><origin xyz="0 0 3"/>
        <axis xyz="0 1 0"/></joint><gazebo reference="rod">{ON_ROD}<material>Gazebo/Red</material></gazebo>
        <gazebo reference="pivot">{ON_JOINT}</gazebo></robot>"#
    );
    parse_urdf(&text, "rod.urdf").unwrap_or_else(|error| panic!("{error}"))
}

fn plant(loaded: &Loaded) -> MultibodyPlant {
    PlantBuilder::new().model("m", loaded.model.clone(), Base::fixed()).build().unwrap_or_else(|e| panic!("{e}"))
}

/// All readings of the rod, turned by `q` at the rate `v`, with the acceleration `a`.
fn readings(plant: &MultibodyPlant, [q, v, a]: [f64; 3]) -> Vec<(String, f64)> {
    let mut point = PlantPoint::default();
    plant.evaluate(&[q], &[v], &mut point);
    let record = StepRecord {
        length: 1.0,
        q: vec![q],
        v: vec![v],
        velocity: vec![v + a],
        actuation: vec![0.0],
        ..Default::default()
    };
    let mut discrete: Vec<f64> = plant.ports().discrete().iter().flat_map(|run| run.initial.clone()).collect();
    plant.read_out(&record, &mut point, &mut discrete);
    let bench = Bench::new(plant).state([q, v]).discrete(discrete);
    let ports = plant.ports().outputs().iter().filter(|port| port.name.ends_with("sensors"));
    ports.flat_map(|port| port.elements.iter().cloned().zip(bench.eval_named(&port.name)).collect::<Vec<_>>()).collect()
}

/// Turned by q about y the rod points along (-sin q, 0, -cos q). Its tip moves on a circle of radius 1.
#[test]
fn sensors_on_a_rod_agree_with_the_closed_form() {
    for loaded in [sdf(), urdf()] {
        let plant = plant(&loaded);
        let (q, v, a) = (0.4_f64, 1.5, -2.0);
        let found = readings(&plant, [q, v, a]);
        let of = |name: &str| {
            let full = format!("m.sensors.{name}");
            found.iter().find(|(other, _)| *other == full).unwrap_or_else(|| panic!("{full} in {found:?}")).1
        };
        let (sin, cos) = q.sin_cos();
        // Acceleration of the point at the distance r along the rod, in its axes: v²r up the rod, -a r along x.
        let own = |r: f64| [-a * r + G * -sin, v * v * r + G * cos];
        let tip = own(1.0);
        let expected = [
            // The sensor is turned by a quarter about z: its x is y of the rod, its y is -x of it.
            ("imu.linear_acceleration.x", 0.0),
            ("imu.linear_acceleration.y", -tip[0]),
            ("imu.linear_acceleration.z", tip[1]),
            ("imu.angular_velocity.x", v),
            ("imu.angular_velocity.y", 0.0),
            ("height.position.x", -sin),
            ("height.position.z", 3.0 - cos),
            ("height.velocity.z", sin * v),
            ("compass.x", 22.8758e-6),
            ("compass.y", -(5.5645e-6 * cos + 42.3884e-6 * sin)),
            ("touch", 0.0),
            // On the child in its own axes, and on the parent in the parent's.
            ("hand.force.x", 2.0 * own(0.5)[0]),
            ("hand.force.z", 2.0 * own(0.5)[1]),
            ("wrist.force.x", -2.0 * (own(0.5)[0] * cos + own(0.5)[1] * sin)),
            ("wrist.force.z", -2.0 * (own(0.5)[1] * cos - own(0.5)[0] * sin)),
        ];
        for (name, expected) in expected {
            assert!((of(name) - expected).abs() < 1e-9, "{name}: {} instead of {expected}", of(name));
        }
        // The joint turns freely; about its axis the torque is what the acceleration lacks.
        let torque = (0.2 + 2.0 * 0.25) * a + 2.0 * G * 0.5 * sin;
        assert!((of("hand.torque.y") - torque).abs() < 1e-9 && (of("wrist.torque.y") + torque).abs() < 1e-9);
    }
}

#[test]
fn rays_have_the_numbers_of_the_file_and_the_rest_is_noted() {
    for loaded in [sdf(), urdf()] {
        let plant = plant(&loaded);
        let [scan, eye] = plant.ray_sensors() else { panic!("{:?}", plant.ray_sensors()) };
        assert_eq!((scan.name.as_str(), scan.link.as_str(), scan.period), ("m/scan", "m/rod", 0.05));
        assert_eq!((scan.bias, scan.noise), (0.1, 0.02));
        let RayKind::Lidar { columns: 5, azimuths, elevations, max_range: 12.0 } = &scan.kind else {
            panic!("{scan:?}")
        };
        assert_eq!((azimuths, elevations.as_slice()), (&[-1.0, 1.0], &[-0.2, 0.0, 0.2][..]));
        let camera = RayKind::Camera { columns: 32, rows: 24, field_of_view: 1.2, max_depth: 8.0, labels: false };
        assert_eq!(eye.kind, camera);
        // It looks along x of its link, with z up.
        let ahead = eye.X_LS.rotation * nalgebra::Vector3::z();
        let down = eye.X_LS.rotation * nalgebra::Vector3::y();
        assert!((ahead - nalgebra::Vector3::x()).norm() < 1e-12 && (down + nalgebra::Vector3::z()).norm() < 1e-12);
        let notes: Vec<String> = loaded.notes.iter().map(ToString::to_string).collect();
        for part in ["type that is not simulated", "without the rate and the noise", "`model_sensor` reads it"] {
            assert!(notes.iter().any(|note| note.contains(part)), "{part}: {notes:#?}");
        }
    }
}
