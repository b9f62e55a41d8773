//! A column that is built from the texts of CSV.

use datafusion::arrow::array::{ArrayRef, BooleanBuilder, Float64Builder, Int64Builder, StringBuilder};
use datafusion::arrow::datatypes::DataType;
use std::sync::Arc;

/// Builds a column of one of the four types.
pub(super) enum ColumnBuilder {
    Text(StringBuilder),
    Flag(BooleanBuilder),
    Number(Int64Builder),
    Real(Float64Builder),
}

impl ColumnBuilder {
    pub(super) fn new(data_type: &DataType) -> Self {
        match data_type {
            DataType::Boolean => ColumnBuilder::Flag(BooleanBuilder::new()),
            DataType::Int64 => ColumnBuilder::Number(Int64Builder::new()),
            DataType::Float64 => ColumnBuilder::Real(Float64Builder::new()),
            _ => ColumnBuilder::Text(StringBuilder::new()),
        }
    }

    /// Adds a value. Returns `false` if it is not of the column's type.
    pub(super) fn push(&mut self, value: Option<&str>) -> bool {
        let parsed = match self {
            ColumnBuilder::Text(builder) => {
                builder.append_option(value);
                return true;
            }
            ColumnBuilder::Flag(builder) => {
                value.map(str::parse).transpose().map(|value| builder.append_option(value)).ok()
            }
            ColumnBuilder::Number(builder) => {
                value.map(str::parse).transpose().map(|value| builder.append_option(value)).ok()
            }
            ColumnBuilder::Real(builder) => {
                value.map(str::parse).transpose().map(|value| builder.append_option(value)).ok()
            }
        };
        parsed.is_some()
    }

    pub(super) fn finish(self) -> ArrayRef {
        match self {
            ColumnBuilder::Text(mut builder) => Arc::new(builder.finish()),
            ColumnBuilder::Flag(mut builder) => Arc::new(builder.finish()),
            ColumnBuilder::Number(mut builder) => Arc::new(builder.finish()),
            ColumnBuilder::Real(mut builder) => Arc::new(builder.finish()),
        }
    }
}
