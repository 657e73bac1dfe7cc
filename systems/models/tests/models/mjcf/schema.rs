//! Tests of `systems/models/mjcf/schema`: nothing is declared twice, and readers ask for all that is declared as read.

use super::load;
use kinegraph_models::mjcf::schema::{self, Element, Kind, Status};
use kinegraph_models::{LoadOptions, parse_mjcf};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

#[test]
fn elements_have_their_attributes() {
    assert!(schema::elements().len() > 100);
    let geom = schema::attributes("geom").unwrap();
    assert!(["type", "fromto", "solref", "fluidcoef"].iter().all(|word| geom.contains(word)), "{geom:?}");
    assert_eq!(schema::attributes("geo"), None);
}

#[test]
fn an_attribute_counts_as_its_element_says() {
    let of = |element: &str, attribute: &str| schema::status(element, attribute);
    assert_eq!(of("geom", "friction"), Some(Status::Read));
    assert_eq!(of("joint", "actuatorgravcomp"), Some(Status::Ignored));
    assert_eq!((of("body", "sleep"), of("body", "fuse")), (Some(Status::Silent), Some(Status::Unread)));
    assert_eq!((of("geom", "frction"), of("joint", "kind")), (None, None));
    // A string has sites of its own sort, and actuators have one default.
    assert_eq!((of("site", "site"), of("motor", "kp")), (Some(Status::Unread), Some(Status::Silent)));
    assert_eq!(schema::status_within("geom", "sensor"), None);
    assert_eq!((schema::default_kind("position"), schema::default_kind("key")), (Some("general"), None));
    assert!(schema::refers("joint1") && schema::refers("target") && !schema::refers("file"));
}

/// An element of one name may stand in several places; in one place it is declared once, and so are its attributes.
#[test]
fn nothing_is_declared_twice() {
    let mut places = BTreeSet::new();
    for element in schema::all() {
        for name in element.names() {
            for within in element.within.split_whitespace() {
                assert!(places.insert((name, within)), "<{name}> in <{within}> is declared twice");
            }
        }
        let mut attributes = BTreeSet::new();
        for name in element.attributes().flat_map(|attribute| attribute.names.split_whitespace()) {
            assert!(attributes.insert(name), "`{name}` of <{}> is declared twice", element.names);
        }
    }
}

/// Recognition does not ask where an element stands: an attribute counts in one way for all elements of a name.
#[test]
fn elements_of_one_name_agree() {
    let mut found: BTreeMap<(&str, &str), Status> = BTreeMap::new();
    for element in schema::all().filter(|element| element.is_checked) {
        for (name, attribute) in element.names().flat_map(|name| element.attributes().map(move |of| (name, of))) {
            for of in attribute.names.split_whitespace() {
                let first = *found.entry((name, of)).or_insert(attribute.status);
                assert_eq!(first, attribute.status, "`{of}` of <{name}>");
            }
        }
    }
}

#[test]
fn what_is_read_has_a_meaning_and_one_name() {
    for attribute in schema::all().flat_map(Element::attributes).filter(|of| of.status == Status::Read) {
        let is_one = attribute.names.split_whitespace().count() == 1;
        assert!(is_one && !attribute.meaning.is_empty() && !matches!(attribute.kind, Kind::Any), "{attribute:?}");
        assert!(!attribute.meaning.contains('|'), "{attribute:?}");
    }
}

/// Notes and faults follow the schema.
#[test]
fn notes_are_those_of_the_schema() {
    let text = |more: &str| {
        format!(
            "<mujoco><option magnetic='0 0 1'/><default><tendon solreffriction='0.1 1'/></default><worldbody><body>\
             <joint name='j'/><geom size='0.1' solmix='2'/></body>{more}</worldbody><actuator>\
             <pid name='p' joint='j' ki='1'/><motor name='m' joint='j'/></actuator></mujoco>"
        )
    };
    let loaded = load(&text(""));
    let notes: Vec<String> = loaded.notes.iter().map(ToString::to_string).collect();
    let says = |part: &str| notes.iter().any(|note| note.contains(part));
    assert!(says("`solmix` of <geom> is not simulated") && says("`ki` of <pid> is not known"), "{notes:#?}");
    assert!(!says("magnetic") && !says("solreffriction"), "{notes:#?}");
    // A controller of a kind that is not simulated keeps its place among the controls.
    let actuators = loaded.model.scene.actuators.iter().map(|of| (of.name.as_str(), of.joints.len()));
    assert_eq!(actuators.collect::<Vec<_>>(), [("p", 0), ("m", 1)]);
    assert!(says("is a controller of a kind that is not simulated"), "{notes:#?}");
    let misspelt = parse_mjcf(&text("<replicate cuont='3'/>"), "test.xml", &LoadOptions::default());
    assert!(misspelt.unwrap_err().to_string().contains("did you mean \"count\""));
}

#[test]
fn an_attribute_is_asked_for_as_it_is_declared() {
    let as_one = |kind: &Kind| matches!(kind, Kind::Number);
    assert!(schema::ask("geom", "mass", as_one) && schema::ask("intvelocity", "timeconst", as_one));
    assert!(!schema::ask("geom", "friction", as_one) && !schema::ask("joint", "springyield", |_| true));
    assert!(!schema::ask("geom", "frction", |_| true) && schema::ask("geo", "mass", as_one));
}

/// Sensors and actuators that are declared as read are known to the readers that choose by their names.
#[test]
fn elements_that_are_read_are_known() {
    for text in [actuators(), sensors()] {
        let loaded = load(&text);
        let unknown = loaded.notes.iter().find(|note| note.to_string().contains("is not known"));
        assert_eq!(unknown.map(ToString::to_string), None);
    }
}

#[test]
fn readers_ask_for_all_that_is_declared_as_read() {
    // Only builds with debug assertions know what was asked for.
    if !cfg!(debug_assertions) {
        return;
    }
    for text in [TREE, ASSETS, &actuators(), &sensors(), CHAINS] {
        load(text);
    }
    load_several_files();
    let asked = schema::asked();
    let missing = schema::all().filter(|element| element.status == Status::Read).flat_map(|element| {
        let names = element.names().filter(|_| element.within != "default");
        names.flat_map(|name| element.attributes().map(move |attribute| (name, attribute)))
    });
    let missing = missing.filter(|(_, attribute)| attribute.status == Status::Read).map(|(name, of)| (name, of.names));
    let by_any = |(name, attribute): &(&str, &str)| {
        let is_alike = |other: &str| other == *name || schema::is_actuator(other) && schema::is_actuator(name);
        asked.iter().any(|(element, of)| of == attribute && is_alike(element))
    };
    // A copy of what is repeated is a frame, which has its class.
    let missing: Vec<_> = missing.filter(|of| !by_any(of) && *of != ("replicate", "childclass")).collect();
    assert!(missing.is_empty(), "no reader asks for {missing:?}");
}

/// Wherever an element stands, and whatever it states, readers ask for no more than its declaration has.
#[test]
fn readers_ask_for_nothing_else_in_any_place() {
    let names: BTreeSet<&str> = schema::all().flat_map(Element::names).collect();
    let parents: BTreeSet<&str> = schema::all().flat_map(|of| of.within.split_whitespace()).collect();
    let attributes = |name: &str| {
        let all = schema::attributes(name).unwrap_or_default();
        all.iter().map(|attribute| format!("{attribute}='1'")).collect::<Vec<_>>().join(" ")
    };
    for parent in parents {
        let (open, close) = place(parent);
        for name in &names {
            for attributes in [attributes(name), String::new()] {
                let text = format!("{open}<{name} {attributes}><{name}/></{name}>{close}");
                // It may be at fault; it must not stop at an assertion.
                let _ = parse_mjcf(&text, "test.xml", &LoadOptions::default());
            }
        }
    }
}

/// The text before and behind what stands in an element.
fn place(element: &str) -> (String, String) {
    if element == "mujoco" {
        return ("<mujoco>".to_owned(), "</mujoco>".to_owned());
    }
    let declared = schema::all().find(|of| of.names().any(|name| name == element)).expect("an element");
    let (open, close) = place(declared.within.split_whitespace().next().expect("a place"));
    let kind = if element == "composite" { " type='cable' count='3' curve='s'" } else { "" };
    (format!("{open}<{element}{kind}>"), format!("</{element}>{close}"))
}

/// The tables of the document between its marks.
#[test]
fn the_tables_of_the_document_are_those_of_the_schema() {
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/mjcf.md");
    let old = std::fs::read_to_string(&document).unwrap();
    let mark = "<!-- printed by: cargo test -p kinegraph-models-tests the_tables -->\n\n";
    let (before, rest) = old.split_once(mark).expect("the mark before the tables");
    let (_, after) = rest.split_once("<!-- end of print -->").expect("the mark behind the tables");
    let new = [before, mark, &schema::tables(), "\n<!-- end of print -->", after].concat();
    if std::env::var("KINEGRAPH_TABLES").is_ok_and(|wish| wish == "write") {
        return std::fs::write(document, new).unwrap();
    }
    let differs = old.lines().zip(new.lines()).find(|(old, new)| old != new);
    assert!(
        old == new,
        "docs/mjcf.md does not have the tables of the schema: {differs:?}\nThis writes them anew:\n  \
         KINEGRAPH_TABLES=write cargo test -p kinegraph-models-tests the_tables"
    );
}

/// Bodies, joints, geoms, contacts, equalities, tendons, keyframes.
const TREE: &str = r#"<mujoco model="all"><compiler eulerseq="xyz"/><option density="1.2" viscosity="1e-5"><flag/></option>
  <default class="main"><geom solimp="0.9"/><default class="rough"><joint damping="1"/></default></default>
  <worldbody><site name="here" size="0.1"/><geom name="rope_ball" size="0.1"/>
  <frame pos="0 0 1"><body name="a" childclass="rough"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
    <joint name="h" range="-1 1" springref="0" stiffness="1"/><joint name="s" type="slide"/><geom name="g" size="0.1"/>
    <geom type="capsule" size="0.1" fromto="0 0 0 0 0 1" fluidshape="ellipsoid"/><site name="tip"/>
    <body name="ball"><joint name="b" type="ball"/><geom name="bg" size="0.1"/></body></body></frame>
  <body name="c"><inertial pos="0 0 0" mass="1" fullinertia="1 1 1 0 0 0"/><freejoint name="f"/><geom size="0.1"/></body>
  <replicate count="2" offset="0 0 1" sep="_"><geom size="0.1"/></replicate></worldbody>
  <contact><exclude body1="a" body2="c"/><pair geom1="g" geom2="bg"/></contact>
  <equality><connect body1="a" body2="c" anchor="0 0 0"/><weld body1="a" body2="c"/><weld site1="tip" site2="here"/>
  <joint joint1="h" joint2="s"/><tendon tendon1="t" tendon2="u"/></equality>
  <tendon><fixed name="t" frictionloss="1" solreffriction="0.02 1"><joint joint="h" coef="2"/></fixed>
  <fixed name="u" range="0 1"><joint joint="h"/><joint joint="s"/></fixed>
  <spatial name="v" range="0 1"><site site="here"/><geom geom="rope_ball" sidesite="here"/><site site="tip"/>
  <pulley divisor="2"/><site site="here"/><site site="tip"/></spatial></tendon>
  <keyframe><key name="k"/></keyframe></mujoco>"#;

/// Meshes, height fields, textures, materials.
const ASSETS: &str = r#"<mujoco><asset><hfield name="hill" nrow="2" ncol="2" size="1 1 1 1"/>
  <mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/><texture name="t" builtin="flat" type="2d"/>
  <texture name="u" file="none.png" type="cube" gridlayout="x"/><texture name="w" type="cube" fileright="none.png"/>
  <material name="p" texture="t"/><material name="q"><layer role="rgb" texture="t"/></material></asset>
  <worldbody><geom type="hfield" hfield="hill"/><geom type="box" mesh="m"/><geom size="1" material="q"/></worldbody>
  </mujoco>"#;

/// Actuators of all kinds, at all that they may drive.
fn actuators() -> String {
    let at = [r#"site="tip" refsite="here""#, r#"cranksite="here" slidersite="tip" cranklength="2""#, r#"body="a""#];
    let kinds: Vec<&str> = schema::all().filter(|of| of.stands_in("actuator")).map(|of| of.names).collect();
    let all = kinds.iter().flat_map(|kind| at.map(|at| format!(r#"<{kind} {at} ctrlrange="0 1"/>"#)));
    format!(
        r#"<mujoco><worldbody><site name="here"/><body name="a"><joint/><geom size="0.1"/><site name="tip"/></body>
        </worldbody><actuator>{}</actuator></mujoco>"#,
        all.collect::<String>()
    )
}

/// Sensors of all kinds.
fn sensors() -> String {
    let sensors = schema::all().filter(|of| of.stands_in("sensor") && of.status == Status::Read);
    let written = sensors.flat_map(|of| of.names().map(move |name| (of, name))).map(|(of, name)| {
        let value = |attribute: &schema::Attribute| match (attribute.names, name) {
            ("site", _) => r#"site="tip""#,
            ("joint", "ballquat" | "ballangvel") => r#"joint="b""#,
            ("joint", _) => r#"joint="h""#,
            ("tendon", _) => r#"tendon="t""#,
            ("actuator", _) => r#"actuator="m""#,
            ("body", _) => r#"body="a""#,
            ("objname", _) => r#"objtype="site" objname="tip""#,
            ("refname", _) => r#"reftype="site" refname="tip""#,
            _ => "",
        };
        format!("<{name} {}/>", of.attributes().map(value).collect::<Vec<_>>().join(" "))
    });
    format!(
        r#"<mujoco><worldbody><body name="a"><joint name="h"/><geom size="0.1"/><site name="tip"/>
        <body><joint name="b" type="ball"/><geom size="0.1"/></body></body></worldbody><tendon><fixed name="t">
        <joint joint="h"/></fixed></tendon><actuator><motor name="m" joint="h"/></actuator><sensor>{}</sensor></mujoco>"#,
        written.collect::<String>()
    )
}

/// A cable with its plugin, a rope, flexible bodies.
const CHAINS: &str = r#"<mujoco><extension><plugin plugin="mujoco.elasticity.cable"><instance name="i">
  <config key="bend" value="1"/></instance></plugin></extension><worldbody>
  <composite type="cable" prefix="c" curve="s" count="3 1 1" size="1"><plugin plugin="mujoco.elasticity.cable"/>
  <geom type="box" size="0.1 0.1 0.1"/></composite>
  <composite type="cable" prefix="d" vertex="0 0 0 0 0 1"><geom type="capsule" size="0.1"/></composite>
  <body name="B0"><freejoint/><geom size="0.1"/><composite type="rope" count="2" spacing="1"><joint kind="main"/>
  <geom type="capsule" size="0.1 0.1"/></composite></body>
  <body name="e"><joint/><geom size="0.1"/><plugin instance="i"/></body><body><geom size="1"/><plugin/></body>
  <flexcomp type="grid" count="2 2 2"/></worldbody>
  <deformable><flex body="e e"/><skin/></deformable></mujoco>"#;

/// A file that includes another and attaches a model, in a folder.
fn load_several_files() {
    let folder = std::env::temp_dir().join(format!("kinegraph-schema-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write("part.xml", r#"<mujoco><body name="p"><geom size="0.1"/></body></mujoco>"#);
    write("other.xml", r#"<mujoco><worldbody><body name="o"><geom size="0.1"/></body></worldbody></mujoco>"#);
    let main = r#"<mujoco><asset><model name="m" file="other.xml"/></asset><worldbody><include file="part.xml"/>
        <attach model="m" body="o" prefix="x" frame="f"/></worldbody></mujoco>"#;
    let loaded = parse_mjcf(main, &folder.join("main.xml").display().to_string(), &LoadOptions::default()).unwrap();
    assert!(loaded.notes.iter().any(|note| note.to_string().contains("has a `frame`, which is not read")));
    std::fs::remove_dir_all(folder).unwrap();
}
