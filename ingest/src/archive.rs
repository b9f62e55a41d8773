//! Archives: files of gzip members that hold WARC records, or of WARC records alone.
//!
//! [`read`] walks over one. Each member is inflated to its end and its checksum compared before any record of it is
//! handed out, so that what is handed out is what was written. What cannot be read costs itself and nothing else: the
//! walk goes on at the next member that can be. Every byte is accounted for, as part of a good member or of damage.
//!
//! Memory is bounded whatever an archive holds, and time is linear in what it holds: see [`Workshop`].

mod date;
mod found;
mod inflate;
mod members;
mod patience;
mod record;
mod records;
mod report;
mod stream;
mod walk;
mod window;

pub use date::milliseconds;
pub use found::{Account, Cause, Damage, Place, RecordOrDamage};
pub use record::{Record, RecordRemark, RecordRemarks, RecordType};
pub use walk::{MOST_BYTES, Unfinished, Workshop, read};
