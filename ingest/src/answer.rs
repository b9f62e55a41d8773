//! The HTTP response in a `response` record: its head, and its decoded body.
//!
//! ```
//! use ingest::answer::Decoder;
//!
//! let mut decoder = Decoder::default();
//! let block = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nUser\r\n9\r\n-agent: *\r\n0\r\n\r\n";
//! let answer = decoder.answer(block);
//! assert_eq!(answer.head.status, Some(200));
//! assert_eq!(answer.body.bytes, b"User-agent: *");
//! assert!(answer.remarks().is_empty());
//! ```

pub mod body;
pub mod head;
mod remark;

use crate::archive::RecordType;

pub use body::{Body, Decoder};
pub use head::{Field, Head};
pub use remark::{AnswerRemark, AnswerRemarks};

/// An HTTP response. It borrows from its block and from the [`Decoder`].
#[derive(Debug, Clone, Copy)]
pub struct Response<'a> {
    /// The status line and the headers.
    pub head: Head<'a>,
    /// The body after them.
    pub body: Body<'a>,
}

impl Response<'_> {
    /// The remarks on head and body.
    #[must_use]
    pub fn remarks(&self) -> AnswerRemarks {
        self.head.remarks | self.body.remarks
    }
}

impl Decoder {
    /// Reads the block of a `response` record. To read the head alone first, call [`Head::read`] and then
    /// [`Decoder::decode`].
    pub fn answer<'a>(&'a mut self, block: &'a [u8]) -> Response<'a> {
        let (head, after) = Head::read(block);
        Response { head, body: self.decode(RecordType::Response, false, &head, after) }
    }
}
