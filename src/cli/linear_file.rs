//! A linear model as a diagram file: one `state_space` block with its ports exported.

use crate::files::node::show_number;
use crate::linearize::state_space::DRIFT;
use crate::simulate::LinearizeReport;

/// Text of the file, or the reason why there is none.
pub(super) fn text(report: &LinearizeReport) -> Result<String, String> {
    for (names, what, remedy) in [
        (&report.inputs, "input", "name one with --input or --cut"),
        (&report.outputs, "output", "name one with --output"),
        (&report.states, "state", "a diagram without continuous state is no state space"),
    ] {
        if names.is_empty() {
            return Err(format!("the linear model has no {what}: {remedy}"));
        }
    }
    if report.largest_rate > DRIFT {
        return Err(format!(
            "the largest rate at the operating point is {:.3e}, but a linear block has no drift: linearize at an equilibrium (--trim)",
            report.largest_rate
        ));
    }
    let mut text = format!(
        "# {}, linearized at t = {} s. Input, state and output are deviations from these values:\n",
        report.diagram,
        show_number(report.time)
    );
    for (what, names, values) in [
        ("input", &report.inputs, &report.input_values),
        ("state", &report.states, &report.state_values),
        ("output", &report.outputs, &report.output_values),
    ] {
        for (i, (name, value)) in names.iter().zip(values).enumerate() {
            text += &format!("#   {what} {i}: {name} = {}\n", show_number(*value));
        }
    }
    text += "kinegraph: 1\nsystems:\n  linear:\n";
    text += &match report.period {
        None => "    type: state_space\n".to_owned(),
        Some(period) => format!("    type: discrete_state_space\n    period: {}\n", show_number(period)),
    };
    for (name, matrix) in [("A", &report.a), ("B", &report.b), ("C", &report.c), ("D", &report.d)] {
        text += &format!("    {name}:\n");
        for row in matrix {
            let numbers: Vec<String> = row.iter().map(|x| show_number(*x)).collect();
            text += &format!("      - [{}]\n", numbers.join(", "));
        }
    }
    text +=
        "exports:\n  inputs: {input: linear.input}\n  outputs: {output: linear.output}\nsimulation: {duration: 0}\n";
    Ok(text)
}
