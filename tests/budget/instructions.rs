//! Instructions of the processor, counted by valgrind.

use crate::scenes::Scene;
use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::thread;

/// Environment variable that names the scene to be counted.
pub const SCENE: &str = "KINEGRAPH_BUDGET_SCENE";

/// Returns the release of the compiler, if it and the machine are those of the pins, or if `any` compiler is accepted.
///
/// # Errors
/// The reason why instructions are not comparable here.
pub fn compiler(pinned: &str, any: bool) -> Result<String, String> {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        return Err("the pins are of x86-64 under Linux".into());
    }
    if !cfg!(debug_assertions) {
        return Err("the pins are of the profile of tests".into());
    }
    // `.ci/one-unit.toml` sets it. In several units the same arithmetic takes up to 20 % more or fewer instructions.
    // An incremental build divides crates however many units it is asked for.
    if env::var_os("KINEGRAPH_ONE_UNIT").is_none() || env::var("CARGO_INCREMENTAL").as_deref() != Ok("0") {
        let command = "CARGO_INCREMENTAL=0 cargo test --config .ci/one-unit.toml";
        return Err(format!("the pins are of crates in one unit each: `{command} …`"));
    }
    let valgrind = Command::new("valgrind").arg("--version").output();
    if !valgrind.is_ok_and(|output| output.status.success()) {
        return Err("valgrind is not installed".into());
    }
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("-vV").output().map_err(|error| format!("rustc: {error}"))?;
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    let release = version.lines().find_map(|line| line.strip_prefix("release: ")).unwrap_or_default();
    if any || release == pinned {
        Ok(release.into())
    } else {
        Err(format!("the pins are of Rust {pinned}, this is {release}"))
    }
}

/// Instructions of every scene; as many scenes are counted at a time as there are cores.
pub fn of_all(scenes: &[Scene]) -> Vec<u64> {
    let left = Mutex::new((0..scenes.len()).collect::<Vec<_>>());
    let counted = Mutex::new(vec![0; scenes.len()]);
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let Some(i) = left.lock().expect("a list").pop() else { return };
                    let count = of_one(scenes[i].name);
                    counted.lock().expect("a list")[i] = count;
                }
            });
        }
    });
    counted.into_inner().expect("a list")
}

/// Instructions of the steps of a scene, counted in a separate process.
fn of_one(scene: &str) -> u64 {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("budget-{scene}-{}", std::process::id()));
    let run = Command::new("valgrind")
        .args(["--tool=callgrind", "--toggle-collect=*scenes::counted_steps*"])
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(env::current_exe().expect("this test"))
        .args(["--exact", "run_under_valgrind", "--ignored", "--test-threads=1"])
        .env(SCENE, scene)
        .output()
        .expect("valgrind starts");
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{scene}: {}\n{said}", String::from_utf8_lossy(&run.stdout));
    let profile = fs::read_to_string(&out).expect("the profile that valgrind wrote");
    fs::remove_file(&out).expect("the profile");
    let totals = profile.lines().find_map(|line| line.strip_prefix("totals: ")).expect("totals");
    let count = totals.trim().parse().expect("a count");
    assert!(count > 0, "{scene}: valgrind does not find `counted_steps`\n{said}");
    count
}
