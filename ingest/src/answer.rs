//! An HTTP answer: what a `response` record holds. Its head, and its body with the codings undone.
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

pub use body::{Body, Decoder};
pub use head::{Field, Head};
pub use remark::{AnswerRemark, AnswerRemarks};

/// An answer. It borrows from the block that it was read from and from the [`Decoder`] that read it.
#[derive(Debug, Clone, Copy)]
pub struct Response<'a> {
    /// The status line and the headers.
    pub head: Head<'a>,
    /// What follows them.
    pub body: Body<'a>,
}

impl Response<'_> {
    /// All that was tolerated or is damaged, in head and body.
    #[must_use]
    pub fn remarks(&self) -> AnswerRemarks {
        self.head.remarks | self.body.remarks
    }
}

impl Decoder {
    /// Reads the block of a `response` record. Where a body may not be wanted, [`Head::read`] and [`Decoder::decode`]
    /// are the two halves of this.
    pub fn answer<'a>(&'a mut self, block: &'a [u8]) -> Response<'a> {
        let (head, behind) = Head::read(block);
        Response { head, body: self.decode(&head, behind) }
    }
}
