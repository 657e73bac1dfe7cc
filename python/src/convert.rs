//! Conversion of values between Python and the library: numbers, lists of numbers, and trees of them.

use kinegraph::files::node::{Entry, Node, Value};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};

/// Maximum depth of nested lists: a deeper one most likely contains itself.
const MAX_DEPTH: usize = 64;

/// Value of a parameter, in the form of a diagram file.
pub fn node(value: &Bound<'_, PyAny>) -> PyResult<Node> {
    node_within(value, MAX_DEPTH)
}

fn node_within(value: &Bound<'_, PyAny>, levels: usize) -> PyResult<Node> {
    let Some(levels) = levels.checked_sub(1) else {
        return Err(PyValueError::new_err("the value is nested too deeply; does it contain itself?"));
    };
    if value.is_none() {
        return Ok(Value::Null.into());
    }
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(flag.is_true().into());
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok((&*text.to_cow()?).into());
    }
    if value.is_instance_of::<PyFloat>() || value.is_instance_of::<PyInt>() {
        return Ok(value.extract::<f64>()?.into());
    }
    if let Ok(map) = value.cast::<PyDict>() {
        let entry = |(key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            Ok(Entry::new(key.extract::<String>()?, node_within(&value, levels)?))
        };
        return Ok(Value::Map(map.iter().map(entry).collect::<PyResult<_>>()?).into());
    }
    if let Ok(path) = value.call_method0("__fspath__") {
        return Ok(path.extract::<String>()?.as_str().into());
    }
    if let Ok(items) = value.try_iter() {
        return items.map(|item| node_within(&item?, levels)).collect::<PyResult<Vec<Node>>>().map(Node::from);
    }
    // A number of numpy.
    match value.call_method0("item") {
        Ok(plain) => node_within(&plain, levels),
        Err(_) => Err(PyTypeError::new_err(format!("{} is no value of a diagram", value.get_type().name()?))),
    }
}

/// Text of a value, as in a diagram file.
pub fn yaml(node: &Node) -> String {
    match &node.value {
        Value::Null => "null".into(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(x) if x.is_nan() => ".nan".into(),
        Value::Number(x) if x.is_infinite() => if *x > 0.0 { ".inf" } else { "-.inf" }.into(),
        Value::Number(x) => format!("{x:?}"),
        // The quotes and escapes of JSON are valid in YAML.
        Value::Text(text) => serde_json::Value::from(text.as_str()).to_string(),
        Value::List(items) => format!("[{}]", items.iter().map(yaml).collect::<Vec<_>>().join(", ")),
        Value::Map(entries) => {
            let entry =
                |entry: &Entry| format!("{}: {}", serde_json::Value::from(entry.key.as_str()), yaml(&entry.node));
            format!("{{{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
    }
}

/// Numbers of a number, an array or an object that numpy can convert to an array, in its order.
pub fn numbers(value: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    if value.is_instance_of::<PyFloat>() {
        return Ok(vec![value.extract()?]);
    }
    if let Ok(array) = value.cast::<PyArray1<f64>>() {
        // A few numbers are read faster one by one than borrowed together.
        return match array.len() {
            few @ 0..=8 => Ok((0..few).filter_map(|i| array.get_owned(i)).collect()),
            _ => Ok(array.try_readonly()?.as_array().to_vec()),
        };
    }
    if value.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err("expected numbers, found text"));
    }
    let py = value.py();
    let array = py.import("numpy")?.call_method1("asarray", (value, "float64"))?.call_method0("ravel")?;
    Ok(array.extract::<PyReadonlyArray1<'_, f64>>()?.as_array().to_vec())
}

/// Reads `width` numbers, or returns an error that names them by `what`.
pub fn numbers_of(value: &Bound<'_, PyAny>, width: usize, what: impl Fn() -> String) -> PyResult<Vec<f64>> {
    let numbers = numbers(value)?;
    if numbers.len() == width {
        return Ok(numbers);
    }
    Err(PyValueError::new_err(format!("{} has width {width} but is given {}", what(), numbers.len())))
}

/// An array of numpy.
pub fn array<'py>(py: Python<'py>, values: &[f64]) -> Bound<'py, PyArray1<f64>> {
    PyArray1::from_slice(py, values)
}

/// Values row by row, as a two-dimensional array.
pub fn matrix<'py>(
    py: Python<'py>,
    values: Vec<f64>,
    rows: usize,
    columns: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    PyArray1::from_vec(py, values).reshape([rows, columns])
}
