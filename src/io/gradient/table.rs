//! Derivatives over time as a table and as a plot.

use super::FoundGradient;
use std::io;

/// A column: name, unit and values.
struct Column<'a> {
    name: String,
    unit: String,
    values: &'a [f64],
}

impl FoundGradient {
    /// Channels, their derivatives, and the errors of these if `errors`.
    fn columns(&self, errors: bool) -> Vec<Column<'_>> {
        let mut all = Vec::new();
        for channel in &self.over_time {
            all.push(Column { name: channel.name.clone(), unit: channel.unit.clone(), values: &channel.values });
            for (i, by) in self.gradient.by.iter().enumerate() {
                let name = format!("d {} / d {}", channel.name, by.name);
                let unit = channel.unit_by(&by.name);
                let error = channel.errors.get(i).filter(|_| errors);
                let error = error.map(|values| Column { name: format!("error({name})"), unit: unit.clone(), values });
                all.push(Column { name, unit, values: &channel.derivatives[i] });
                all.extend(error);
            }
        }
        all
    }

    /// The channels over time with their derivatives and errors, as CSV.
    ///
    /// # Errors
    /// None but those of memory.
    #[cfg(feature = "record")]
    pub fn csv(&self) -> io::Result<Vec<u8>> {
        let columns = self.columns(true);
        let mut writer = csv::Writer::from_writer(Vec::new());
        let head = columns.iter().map(|column| match column.unit.as_str() {
            "" => column.name.clone(),
            unit => format!("{} [{unit}]", column.name),
        });
        writer.write_record(std::iter::once("time".to_owned()).chain(head))?;
        for (i, time) in self.times.iter().enumerate() {
            let number = |x: f64| if x.is_nan() { String::new() } else { format!("{x:?}") };
            let row = columns.iter().map(|column| number(column.values[i]));
            writer.write_record(std::iter::once(format!("{time:?}")).chain(row))?;
        }
        writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
    }

    /// The channels over time with their derivatives, as a plot.
    #[cfg(feature = "plot")]
    pub fn plot(&self, title: &str) -> crate::plot::TimePlot {
        let series = self.columns(false).into_iter().map(|column| crate::plot::Series {
            name: column.name,
            unit: column.unit,
            sampled: false,
            values: column.values.to_vec(),
        });
        crate::plot::TimePlot {
            title: title.to_owned(),
            times: self.times.clone(),
            series: series.collect(),
            over: None,
        }
    }
}
