//! Archives: files of members of gzip or zstd that hold WARC or ARC records, of records alone, or such files in a WACZ.
//!
//! [`read`] walks over one. It inflates each member to its end and compares the checksum before it passes on a record, so
//! that every record is what was written. What cannot be read does not affect the rest: the walk goes on at the next
//! readable member. Every byte is counted, as part of a good member or as damage.
//!
//! Memory is bounded whatever an archive holds, and time is linear in its content: see [`Workshop`].

mod arc;
mod codec;
mod date;
mod form;
mod found;
mod inflate;
mod joined;
mod members;
mod patience;
mod record;
mod records;
mod report;
mod wacz;
mod walk;
mod window;

pub use date::milliseconds;
pub use found::{Account, Cause, Damage, Place, RecordOrDamage};
pub use record::{Record, RecordRemark, RecordRemarks, RecordType};
pub use walk::{MOST_BYTES, Unfinished, Workshop, read};
