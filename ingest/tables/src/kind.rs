//! The kinds of values in columns, and how each is built in memory.
//!
//! There are few on purpose: some engines cannot read unsigned numbers, times finer than a millisecond, or text views.

use arrow_array::builder::{
    ArrayBuilder, BooleanBuilder, Float64Builder, Int32Builder, Int64Builder, StringBuilder,
    TimestampMillisecondBuilder,
};
use arrow_array::{ArrayRef, TimestampMillisecondArray};
use arrow_schema::{DataType, TimeUnit};
use std::sync::Arc;

/// The time zone of all times.
const ZONE: &str = "UTC";

/// The most memory, in bytes, that is allocated in advance for the texts of the next batch.
const MOST_ROOM_BYTES: usize = 1 << 20;

/// A kind of value.
pub trait ValueKind {
    /// The type of a value in a row.
    type Value<'v>;
    /// The builder of its column.
    type Builder: ArrayBuilder + Default;
    /// Whether values may be null.
    const IS_NULLABLE: bool;
    /// Whether no crawled site can choose its values.
    const IS_OURS: bool;

    /// The type of the column.
    fn data_type() -> DataType;
    /// Adds a value, and returns roughly how many bytes of memory it takes.
    fn append(builder: &mut Self::Builder, value: Self::Value<'_>) -> usize;
    /// Returns the column.
    fn finish(builder: &mut Self::Builder) -> ArrayRef;
}

/// A kind of value that may be null.
#[derive(Debug)]
pub struct Maybe<K>(K);

macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $kind:ident $value:ty, $is_ours:literal, $builder:ident, $data_type:expr, $bytes:expr, $finish:expr, $room:expr;)*) => {$(
        $(#[doc = $doc])*
        #[derive(Debug)]
        pub struct $kind;

        impl ValueKind for $kind {
            type Value<'v> = $value;
            type Builder = $builder;
            const IS_NULLABLE: bool = false;
            const IS_OURS: bool = $is_ours;

            fn data_type() -> DataType {
                $data_type
            }

            fn append(builder: &mut $builder, value: Self::Value<'_>) -> usize {
                builder.append_value(value);
                let bytes: fn(Self::Value<'_>) -> usize = $bytes;
                bytes(value)
            }

            fn finish(builder: &mut $builder) -> ArrayRef {
                let finish: fn(&mut $builder) -> ArrayRef = $finish;
                let room: fn(&$builder) -> $builder = $room;
                // The next batch is about as large, so it is allocated at that size.
                let next = room(builder);
                finish(&mut std::mem::replace(builder, next))
            }
        }

        impl ValueKind for Maybe<$kind> {
            type Value<'v> = Option<$value>;
            type Builder = $builder;
            const IS_NULLABLE: bool = true;
            const IS_OURS: bool = $is_ours;

            fn data_type() -> DataType {
                $kind::data_type()
            }

            fn append(builder: &mut $builder, value: Self::Value<'_>) -> usize {
                match value {
                    Some(value) => $kind::append(builder, value),
                    None => {
                        builder.append_null();
                        1
                    }
                }
            }

            fn finish(builder: &mut $builder) -> ArrayRef {
                $kind::finish(builder)
            }
        }
    )*};
}

kinds! {
    /// Text, UTF-8.
    Text &'v str, false, StringBuilder, DataType::Utf8, |text| text.len() + 4, |builder| Arc::new(builder.finish()),
        |builder| StringBuilder::with_capacity(builder.len(), builder.values_slice().len().min(MOST_ROOM_BYTES));
    /// Text that no crawled site can choose, so that nobody can make values whose hashes collide.
    Word &'v str, true, StringBuilder, DataType::Utf8, |text| text.len() + 4, |builder| Arc::new(builder.finish()),
        |builder| StringBuilder::with_capacity(builder.len(), builder.values_slice().len().min(MOST_ROOM_BYTES));
    /// Yes or no.
    Flag bool, false, BooleanBuilder, DataType::Boolean, |_| 1, |builder| Arc::new(builder.finish()),
        |builder| BooleanBuilder::with_capacity(builder.len());
    /// A count or a number of up to nine digits.
    Small i32, false, Int32Builder, DataType::Int32, |_| 4, |builder| Arc::new(builder.finish()),
        |builder| Int32Builder::with_capacity(builder.len());
    /// A number of up to eighteen digits.
    Large i64, false, Int64Builder, DataType::Int64, |_| 8, |builder| Arc::new(builder.finish()),
        |builder| Int64Builder::with_capacity(builder.len());
    /// A number with a fraction.
    Real f64, false, Float64Builder, DataType::Float64, |_| 8, |builder| Arc::new(builder.finish()),
        |builder| Float64Builder::with_capacity(builder.len());
    /// A time, in milliseconds since 1970 in UTC.
    Time i64, false, TimestampMillisecondBuilder, DataType::Timestamp(TimeUnit::Millisecond, Some(ZONE.into())), |_| 8,
        |builder| {
            let times: TimestampMillisecondArray = builder.finish();
            Arc::new(times.with_timezone(ZONE))
        },
        |builder| TimestampMillisecondBuilder::with_capacity(builder.len());
}
