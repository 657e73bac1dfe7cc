//! Results of tests in the format of JUnit, which servers for continuous integration show.

use super::test::{FileResult, Outcome, RunResult};
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use std::io;

/// A case of a suite.
struct Case {
    name: String,
    fault: Option<Fault>,
}

/// Why a case did not pass.
struct Fault {
    /// `failure`, or `error` where nothing could be judged.
    element: &'static str,
    message: String,
    text: String,
}

/// The report: a suite for each file, with a case for each requirement.
///
/// # Errors
/// Errors of the writer.
pub(super) fn report(results: &[FileResult]) -> io::Result<String> {
    let suites: Vec<(String, Vec<Case>)> =
        results.iter().map(|result| (result.file.display().to_string(), cases(&result.outcome))).collect();
    let all = || suites.iter().flat_map(|(_, cases)| cases);
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let counts = counts(all());
    let root = writer.create_element("testsuites").with_attribute(("name", "kinegraph test"));
    let root = root.with_attributes(counts.iter().map(|(key, count)| (*key, count.as_str())));
    root.write_inner_content(|writer| suites.iter().try_for_each(|(file, cases)| suite(writer, file, cases)))?;
    String::from_utf8(writer.into_inner()).map(|text| text + "\n").map_err(io::Error::other)
}

/// Numbers of cases, of failures and of errors, as attributes.
fn counts<'a>(cases: impl Iterator<Item = &'a Case> + Clone) -> [(&'static str, String); 3] {
    let of = |element: &str| {
        cases.clone().filter(|case| case.fault.as_ref().is_some_and(|fault| fault.element == element)).count()
    };
    [
        ("tests", cases.clone().count().to_string()),
        ("failures", of("failure").to_string()),
        ("errors", of("error").to_string()),
    ]
}

fn suite(writer: &mut Writer<Vec<u8>>, file: &str, cases: &[Case]) -> io::Result<()> {
    let counts = counts(cases.iter());
    let suite = writer.create_element("testsuite").with_attribute(("name", file));
    let suite = suite.with_attributes(counts.iter().map(|(key, count)| (*key, count.as_str())));
    suite.write_inner_content(|writer| {
        for Case { name, fault } in cases {
            let case = writer.create_element("testcase");
            let case = case.with_attributes([("classname", file), ("name", name.as_str())]);
            match fault {
                None => drop(case.write_empty()?),
                Some(fault) => drop(case.write_inner_content(|writer| {
                    let element = writer.create_element(fault.element);
                    let element = element.with_attribute(("message", fault.message.as_str()));
                    element.write_text_content(BytesText::new(&fault.text)).map(drop)
                })?),
            }
        }
        Ok(())
    })?;
    Ok(())
}

fn cases(outcome: &Outcome) -> Vec<Case> {
    let error = |name: &str, message: String, text: String| Case {
        name: name.to_owned(),
        fault: Some(Fault { element: "error", message, text }),
    };
    let runs = match outcome {
        Outcome::Wrong(faults) => return vec![error("file", "the file has faults".into(), faults.clone())],
        Outcome::Ran(runs) => runs,
    };
    let failed: Vec<&RunResult> = runs.iter().filter(|run| !run.row.is_done()).collect();
    let mut cases: Vec<Case> =
        failed.first().map(|first| error("run", first.row.status.clone(), listed(&failed))).into_iter().collect();
    let Some(whole) = runs.iter().find(|run| run.row.is_done()) else { return cases };
    for (i, requirement) in whole.row.requirements.iter().enumerate() {
        let is_unmet =
            |run: &&RunResult| run.row.is_done() && run.row.requirements.get(i).is_some_and(|one| !one.is_met());
        let unmet: Vec<&RunResult> = runs.iter().filter(is_unmet).collect();
        let fault = unmet.first().map(|first| Fault {
            element: "failure",
            message: first.row.requirements[i].to_string(),
            text: listed(&unmet),
        });
        cases.push(Case { name: requirement.name.clone(), fault });
    }
    cases
}

/// The runs, and how each is made again.
fn listed(runs: &[&RunResult]) -> String {
    let line = |run: &&RunResult| format!("{}{}: {}", run.draw_text(), run.row.status, run.command);
    runs.iter().map(line).collect::<Vec<_>>().join("\n")
}
