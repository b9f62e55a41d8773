//! A value of an answer, in the form that all formats share.

use datafusion::arrow::array::types::Float64Type;
use datafusion::arrow::array::{Array, ArrayRef, AsArray as _, RecordBatch, new_null_array};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Field};
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use std::io;
use std::sync::Arc;
use visible::json;

/// A value of a cell.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum CellValue {
    /// Null.
    Null,
    /// True or false.
    Flag(bool),
    /// An exact number, in digits.
    Number(String),
    /// A floating-point number.
    Real(f64),
    /// A time, a date or an interval. It never contains text from a crawled file.
    Time(String),
    /// A text, perhaps from a crawled file.
    Text(String),
    /// A list.
    List(Vec<CellValue>),
    /// A struct: values with names.
    Fields(Vec<(String, CellValue)>),
}

impl CellValue {
    /// For a spreadsheet: text unchanged, a whole number without a fraction, a list or a struct as JSON.
    pub(super) fn plain(&self) -> String {
        match self {
            CellValue::Null => String::new(),
            CellValue::Flag(flag) => flag.to_string(),
            CellValue::Number(digits) => digits.clone(),
            // Sums of weights are whole if each weight is 1: 12 sites, and not 12.0.
            CellValue::Real(real) => {
                let exact = exact(*real);
                exact.strip_suffix(".0").map(str::to_owned).unwrap_or(exact)
            }
            CellValue::Time(text) | CellValue::Text(text) => text.clone(),
            CellValue::List(_) | CellValue::Fields(_) => {
                let mut text = Vec::new();
                // Writing to memory cannot fail.
                let _ = self.write_json(&mut text);
                String::from_utf8_lossy(&text).into_owned()
            }
        }
    }

    /// For people: a floating-point number has four digits after the point.
    pub(super) fn readable(&self) -> String {
        match self {
            CellValue::Real(real) if !real.is_finite() => exact(*real),
            CellValue::Real(real) if *real != 0.0 && real.abs() < 0.000_05 => format!("{real:.3e}"),
            CellValue::Real(real) if real.abs() < 1e15 => format!("{real:.4}"),
            _ => self.plain(),
        }
    }

    /// Whether it may contain text from a crawled file.
    pub(super) fn is_text(&self) -> bool {
        matches!(self, CellValue::Text(_) | CellValue::List(_) | CellValue::Fields(_))
    }

    /// As JSON. Infinity and NaN become texts, as in other programs, since JSON has no such numbers.
    pub(super) fn write_json(&self, out: &mut dyn io::Write) -> io::Result<()> {
        match self {
            CellValue::Null => out.write_all(b"null"),
            CellValue::Flag(flag) => write!(out, "{flag}"),
            CellValue::Number(digits) => out.write_all(digits.as_bytes()),
            CellValue::Real(real) if real.is_finite() => out.write_all(exact(*real).as_bytes()),
            CellValue::Real(real) => json::write(out, &exact(*real)),
            CellValue::Time(text) | CellValue::Text(text) => json::write(out, text),
            CellValue::List(values) => {
                out.write_all(b"[")?;
                for (nth, value) in values.iter().enumerate() {
                    out.write_all(if nth == 0 { b"" } else { b"," })?;
                    value.write_json(out)?;
                }
                out.write_all(b"]")
            }
            CellValue::Fields(fields) => write_object(out, fields.iter().map(|(name, value)| (name.as_str(), value))),
        }
    }
}

/// Writes a JSON object.
pub(super) fn write_object<'v>(
    out: &mut dyn io::Write,
    fields: impl Iterator<Item = (&'v str, &'v CellValue)>,
) -> io::Result<()> {
    out.write_all(b"{")?;
    for (nth, (name, value)) in fields.enumerate() {
        out.write_all(if nth == 0 { b"" } else { b"," })?;
        json::write(out, &name)?;
        out.write_all(b":")?;
        value.write_json(out)?;
    }
    out.write_all(b"}")
}

/// The shortest text that parses as the same number.
fn exact(real: f64) -> String {
    if real.is_nan() {
        return "NaN".to_owned();
    }
    if real.is_infinite() {
        return if real > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    format!("{real:?}")
}

/// The rows of a batch, each as a list of values.
pub(super) fn rows(batch: &RecordBatch) -> io::Result<impl Iterator<Item = io::Result<Vec<CellValue>>>> {
    let columns: Vec<ArrayRef> =
        batch.columns().iter().map(simplified).collect::<Result<_, _>>().map_err(io::Error::other)?;
    let row = move |row| columns.iter().map(|column| value(column, row).map_err(io::Error::other)).collect();
    Ok((0..batch.num_rows()).map(row))
}

/// The column in a type that `value` reads: without dictionaries and the like, and with times in UTC.
fn simplified(array: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    Ok(match array.data_type() {
        DataType::Dictionary(_, values) => cast(array, values)?,
        DataType::RunEndEncoded(_, values) => cast(array, values.data_type())?,
        DataType::Utf8View | DataType::LargeUtf8 => cast(array, &DataType::Utf8)?,
        DataType::Float16 | DataType::Float32 => cast(array, &DataType::Float64)?,
        DataType::Timestamp(unit, Some(_)) => cast(array, &DataType::Timestamp(*unit, Some("+00:00".into())))?,
        DataType::Null => new_null_array(&DataType::Utf8, array.len()),
        _ => Arc::clone(array),
    })
}

/// A value of a simplified column.
fn value(array: &ArrayRef, row: usize) -> Result<CellValue, ArrowError> {
    if array.is_null(row) {
        return Ok(CellValue::Null);
    }
    Ok(match array.data_type() {
        DataType::Utf8 => CellValue::Text(array.as_string::<i32>().value(row).to_owned()),
        DataType::Boolean => CellValue::Flag(array.as_boolean().value(row)),
        DataType::Float64 => CellValue::Real(array.as_primitive::<Float64Type>().value(row)),
        DataType::List(_) => list(&array.as_list::<i32>().value(row))?,
        DataType::LargeList(_) => list(&array.as_list::<i64>().value(row))?,
        DataType::FixedSizeList(..) => list(&array.as_fixed_size_list().value(row))?,
        DataType::Struct(fields) => {
            let columns = array.as_struct().columns().iter().zip(fields);
            let field = |(column, field): (&ArrayRef, &Arc<Field>)| {
                Ok((field.name().clone(), value(&simplified(&column.slice(row, 1))?, 0)?))
            };
            CellValue::Fields(columns.map(field).collect::<Result<_, ArrowError>>()?)
        }
        DataType::Map(..) => {
            let entries = array.as_map().value(row);
            list(&(Arc::new(entries) as ArrayRef))?
        }
        other => {
            let text = ArrayFormatter::try_new(array, &FormatOptions::default())?.value(row).try_to_string()?;
            if other.is_numeric() {
                CellValue::Number(text)
            } else if other.is_temporal() {
                CellValue::Time(text)
            } else {
                CellValue::Text(text)
            }
        }
    })
}

fn list(values: &ArrayRef) -> Result<CellValue, ArrowError> {
    let values = simplified(values)?;
    Ok(CellValue::List((0..values.len()).map(|nth| value(&values, nth)).collect::<Result<_, _>>()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::arrow::array::TimestampMillisecondArray;

    #[test]
    fn times_are_in_utc() {
        let times = TimestampMillisecondArray::from(vec![Some(500), None]).with_timezone("+05:30");
        let batch = RecordBatch::try_from_iter([("time", Arc::new(times) as ArrayRef)]).unwrap();
        let rows: Vec<Vec<CellValue>> = rows(&batch).unwrap().map(Result::unwrap).collect();
        assert_eq!(rows, [[CellValue::Time("1970-01-01T00:00:00.500Z".to_owned())], [CellValue::Null]]);
    }
}
