//! Model files of any supported format, which the outermost element determines, not the name of the file.

use super::mjcf::parse_mjcf;
use super::options::LoadOptions;
use super::report::{LoadError, Loaded};
use super::sdf::parse_sdf;
use super::text::read_text;
use super::urdf::parse_urdf_with;
use std::path::Path;

/// Reads a URDF, SDFormat or MJCF file of at most 64 MiB with `options`.
///
/// # Errors
/// All faults of the file together; or one fault at line 0 if the file cannot be read.
pub fn read_model(path: &Path, options: &LoadOptions) -> Result<Loaded, LoadError> {
    options.access.note(path);
    parse_model(&read_text(path)?, &path.display().to_string(), options)
}

/// Reads URDF, SDFormat or MJCF text with `options`; `source_name` is the file name in messages, in whose folder other
/// files are searched for.
///
/// # Errors
/// All faults of the text together.
pub fn parse_model(text: &str, source_name: &str, options: &LoadOptions) -> Result<Loaded, LoadError> {
    match root_name(text) {
        Some("mujoco" | "mujocoinclude") => parse_mjcf(text, source_name, options),
        Some("sdf") => parse_sdf(text, source_name, options),
        _ => parse_urdf_with(text, source_name, options),
    }
}

/// The name of the outermost element, after declarations and comments.
pub fn root_name(text: &str) -> Option<&str> {
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
