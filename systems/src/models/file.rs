//! Model files of any format that is read: which one it is the outermost element says, not the name of the file.

use super::fault::FaultKind;
use super::mjcf::parse_mjcf;
use super::options::LoadOptions;
use super::report::{LoadError, Loaded};
use super::source::{Lines, Place};
use super::urdf::parse_urdf_with;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The largest file read \[MiB\].
const LARGEST_MIB: u64 = 64;

/// Reads a URDF or MJCF file of at most 64 MiB as `options` say.
///
/// # Errors
/// All faults of the file together; or one fault at line 0 if the file cannot be read.
pub fn read_model(path: &Path, options: &LoadOptions) -> Result<Loaded, LoadError> {
    parse_model(&read_text(path)?, &path.display().to_string(), options)
}

/// Reads URDF or MJCF text as `options` say; `source_name` is the file name shown in messages, in whose folder other
/// files are looked for.
///
/// # Errors
/// All faults of the text together.
pub fn parse_model(text: &str, source_name: &str, options: &LoadOptions) -> Result<Loaded, LoadError> {
    match root_name(text) {
        Some("mujoco" | "mujocoinclude") => parse_mjcf(text, source_name, options),
        _ => parse_urdf_with(text, source_name, options),
    }
}

/// The text of a file.
pub(super) fn read_text(path: &Path) -> Result<String, LoadError> {
    let name = path.display().to_string();
    let unreadable = |error: std::io::Error| {
        LoadError::single(&name, Place::default(), FaultKind::Unreadable { reason: error.to_string() })
    };
    let mut bytes = Vec::new();
    let largest = LARGEST_MIB << 20;
    File::open(path).and_then(|file| file.take(largest + 1).read_to_end(&mut bytes)).map_err(unreadable)?;
    if bytes.len() as u64 > largest {
        return Err(LoadError::single(&name, Place::default(), FaultKind::TooLarge { limit_mib: LARGEST_MIB }));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(&error.as_bytes()[..valid]).into_owned();
        let place = Lines::new(&text).place(text.len());
        LoadError::single(&name, place, FaultKind::NotUtf8)
    })
}

/// The name of the outermost element, after declarations and comments.
fn root_name(text: &str) -> Option<&str> {
    let mut at = 0;
    loop {
        at += text[at..].find('<')?;
        let rest = &text[at..];
        let closer = match rest {
            _ if rest.starts_with("<!--") => "-->",
            _ if rest.starts_with("<?") => "?>",
            _ if rest.starts_with("<!") => ">",
            _ => {
                let name = &rest[1..];
                return name.find(|c: char| c.is_whitespace() || c == '>' || c == '/').map(|end| &name[..end]);
            }
        };
        at += rest.find(closer)? + closer.len();
    }
}

#[cfg(test)]
mod tests {
    use super::root_name;

    #[test]
    fn the_outermost_element_is_found_behind_comments() {
        assert_eq!(root_name("<?xml version='1.0'?><!-- <robot> --><mujoco model='a'>"), Some("mujoco"));
        assert_eq!(root_name("<robot>"), Some("robot"));
        assert_eq!(root_name("<!DOCTYPE a><mujoco/>"), Some("mujoco"));
        assert_eq!(root_name("no element"), None);
    }
}
