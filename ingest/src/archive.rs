//! Archives: WARC or ARC records in gzip or zstd members, uncompressed records, or a WACZ that contains such files.
//!
//! [`read`] walks over one archive. It inflates each member to its end and compares the checksum before it passes on a
//! record, so every record is as it was written. Damage does not affect the rest: the walk continues at the next
//! readable member. Every byte is counted, either as good or as damaged. A file in another format is an error.
//!
//! Memory is bounded for any input, and time is linear in the content: see [`Workshop`].

mod arc;
mod codec;
mod date;
mod first_content;
mod form;
mod found;
mod inflate;
mod joined;
mod members;
mod other_format;
mod record;
mod record_type;
mod records;
mod remark;
mod report;
mod retry_budget;
mod stored;
mod wacz;
mod walk;
mod window;

pub(crate) use codec::GZIP_SIGNATURE;
pub use date::milliseconds;
pub use found::{Account, Cause, Damage, Place, RecordOrDamage};
pub(crate) use other_format::OtherFormat;
pub use record::Record;
pub use record_type::RecordType;
pub use remark::{RecordRemark, RecordRemarks};
pub use walk::{MOST_BYTES, Unfinished, Workshop, read};
pub(crate) use window::STEP_BYTES;
