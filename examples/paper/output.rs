//! Where tables and pictures go.

use crate::chart::Figure;
use crate::draw::{Grid, TextTable};
use kinegraph::plot::drawn;
use std::error::Error;
use std::path::PathBuf;

/// Result of a figure.
pub type Outcome = Result<(), Box<dyn Error + Send + Sync>>;

/// A folder.
pub struct Output {
    folder: PathBuf,
}

impl Output {
    /// The folder, made where it is missing.
    pub fn new(folder: PathBuf) -> Result<Self, Box<dyn Error + Send + Sync>> {
        std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(Output { folder })
    }

    /// Writes `NAME.csv`.
    pub fn csv(&self, name: &str, head: &[&str], rows: &[Vec<String>]) -> Outcome {
        let mut text = head.join(",") + "\n";
        for row in rows {
            // A comma within a word would begin another column.
            let cells: Vec<String> = row.iter().map(|cell| cell.replace(',', ";").replace('\n', " ")).collect();
            text += &(cells.join(",") + "\n");
        }
        Ok(std::fs::write(self.folder.join(format!("{name}.csv")), text)?)
    }

    /// Writes `NAME.svg`.
    pub fn figure(&self, name: &str, figure: &Figure) -> Outcome {
        let grid = Grid(figure);
        Ok(drawn(&grid, grid.size(), &self.folder.join(format!("{name}.svg")))?)
    }

    /// Writes `NAME.svg`.
    pub fn table(&self, name: &str, table: &TextTable) -> Outcome {
        Ok(drawn(table, table.size(), &self.folder.join(format!("{name}.svg")))?)
    }
}

/// A number as tables have it: four digits.
pub fn number(x: f64) -> String {
    if x.is_nan() {
        return String::new();
    }
    let rounded: f64 = format!("{x:.3e}").parse().unwrap_or(x);
    match rounded.abs() {
        0.0 => "0".into(),
        size if !(1e-3..1e6).contains(&size) => format!("{rounded:e}"),
        _ => format!("{rounded}"),
    }
}
