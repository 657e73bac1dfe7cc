//! Mistakes with parameters: each message has the file, the line, the column, the name and the remedy.

use crate::command::kinegraph;
use crate::places::place;
use std::fs;
use std::path::{Path, PathBuf};

const TOP: &str = "\
kinegraph: 1
parameters:
  m: {default: 2 kg, range: [0.1, 50], about: mass}
  kp: 80
  tau: \"=2*sqrt($m/$kp)\"
systems:
  lag: {type: first_order_lag, time_constant: $tau}
  gain: {type: gain, gain: \"=$m*$kp\"}
  axis: {type: diagram, file: axis.yaml, set: {k: $kp, gear: \"=$m*3\"}}
  row: {type: diagram, file: axis.yaml, repeat: 3, set: {k: \"=1+$index\"}}
connections: [lag.output -> gain.input, gain.output -> lag.input]
simulation: {duration: 1}
";

const AXIS: &str = "\
kinegraph: 1
parameters:
  k: {default: 1 N/m, range: [0.5, 1000]}
  gear: 1
systems:
  lag: {type: first_order_lag, time_constant: \"=$gear/$k\"}
  echo: {type: gain, gain: $k}
connections: [lag.output -> echo.input, echo.output -> lag.input]
";

/// A mistake in the outer file and its message.
struct Mistake {
    /// Text that is replaced, and its replacement.
    change: [&'static str; 2],
    /// Text at the place of the fault: the place is that of its first character.
    at: &'static str,
    /// The reason.
    reason: &'static str,
    /// The remedy, or what shows it.
    remedy: &'static str,
}

const fn mistake(change: [&'static str; 2], at: &'static str, reason: &'static str, remedy: &'static str) -> Mistake {
    Mistake { change, at, reason, remedy }
}

#[rustfmt::skip]
const MISTAKES: &[Mistake] = &[
    mistake(["=$m*$kp", "=$mm*$kp"], "$mm", "systems.gain.gain: unknown parameter `mm`", "did you mean `m`?"),
    mistake(["constant: $tau", "constant: $tua"], "$tua", "unknown parameter `tua`", "did you mean `tau`?"),
    mistake(["sqrt($m/$kp", "sqrt($m/$kpp"], "$kpp", "parameters.tau: unknown parameter `kpp`", "did you mean `kp`?"),
    mistake(["kp: 80", "kp: \"=$tau\""], "kp: ", "its value needs itself: kp -> tau -> kp", "give one of them a number"),
    mistake(["kp: 80", "kp: \"=$kp+1\""], "kp: ", "its value needs itself: kp -> kp", "give one of them a number"),
    mistake(["2 kg", "200 kg"], "200 kg", "parameters.m: expected a number from 0.1 to 50 kg", "(the `range` of `m`), found 200"),
    mistake(["[0.1, 50]", "[50, 0.1]"], "50, 0.1", "parameters.m.range: 50 is above 0.1", "the smaller one comes first"),
    mistake(["[0.1, 50]", "[50]"], "[50]", "expected two numbers, the smallest and the largest value", "found a list of 1"),
    mistake(["[0.1, 50]", "50"], "50, about", "parameters.m.range: expected the smallest and the largest value", "`[0.1, 50]`"),
    mistake(["2 kg", "2 stone"], "2 stone", "parameters.m.default: expected a unit of SI symbols", "such as `kg`, `N m`"),
    mistake(["2 kg", "2 kg, unit: m"], "2 kg", "the value is in kg, but `unit` says m", "parameters.m.default"),
    mistake(["2 kg", "2, unit: pound"], "pound", "parameters.m.unit: expected a unit of SI symbols", "found `pound`"),
    mistake(["about: mass", "abuot: mass"], "abuot", "unknown key `abuot` in parameters.m", "did you mean `about`?"),
    mistake(["default: 2 kg, ", ""], "{range", "parameters.m lacks the key `default`", "a number with its unit such as `2 kg`"),
    mistake(["kp: 80", "kp: 80\n  t: 1"], "t: 1", "parameters.t: `t` is the time, and no parameter", "choose another name"),
    mistake(["kp: 80", "kp: 80\n  pi: 3"], "pi: 3", "`pi` is a number already", "choose another name"),
    mistake(["kp: 80", "kp: 80\n  index: 3"], "index: 3", "`$index` is the number of a copy", "choose another name"),
    mistake(["kp: 80", "kp: 80\n  k-d: 3"], "k-d", "`k-d` would be a difference in a formula", "write `k_d`"),
    mistake(["kp: 80", "kp: 80\n  2nd: 3"], "2nd", "`2nd` is not the name of a parameter", "beginning with a letter"),
    mistake(["kp: 80", "kp: 80\n  kp: 90"], "kp: 90", "the key `kp` is here a second time (the first is in line 4)", "keep one"),
    mistake(["kp: 80", "kp: fast"], "fast", "parameters.kp: expected a number, a number with its unit", "found the text `fast`"),
    mistake(["kp: 80", "kp: [80]"], "[80]", "parameters.kp: expected a number", "or a formula such as `\"=2*$m\"`"),
    mistake(["kp: 80", "kp: .inf"], ".inf", "parameters.kp: expected a finite number", "found inf"),
    mistake(["=$m*$kp", "=$m*t"], "t\"}", "`t` is no parameter", "what changes with time is a block of type `expression`"),
    mistake(["=$m*$kp", "=m*$kp"], "m*$kp", "`m` is no function", "a parameter is written `$m`"),
    mistake(["=$m*$kp", "$m*$kp"], "$m*$kp", "a formula begins with `=`", "write \"=$m*$kp\""),
    mistake(["\"=$m*$kp\"", "2*$m"], "2*$m", "systems.gain.gain: `2*$m`: a formula begins with `=`", "write \"=2*$m\""),
    mistake(["\"=$m*$kp\"", "-$m"], "-$m", "a formula begins with `=`", "write \"=-$m\""),
    mistake(["=$m*$kp", "=$m*"], "\"}\n  axis", "`=$m*`", "expected a number, a name or `(`, found the end"),
    mistake(["=$m*$kp", "=2*($m+1"], "\"}\n  axis", "`=2*($m+1`", "expected `)`, found the end"),
    mistake(["=$m*$kp", "=$m $kp"], "$kp\"}\n  axis", "expected an operator or the end", "a product is written with `*`"),
    mistake(["=$m*$kp", "=2**$m"], "*$m\"}", "found `*`", "a power is written `a^b`"),
    mistake(["=$m*$kp", "=sqr($m)"], "sqr(", "`sqr` is no function", "did you mean `sqrt`?"),
    mistake(["=$m*$kp", "=max($m)"], ")\"}\n  axis", "expected `,`, found `)`", "max(a, b) takes two numbers"),
    mistake(["=$m*$kp", "=if($m > 1, 2)"], ")\"}\n  axis", "expected `,`, found `)`", "if(condition, a, b) takes three"),
    mistake(["=$m*$kp", "=$m && 1"], "&& 1", "`&` has no meaning here", "two conditions together are `a and b`"),
    mistake(["=$m*$kp", "=$m/($kp-80)"], "\"=$m/($kp-80)", "its value is infinite with m = 2, kp = 80", "look at divisions"),
    mistake(["=$m*$kp", "=sqrt(-$m)"], "\"=sqrt(-$m)", "its value is not a number with m = 2", "look at divisions, roots"),
    mistake(["=$m*$kp", "${m}"], "\"${m}", "found the text `${m}`", "a parameter is written `$name`"),
    mistake(["=$m*$kp", "$m kg"], "\"$m kg", "found the text `$m kg`", "a formula \"=2*$name\""),
    mistake(["=$m*$kp", "=$2"], "$2", "`$` has no meaning here", "a parameter is written `$name`"),
    mistake(["\"=$m*$kp\"", "=max($m, $kp)"], ", $kp)", "unknown key `$kp)`", "stands between quotes: \"=max($a, $b)\""),
    mistake(["file: axis.yaml, set", "file: $m, set"], "$m, set", "expected the name of a diagram file, found 2", "the value of `$m`"),
    mistake(["constant: $tau", "constant: \"=-$tau\""], "\"=-$tau", "expected a number above 0, found -0.3", "`=-$tau` with tau = 0.3"),
    mistake(["{k: $kp", "{kk: $kp"], "kk:", "systems.axis.set: unknown parameter of axis.yaml `kk`", "did you mean `k`?"),
    mistake(["{k: $kp", "{k: \"=$kp*100\""], "\"=$kp*100", "systems.axis.set.k: expected a number from 0.5 to 1000 N/m",
        "(the `range` of `k` in axis.yaml), found 8000; it is the value of `=$kp*100` with kp = 80"),
    mistake(["{k: $kp", "{k: 3 kg"], "3 kg", "the value is in kg, the parameter `k` in N/m", "systems.axis.set.k"),
    mistake(["{k: $kp", "{k: fast"], "fast", "systems.axis.set.k: expected a number", "a number with its unit such as `2 kg`"),
    mistake(["{k: $kp, gear: \"=$m*3\"}", "[1]"], "[1]", "systems.axis.set: expected parameters of that file", "such as `{kp: 3"),
    mistake(["=1+$index", "=-$index"], "\"=-$index", "systems.row.set.k: expected a number from 0.5 to 1000", "with index = 0"),
    mistake(["=1+$index", "=1+$indx"], "$indx", "systems.row.set.k: unknown parameter `indx`", "valid here: m, kp or tau"),
    mistake(["=$m*$kp", "=$index"], "$index\"}\n  axis", "`$index` counts the copies of a diagram", "`type: diagram` and `repeat`"),
    mistake(["repeat: 3", "repeat: 0"], "0, set", "systems.row.repeat: expected a whole number from 1 to 1000", "found 0"),
    mistake(["repeat: 3", "repeat: $kkp"], "$kkp", "systems.row.repeat: unknown parameter `kkp`", "did you mean `kp`?"),
    mistake(["{type: gain", "{repeat: 3, type: gain"], "repeat: 3, type", "unknown key `repeat` in systems.gain", "valid here: type, gain"),
    mistake(["{type: gain", "{set: {k: 3}, type: gain"], "set: {k: 3}, type", "unknown key `set` in systems.gain", "valid here: type, gain"),
    mistake(["[lag.output ->", "[\"row[3].x -> axis.y\", lag.output ->"], "\"row[3]", "unknown block `row[3]`", "did you mean `row[0]`?"),
    mistake(["parameters:\n", "parameters: 3\nview:\n"], "3\nview", "parameters: expected parameters with their values", "`{m: 2 kg}`"),
    mistake(["parameters:", "parametres:"], "parametres:", "unknown key `parametres`", "did you mean `parameters`?"),
    mistake(["{type: gain, gain: \"=$m*$kp\"}", "{type: expression, inputs: [input], expression: \"input*$mm + input\"}"],
        "\"input*$mm", "systems.gain.expression: unknown parameter `mm`", "did you mean `m`?"),
];

/// Both files in a folder of their own, the outer one with a change.
fn saved(folder: &str, [old, new]: [&str; 2]) -> (PathBuf, String) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("parameter_mistakes").join(folder);
    fs::create_dir_all(&folder).expect("a folder");
    assert!(TOP.contains(old), "{old}");
    let text = TOP.replacen(old, new, 1);
    fs::write(folder.join("top.yaml"), &text).expect("a file");
    fs::write(folder.join("axis.yaml"), AXIS).expect("a file");
    (folder.join("top.yaml"), text)
}

#[test]
fn the_files_have_no_faults() {
    let (file, _) = saved("right", ["kp: 80", "kp: 80"]);
    let (code, out, err) = kinegraph(&["check", file.to_str().expect("a name"), "--strict"]);
    assert_eq!(code, 0, "{out}{err}");
}

#[test]
fn messages_have_the_place_the_reason_and_the_remedy() {
    let mut wrong = Vec::new();
    for (i, Mistake { change, at, reason, remedy }) in MISTAKES.iter().enumerate() {
        let (file, text) = saved(&i.to_string(), *change);
        let (code, out, err) = kinegraph(&["check", file.to_str().expect("a name")]);
        let place = format!("{}:{}", file.display(), place(&text, at));
        let has = [&place, *reason, *remedy].map(|part| err.contains(part));
        if code != 2 || has != [true; 3] {
            wrong.push(format!("{}: exit code {code}, place, reason, remedy: {has:?}\n{place}\n{out}{err}", change[1]));
        }
        if !text.contains("max($m, $kp)") && !text.contains("parametres") && !text.contains("parameters: 3") {
            let count = err.lines().filter(|line| line.contains(".yaml:")).count();
            if count != 1 {
                wrong.push(format!("{}: {count} faults\n{err}", change[1]));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), MISTAKES.len(), wrong.join("\n"));
    assert!(MISTAKES.len() >= 30);
}

#[test]
fn options_of_the_command_line_have_the_reason_and_the_remedy() {
    let (file, _) = saved("options", ["kp: 80", "kp: 80"]);
    let file = file.to_str().expect("a name");
    for (option, reason, remedy) in [
        ("parameters.mm=3", "there is no `mm` in parameters", "did you mean `m`?"),
        ("m=3", "`m` leads to nothing at the top of the file", "did you mean `parameters.m`?"),
        ("parameters.m=100", "expected a number from 0.1 to 50 kg (the `range` of `m`)", "--set parameters.m=100: "),
        ("parameters.m=3 m", "the value is in m, but `unit` says kg", "--set parameters.m=3 m: "),
        ("parameters.m=fast", "expected a number, a number with its unit", "found the text `fast`"),
        ("systems.gain.gain=$mm", "unknown parameter `mm`", "did you mean `m`?"),
        ("systems.gain.gain==2*$mm", "unknown parameter `mm`", "did you mean `m`?"),
        ("systems.row[7].set.k=2", "there is no `row[7]`", "the copies are row[0] to row[2]"),
        ("systems.row[1].set.kk=2", "there is no `kk` in systems.row[1].parameters", "did you mean `k`?"),
        ("systems.row[1].set.k=-1", "expected a number from 0.5 to 1000 N/m", "(the `range` of `k`), found -1"),
        ("systems.axis.parameters.k=-1", "expected a number from 0.5 to 1000 N/m", "(the `range` of `k`), found -1"),
        ("systems.axis.set.k=0.1", "expected a number from 0.5 to 1000 N/m", "(the `range` of `k` in axis.yaml)"),
        ("parameters.kp=-80", "its value is not a number with m = 2, kp = -80 (--set parameters.kp=-80)", "roots"),
    ] {
        let (code, _, err) = kinegraph(&["check", file, "--set", option]);
        assert_eq!(code, 2, "{option} is accepted");
        assert!(err.contains(reason) && err.contains(remedy), "{option}: {err}");
    }
    let (code, _, err) = kinegraph(&["sweep", file, "--vary", "parameters.kkp=1,2"]);
    assert!(code == 2 && err.contains("did you mean `kp`?"), "{err}");
    // A formula stands in an option, too.
    let (code, _, err) = kinegraph(&["check", file, "--set", "systems.gain.gain==2*$m"]);
    assert_eq!(code, 0, "{err}");
}

/// All faults of both files are reported together, those of all copies once.
#[test]
fn all_faults_are_reported_together() {
    let (file, text) = saved("together", ["=$m*$kp", "=$mm*$kq"]);
    fs::write(&file, text.replace("=$m*3", "=$q").replace("duration: 1", "duration: -1")).expect("a file");
    fs::write(file.with_file_name("axis.yaml"), AXIS.replace("gain: $k", "gain: $kk")).expect("a file");
    let (code, _, err) = kinegraph(&["check", file.to_str().expect("a name")]);
    assert_eq!(code, 2);
    for name in ["`mm`", "`kq`", "`q`", "duration", "`kk`"] {
        assert_eq!(
            err.lines().filter(|line| line.contains(".yaml:") && line.contains(name)).count(),
            1,
            "{name}\n{err}"
        );
    }
    assert!(err.contains("5 faults"), "{err}");
}

/// A file without parameters says where they are declared.
#[test]
fn a_file_without_parameters_says_how_to_declare_one() {
    let (file, _) = saved("none", ["kp: 80", "kp: 80"]);
    fs::write(&file, "kinegraph: 1\nsystems: {c: {type: constant, value: $m}}\nsimulation: {duration: 1}\n")
        .expect("a file");
    let (_, _, err) = kinegraph(&["check", file.to_str().expect("a name")]);
    assert!(err.contains("top.yaml:2:38: systems.c.value: `$m`: the file has no parameters"), "{err}");
    assert!(err.contains("`parameters: {m: 1}`"), "{err}");
}
