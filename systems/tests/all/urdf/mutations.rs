//! Damaged files: for any bytes, the reader returns, and its places lie in the text.

use kinegraph_systems::models::parse_urdf;
use proptest::prelude::*;

const SEEDS: [&str; 3] = [
    include_str!("../../data/urdf/hand.urdf"),
    include_str!("../../data/urdf/polyhedron.urdf"),
    include_str!("../../data/urdf/features.urdf"),
];

/// Words that turn a valid file into an interesting one.
const WORDS: [&str; 20] = [
    "nan",
    "-inf",
    "1e999",
    "-0",
    "",
    " ",
    "\"",
    "<",
    "/>",
    "</robot>",
    "<!--",
    "<![CDATA[",
    "&amp;",
    "&x;",
    "${x}",
    "a:b",
    "world",
    "<link name=\"a\"/>",
    "\u{feff}",
    "ß∂\u{10ffff}",
];

fn check(text: &str) {
    let places: Vec<_> = match parse_urdf(text, "fuzz.urdf") {
        Ok(loaded) => loaded.notes.iter().map(|note| (note.line, note.column, note.span.clone())).collect(),
        Err(error) => {
            assert!(!error.faults.is_empty());
            error.faults.iter().map(|fault| (fault.line, fault.column, fault.span.clone())).collect()
        }
    };
    for (line, column, span) in places {
        assert!(span.start <= span.end && span.end <= text.len(), "{span:?} of {}", text.len());
        let before = text.get(..span.start).expect("spans start at characters");
        assert_eq!(line, before.matches('\n').count() + 1);
        assert_eq!(column, before.rsplit('\n').next().unwrap().chars().count() + 1);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn mutated_files_are_answered(
        seed in 0..SEEDS.len(),
        edits in prop::collection::vec((0..3u8, any::<prop::sample::Index>(), 0..12usize, 0..WORDS.len(), any::<u8>()), 1..6),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut bytes = SEEDS[seed].as_bytes().to_vec();
        for (kind, at, length, word, byte) in edits {
            let at = at.index(bytes.len() + 1);
            let end = (at + length).min(bytes.len());
            match kind {
                0 => drop(bytes.drain(at..end)),
                1 => drop(bytes.splice(at..end, WORDS[word].bytes())),
                _ => bytes.insert(at, byte),
            }
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len() + 1));
        }
        check(&String::from_utf8_lossy(&bytes));
    }

    // Values change and the structure stays, so that the damage reaches the numbers and names.
    #[test]
    fn mutated_values_are_answered(
        seed in 0..SEEDS.len(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..WORDS.len(), any::<bool>()), 1..8),
    ) {
        let mut pieces: Vec<String> = SEEDS[seed].split('"').map(str::to_owned).collect();
        for (at, other, word, swap) in edits {
            // Odd pieces are the values between quotes.
            let at = 2 * at.index(pieces.len() / 2) + 1;
            let other = 2 * other.index(pieces.len() / 2) + 1;
            if swap {
                pieces.swap(at, other);
            } else {
                pieces[at] = WORDS[word].to_owned();
            }
        }
        check(&pieces.join("\""));
    }
}

#[test]
fn deep_nesting_and_long_texts_are_answered() {
    check(&format!("<robot name='r'>{}", "<a>".repeat(200_000)));
    check(&format!("<robot name='r'>{}{}</robot>", "<a>".repeat(50_000), "</a>".repeat(50_000)));
    check(&format!("<robot name='r'><link name='{}'/></robot>", "x".repeat(1_000_000)));
    check(&format!("<robot name='r'><link name='a'/>{}</robot>", "<p:q/>".repeat(10_000)));
    check("");
    check("\u{feff}");
    check("<");
}

/// A megabyte of one defect on one line: the report stays short. (The effort is linear in the length of the file; a
/// quadratic reader shows here as a test that takes minutes.)
#[test]
fn floods_give_short_reports() {
    let repeat = |content: &str| content.repeat(1_000_000 / content.len());
    let chain: String = (0..20_000)
        .map(|i| {
            format!(
                "<link name='l{i}'/><joint name='j{i}' type='fixed'><parent link='l{i}'/><child link='m{i}'/></joint>"
            )
        })
        .collect();
    for content in [
        repeat("<link name='a'/>"),
        repeat("<link/>"),
        repeat("<joint/>"),
        repeat("<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>"),
        repeat("<joint name='j' type='x'><mimic joint='jj'/></joint>"),
        repeat("<transmission name='t'><joint name='jj'/></transmission>"),
        repeat("<material name='m'><color rgba='2 0 0 1'/></material>"),
        format!(
            "<link name='c'>{}</link>",
            repeat("<visual><geometry><mesh filename='package://p/x.dae'/></geometry><material name='m'/></visual>")
        ),
        format!("<link name='b'>{}{}</link>", repeat("<inertial/>"), repeat("<collision/>")),
        format!("<link name='b'><inertial>{}{}</inertial></link>", repeat("<mass/>"), repeat("<origin/>")),
        format!("<link name='b'>{}</link>", repeat("<odd/>")),
        chain,
    ] {
        let text = format!("<robot name='r'><link name='b'/>{content}</robot>");
        let reports = match parse_urdf(&text, "r") {
            Ok(loaded) => loaded.notes.len(),
            Err(error) => error.faults.len(),
        };
        assert!((1..=1001).contains(&reports));
    }
}

#[test]
fn a_long_message_is_cut() {
    let name = "x".repeat(1_000_000);
    let error =
        parse_urdf(&format!("<robot name='r'><link name='{name}'/><link name='{name}'/></robot>"), "r").unwrap_err();
    assert!(error.to_string().len() < 1000);
}
