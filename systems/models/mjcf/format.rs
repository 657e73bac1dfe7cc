//! Every element of the format with its attributes, as MuJoCo 4.0.0 lists them (`mj_printSchema`): what stands in no
//! such list is a slip of the pen, which MuJoCo refuses too. A misspelt `<geo>` would leave a body without its shape.

/// `element: attribute attribute …`, continued on indented lines.
const FORMAT: &str = include_str!("format.txt");

/// The elements with their attributes; an element that stands in several places has those of all.
fn entries() -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    let mut lines = FORMAT.lines().peekable();
    std::iter::from_fn(move || {
        let (element, words) = lines.next()?.split_once(':')?;
        let mut words: Vec<&str> = words.split_whitespace().collect();
        while let Some(more) = lines.next_if(|line| line.starts_with(' ')) {
            words.extend(more.split_whitespace());
        }
        Some((element, words))
    })
}

/// The names of all elements.
pub fn elements() -> Vec<&'static str> {
    entries().map(|(element, _)| element).collect()
}

/// The attributes of an element; `None` if there is none of that name.
pub fn attributes(element: &str) -> Option<Vec<&'static str>> {
    entries().find(|(name, _)| *name == element).map(|(_, attributes)| attributes)
}
