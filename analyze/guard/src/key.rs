//! Hashes of texts, with a secret that is drawn at random when the process first needs it.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::{Arc, LazyLock};

use datafusion::arrow::array::{Array, ArrayRef, AsArray, Decimal128Array, Int64Array};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Field};
use datafusion::arrow::row::{RowConverter, SortField};
use datafusion::common::utils::take_function_args;
use datafusion::common::{Result, exec_err};
use datafusion::logical_expr::{Expr, ScalarUDF};
use foldhash::fast::FixedState;
use siphasher::sip::SipHasher13;
use siphasher::sip128::{Hasher128, SipHasher24};

use super::function::function;

/// `text_key(text, …)`: 64 bits by which a hash table finds texts. The texts themselves are compared, too.
///
/// Null if all texts are null.
pub(super) fn text_key(texts: Vec<Expr>) -> Expr {
    static FUNCTION: LazyLock<Arc<ScalarUDF>> =
        LazyLock::new(|| function("text_key", |_| Ok(DataType::Int64), |texts| Ok(Arc::new(keys(texts)?))));
    FUNCTION.call(texts)
}

/// `text_order(text, …)`: 64 bits by which groups are sorted when they are spilled. They need no secret: if they are
/// equal, the texts are compared.
pub(super) fn text_order(texts: Vec<Expr>) -> Expr {
    static FUNCTION: LazyLock<Arc<ScalarUDF>> =
        LazyLock::new(|| function("text_order", |_| Ok(DataType::Int64), |texts| Ok(Arc::new(orders(texts)?))));
    FUNCTION.call(texts)
}

/// `text_digest(text)`: 127 bits that stand for the text. Null if the text is null.
pub(super) fn text_digest(text: Expr) -> Expr {
    static FUNCTION: LazyLock<Arc<ScalarUDF>> =
        LazyLock::new(|| function("text_digest", |_| Ok(DataType::Decimal128(38, 0)), digests));
    FUNCTION.call(vec![text])
}

/// Whether values of this type contain text that can have a key.
pub(super) fn is_text(data_type: &DataType) -> bool {
    is_plain(data_type)
        || has_text(data_type)
            && !has_float(data_type)
            && RowConverter::supports_fields(&[SortField::new(data_type.clone())])
}

/// The keys of rows.
pub(super) fn keys(columns: &[ArrayRef]) -> Result<Int64Array> {
    let [first, more @ ..] = columns else {
        return exec_err!("text_key: expected a text: got none");
    };
    let mut keys: Vec<Option<u64>> = Vec::with_capacity(first.len());
    each(first, |text| keys.push(text.map(|text| key_hasher().hash(text))))?;
    for column in more {
        let mut before = keys.iter_mut();
        each(column, |text| {
            if let Some(key) = before.next()
                && (key.is_some() || text.is_some())
            {
                *key = Some(chained(*key, text));
            }
        })?;
    }
    Ok(keys.into_iter().map(|key| key.map(u64::cast_signed)).collect())
}

/// The orders of rows.
fn orders(columns: &[ArrayRef]) -> Result<Int64Array> {
    let mut orders = vec![0_u64; columns.first().map_or(0, |column| column.len())];
    for column in columns {
        let mut before = orders.iter_mut();
        each(column, |text| {
            if let Some(order) = before.next() {
                let mut hasher = FixedState::with_seed(*order).build_hasher();
                hasher.write(text.unwrap_or_default());
                *order = hasher.finish();
            }
        })?;
    }
    Ok(orders.into_iter().map(u64::cast_signed).collect())
}

fn chained(before: Option<u64>, text: Option<&[u8]>) -> u64 {
    let mut hasher = key_hasher();
    hasher.write_u64(before.unwrap_or_default());
    hasher.write_u8(u8::from(text.is_some()));
    hasher.write(text.unwrap_or_default());
    hasher.finish()
}

/// Keys only serve to find texts, so this is the faster hash that Rust's own maps use.
fn key_hasher() -> SipHasher13 {
    let (first, second) = *SECRET;
    SipHasher13::new_with_keys(first, second)
}

fn digests(columns: &[ArrayRef]) -> Result<ArrayRef> {
    let [text] = take_function_args("text_digest", columns)?;
    let mut digests = Vec::with_capacity(text.len());
    each(text, |text| digests.push(text.map(digest)))?;
    Ok(Arc::new(Decimal128Array::from(digests).with_precision_and_scale(38, 0)?))
}

fn digest(text: &[u8]) -> i128 {
    let (first, second) = *SECRET;
    let mut hasher = SipHasher24::new_with_keys(first, second);
    hasher.write(text);
    // One bit less, so that it fits into the 38 digits of its decimal type.
    hasher.finish128().as_u128().cast_signed() >> 1
}

/// Random numbers of the operating system, by the one type of the standard library that offers them.
static SECRET: LazyLock<(u64, u64)> = LazyLock::new(|| {
    let random = RandomState::new();
    (random.hash_one(0_u8), random.hash_one(1_u8))
});

/// Calls `then` with the bytes of each row.
fn each(column: &ArrayRef, mut then: impl FnMut(Option<&[u8]>)) -> Result<()> {
    match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().iter().for_each(|text| then(text.map(str::as_bytes))),
        DataType::LargeUtf8 => column.as_string::<i64>().iter().for_each(|text| then(text.map(str::as_bytes))),
        DataType::Utf8View => column.as_string_view().iter().for_each(|text| then(text.map(str::as_bytes))),
        DataType::Binary => column.as_binary::<i32>().iter().for_each(then),
        DataType::LargeBinary => column.as_binary::<i64>().iter().for_each(then),
        DataType::BinaryView => column.as_binary_view().iter().for_each(then),
        DataType::FixedSizeBinary(_) => column.as_fixed_size_binary().iter().for_each(then),
        DataType::Dictionary(_, of) if is_plain(of) => each(&cast(column, of)?, then)?,
        nested => {
            let rows = RowConverter::new(vec![SortField::new(nested.clone())])?
                .convert_columns(std::slice::from_ref(column))?;
            for (row, bytes) in rows.iter().enumerate() {
                then(column.is_valid(row).then_some(bytes.as_ref()));
            }
        }
    }
    Ok(())
}

fn is_plain(data_type: &DataType) -> bool {
    match data_type {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::FixedSizeBinary(_) => true,
        DataType::Dictionary(_, of) => is_plain(of),
        _ => false,
    }
}

fn has_text(data_type: &DataType) -> bool {
    is_plain(data_type) || parts(data_type).iter().any(|part| has_text(part.data_type()))
}

/// Whether a type contains floats. Equal floats can differ in their bits, and would get different keys.
fn has_float(data_type: &DataType) -> bool {
    data_type.is_floating() || parts(data_type).iter().any(|part| has_float(part.data_type()))
}

fn parts(data_type: &DataType) -> &[Arc<Field>] {
    match data_type {
        DataType::List(of) | DataType::LargeList(of) | DataType::FixedSizeList(of, _) | DataType::Map(of, _) => {
            std::slice::from_ref(of)
        }
        DataType::ListView(of) | DataType::LargeListView(of) => std::slice::from_ref(of),
        DataType::Struct(fields) => fields,
        _ => &[],
    }
}
