//! Files that name files: for any name in a diagram or a model, in any spelling, no file is opened outside of the
//! folder of the diagram, its `model_paths` and packages; and devices are not read.

use crate::command::kinegraph;
use crate::{TETRAHEDRON, folder_with};
use kinegraph::files::Catalog;
use kinegraph::scenario::Scenario;
use std::path::{Path, PathBuf};

/// A place in a file where another is named: the files of the diagram with `PATH` in them.
struct Site {
    what: &'static str,
    ending: &'static str,
    file: &'static str,
    text: &'static str,
    model: &'static str,
}

const LINK: &str = "<link name='l'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>";

const SITES: &[Site] = &[
    Site { what: "model of a plant", ending: "urdf", file: "d.yaml", text: "", model: "PATH" },
    Site {
        what: "nested diagram",
        ending: "yaml",
        file: "d.yaml",
        text: "kinegraph: 1\nsystems: {n: {type: diagram, file: 'PATH'}}\nsimulation: {duration: 1}\n",
        model: "",
    },
    Site {
        what: "pairs of links that do not collide",
        ending: "srdf",
        file: "d.yaml",
        text: "kinegraph: 1\nsystems: {p: {type: multibody_plant, models: [{name: m, file: good.urdf, base: fixed}], \
               collisions: {m: {srdf: 'PATH'}}}}\nsimulation: {duration: 1}\n",
        model: "",
    },
    Site {
        what: "collision mesh of URDF",
        ending: "obj",
        file: "m.urdf",
        text: "<robot name='r'>LINK<collision><geometry><mesh filename='PATH'/></geometry></collision></link></robot>",
        model: "m.urdf",
    },
    Site {
        what: "collision mesh of SDFormat",
        ending: "obj",
        file: "m.sdf",
        text: "<sdf version='1.9'><model name='m'><link name='l'><collision name='c'><geometry><mesh><uri>PATH</uri>\
               </mesh></geometry></collision></link></model></sdf>",
        model: "m.sdf",
    },
    Site {
        what: "include of SDFormat",
        ending: "sdf",
        file: "m.sdf",
        text: "<sdf version='1.9'><model name='m'><link name='a'/><include><uri>PATH</uri></include>\
               <joint name='j' type='fixed'><parent>a</parent><child>i::b</child></joint></model></sdf>",
        model: "m.sdf",
    },
    Site {
        what: "include of MJCF",
        ending: "xml",
        file: "m.xml",
        text: "<mujoco><include file='PATH'/><worldbody><body><geom size='.1'/></body></worldbody></mujoco>",
        model: "m.xml",
    },
    Site {
        what: "mesh of MJCF",
        ending: "obj",
        file: "m.xml",
        text: "<mujoco><asset><mesh name='a' file='PATH'/></asset><worldbody><body><freejoint/>\
               <geom type='mesh' mesh='a'/></body></worldbody></mujoco>",
        model: "m.xml",
    },
    Site {
        what: "height field of MJCF",
        ending: "bin",
        file: "m.xml",
        text: "<mujoco><asset><hfield name='a' file='PATH' size='1 1 1 1'/></asset><worldbody>\
               <geom type='hfield' hfield='a'/></worldbody></mujoco>",
        model: "m.xml",
    },
];

/// Content of the files outside: a valid file of every kind.
fn outside(ending: &str) -> Vec<u8> {
    match ending {
        "urdf" => format!("<robot name='r'>{LINK}</link></robot>").into_bytes(),
        "yaml" => b"kinegraph: 1\nsystems: {a: {type: constant, value: 0}}\nsimulation: {duration: 1}\n".to_vec(),
        "srdf" => b"<robot name='r'/>".to_vec(),
        "sdf" => b"<sdf version='1.9'><model name='i'><link name='b'/></model></sdf>".to_vec(),
        "xml" => b"<mujocoinclude/>".to_vec(),
        "bin" => [2_i32.to_le_bytes(), 2_i32.to_le_bytes()].concat().into_iter().chain([0; 16]).collect(),
        _ => TETRAHEDRON.to_vec(),
    }
}

/// The folder `inner` of a diagram with this site, and a file outside of it.
fn folder(name: &str, site: &Site) -> PathBuf {
    let outside = outside(site.ending);
    let (out, pack) = (format!("out.{}", site.ending), format!("plain/out.{}", site.ending));
    let good = format!("<robot name='r'>{LINK}</link></robot>");
    let files: [(&str, &[u8]); 5] = [
        (&out, &outside),
        (&pack, &outside),
        ("inner/good.urdf", good.as_bytes()),
        ("inner/package/below/x", b""),
        ("inner/package/package.xml", b"<package><name>named</name></package>"),
    ];
    let folder = folder_with(name, &files);
    #[cfg(unix)]
    {
        let link = |to: &str, from: String| std::os::unix::fs::symlink(to, folder.join("inner").join(from)).unwrap();
        link(&format!("../{out}"), format!("link.{}", site.ending));
        link(&format!("link.{}", site.ending), format!("chain.{}", site.ending));
        link("..", "up".to_owned());
        link(&format!("../../{out}"), format!("package/link.{}", site.ending));
        link("/dev/zero", format!("zero.{}", site.ending));
    }
    folder
}

/// Writes the file of the site with `path` in it, and the diagram; returns its path.
fn write(folder: &Path, site: &Site, path: &str, more: &str) -> String {
    let inner = folder.join("inner");
    let diagram = match site.model {
        "" => site.text.replace("PATH", path),
        model => format!(
            "kinegraph: 1\nsystems: {{p: {{type: multibody_plant, models: [{{name: m, file: '{}', base: fixed}}]}}}}\n\
             simulation: {{duration: 1}}\n",
            model.replace("PATH", path)
        ),
    };
    if site.file != "d.yaml" {
        std::fs::write(inner.join(site.file), site.text.replace("PATH", path).replace("LINK", LINK)).unwrap();
    }
    let file = inner.join("d.yaml");
    std::fs::write(&file, diagram.replacen('\n', &format!("\n{more}"), 1)).unwrap();
    file.display().to_string()
}

/// Spellings of the file outside, with true for those that are allowed.
fn spellings(folder: &Path, ending: &str) -> Vec<(String, bool)> {
    let own = folder.file_name().unwrap().to_string_lossy().into_owned();
    let real = folder.canonicalize().unwrap();
    let (absolute, out) = (real.join(format!("out.{ending}")).display().to_string(), format!("out.{ending}"));
    let mut all = vec![
        (format!("../{out}"), true),
        (format!("./../{out}"), true),
        (format!("package/../../{out}"), true),
        (format!("package/below/../../../{out}"), true),
        (format!("../inner/../{out}"), true),
        (absolute.clone(), true),
        (format!("none/../../{out}"), false),
        (format!("file://{absolute}"), false),
        (format!("file://../{out}"), false),
        (format!("package://inner/../{out}"), false),
        (format!("package:///inner/../{out}"), false),
        (format!("package://named/../../{out}"), false),
        (format!("package://package/below/../../../{out}"), false),
        (format!("package://{own}/{out}"), false),
        (format!("package://plain/{out}"), false),
        (format!("package://../{out}"), false),
        (format!("package://./../{out}"), false),
        (format!("model://inner/../{out}"), false),
        (format!("model://{own}/{out}"), false),
        (format!("%2e%2e/{out}"), false),
        (format!("..%2f{out}"), false),
        (format!("package://inner/%2e%2e/{out}"), false),
        ("package://etc/passwd".to_owned(), false),
        ("package://etc/../etc/hostname".to_owned(), false),
        ("/etc/passwd".to_owned(), false),
        (format!("..\\{out}"), false),
    ];
    if cfg!(unix) {
        all.extend([
            (format!("link.{ending}"), true),
            (format!("chain.{ending}"), true),
            (format!("up/{out}"), true),
            (format!("package/link.{ending}"), true),
            (format!("package://named/link.{ending}"), false),
            (format!("package://inner/up/{out}"), false),
        ]);
    }
    all
}

/// The files outside that were opened.
fn opened_outside(diagram: &str, folder: &Path) -> Vec<PathBuf> {
    let inner = folder.join("inner").canonicalize().unwrap();
    match Catalog::standard().load(Path::new(diagram), &[]) {
        Ok(loaded) => {
            drop(Scenario::build(&loaded.diagram, &loaded.loader));
            loaded.loader.files_read().into_iter().filter(|file| !file.starts_with(&inner)).collect()
        }
        Err(_) => Vec::new(),
    }
}

#[test]
fn nothing_outside_is_opened() {
    let (mut cases, mut opened_where_allowed) = (0, 0);
    for (i, site) in SITES.iter().enumerate() {
        let folder = folder(&format!("paths{i}"), site);
        for (path, leads_there) in spellings(&folder, site.ending) {
            let diagram = write(&folder, site, &path, "");
            let (code, _, err) = kinegraph(&["check", &diagram]);
            assert_eq!(code, 2, "{}: {path}: {err}", site.what);
            assert!(opened_outside(&diagram, &folder).is_empty(), "{}: {path}", site.what);
            cases += 1;
            if leads_there {
                let (code, _, err) = kinegraph(&["check", &diagram, "--allow-outside"]);
                assert_eq!(code, 0, "{}: {path}: {err}", site.what);
                let diagram = write(&folder, site, &path, "model_paths: [..]\n");
                let (code, _, err) = kinegraph(&["check", &diagram]);
                assert_eq!(code, 0, "{}: {path}: {err}", site.what);
                opened_where_allowed += 1;
            }
        }
    }
    println!(
        "| files named outside of the folder of the diagram, by 32 spellings at nine places | {cases} | \
              none opened; {opened_where_allowed} of them with `--allow-outside`, and with `model_paths` |"
    );
}

#[test]
fn a_refusal_says_the_line_to_add() {
    for (i, site) in SITES.iter().enumerate().filter(|(_, site)| site.ending != "yaml" && site.ending != "srdf") {
        let folder = folder(&format!("line{i}"), site);
        let diagram = write(&folder, site, &format!("../out.{}", site.ending), "");
        let (_, _, err) = kinegraph(&["check", &diagram]);
        assert!(err.contains("`model_paths: [..]`"), "{}: {err}", site.what);
        assert!(err.contains("--allow-outside"), "{}: {err}", site.what);
    }
}

/// A mesh that is only drawn may be missing: a file outside is neither drawn nor put into a recording.
#[test]
fn visual_meshes_outside_the_folder_are_not_read() {
    let site = Site {
        what: "visual mesh",
        ending: "obj",
        file: "m.urdf",
        text: "<robot name='r'>LINK<visual><geometry><mesh filename='PATH'/></geometry></visual></link></robot>",
        model: "m.urdf",
    };
    let folder = folder("looks", &site);
    for (path, leads_there) in spellings(&folder, site.ending) {
        let diagram = write(&folder, &site, &path, "");
        let (code, out, err) = kinegraph(&["scene", &diagram]);
        assert_eq!(code, 0, "{path}: {err}");
        let file =
            |out: &str| serde_json::from_str::<serde_json::Value>(out).unwrap().to_string().contains("\"file\":\"");
        assert!(!file(&out), "{path}: {out}");
        assert!(opened_outside(&diagram, &folder).is_empty(), "{path}");
        if leads_there {
            assert!(file(&kinegraph(&["scene", &diagram, "--allow-outside"]).1), "{path}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn devices_and_pipes_are_refused_by_their_type() {
    let start = std::time::Instant::now();
    for (i, site) in SITES.iter().enumerate() {
        let folder = folder(&format!("devices{i}"), site);
        let pipe = folder.join("inner").join(format!("pipe.{}", site.ending));
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        // A diagram may be a pipe; as part of one it is a file.
        for path in ["/dev/zero".to_owned(), format!("zero.{}", site.ending), format!("pipe.{}", site.ending)] {
            let diagram = write(&folder, site, &path, "");
            for more in [&[][..], &["--allow-outside"]] {
                let (code, _, err) = kinegraph(&[&["check", &diagram], more].concat());
                assert_eq!(code, 2, "{}: {path}: {err}", site.what);
            }
        }
    }
    let folder = folder("devices", &SITES[0]);
    let good = write(&folder, &SITES[0], "good.urdf", "");
    for device in ["/dev/zero", "/dev/random"] {
        for args in [
            &["run", device][..],
            &["run", &good, "--resume", device],
            &["plot", device],
            &["compare", &good, "--reference", device, "--until", "0.01"],
            &["check", &good, "--set", &format!("systems.p.models.0.file={device}")],
        ] {
            let (code, _, err) = kinegraph(args);
            assert_eq!(code, 2, "{args:?}: {err}");
        }
    }
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

/// Common layouts: a package above the model with a manifest, one beside it, folders beside each other in the folder of
/// the diagram, and packages in `model_paths`.
#[test]
fn models_find_their_own_meshes() {
    let urdf = |mesh: &str| {
        format!(
            "<robot name='r'>{LINK}<collision><geometry><mesh filename='{mesh}'/></geometry></collision></link></robot>"
        )
    };
    let manifest = |name: &str| format!("<package><name>{name}</name></package>").into_bytes();
    let diagram = |model: &str, more: &str| {
        format!(
            "kinegraph: 1\n{more}systems: {{p: {{type: multibody_plant, models: [{{name: m, file: '{model}', base: fixed}}]}}}}\n\
             simulation: {{duration: 1}}\n"
        )
        .into_bytes()
    };
    let (solid, own, other) = (TETRAHEDRON, manifest("robot_description"), manifest("hand"));
    for (i, (mesh, model, at, more)) in [
        ("meshes/a.obj", "r.urdf", "work/r.urdf", ""),
        ("../meshes/a.obj", "robot/urdf/r.urdf", "work/robot/urdf/r.urdf", ""),
        ("package://robot/meshes/a.obj", "robot/urdf/r.urdf", "work/robot/urdf/r.urdf", ""),
        ("package://robot_description/meshes/a.obj", "r.urdf", "checkout/urdf/r.urdf", ""),
        ("../meshes/a.obj", "r.urdf", "checkout/urdf/r.urdf", ""),
        ("package://hand/a.obj", "r.urdf", "checkout/urdf/r.urdf", ""),
        ("package://robot/a.obj", "r.urdf", "work/r.urdf", "model_paths: [../elsewhere]\n"),
        ("a.obj", "package://robot/r.urdf", "elsewhere/robot/r.urdf", "model_paths: [../elsewhere]\n"),
        (
            "package://robot/a.obj",
            "../elsewhere/robot/r.urdf",
            "elsewhere/robot/r.urdf",
            "model_paths: [../elsewhere]\n",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let beside = Path::new(at).parent().unwrap().join("d.yaml");
        let beside = if at.starts_with("checkout") { beside.display().to_string() } else { "work/d.yaml".into() };
        let (urdf, diagram) = (urdf(mesh), diagram(model, more));
        let folder = folder_with(
            &format!("own{i}"),
            &[
                ("work/meshes/a.obj", solid),
                ("work/robot/meshes/a.obj", solid),
                ("checkout/package.xml", &own),
                ("checkout/meshes/a.obj", solid),
                ("hand/package.xml", &other),
                ("hand/a.obj", solid),
                ("elsewhere/robot/a.obj", solid),
                (at, urdf.as_bytes()),
                (&beside, &diagram),
            ],
        );
        let (code, _, err) = kinegraph(&["check", &folder.join(beside).display().to_string()]);
        assert_eq!(code, 0, "{mesh} of {at}: {err}");
    }
}
