//! Any block can be read and its body decoded, with the same result twice. The decoded size is bounded.
#![no_main]

use ingest::answer::{Decoder, Field, Head};
use ingest::archive::RecordType;
use libfuzzer_sys::fuzz_target;
use std::cell::RefCell;

thread_local! {
    /// One decoder for all inputs, so that state left by one input would show in the next.
    static DECODER: RefCell<Decoder> = RefCell::default();
}

const KEPT_BYTES: usize = 16 << 20;

fuzz_target!(|block: &[u8]| {
    let (head, rest) = Head::read(block);
    assert!(rest.len() <= block.len());
    for header in [Field::Location, Field::ContentType, Field::ContentEncoding] {
        assert_eq!(head.first(header), head.all(header).next());
    }
    let mut fresh = Decoder::default();
    let body = fresh.decode(RecordType::Response, false, &head, rest);
    assert!(body.bytes.len() <= KEPT_BYTES && body.bytes.len() as u64 <= body.total_bytes);
    DECODER.with_borrow_mut(|decoder| {
        let again = decoder.decode(RecordType::Response, false, &head, rest);
        assert_eq!((again.bytes, again.total_bytes), (body.bytes, body.total_bytes));
        assert_eq!(format!("{:?}", again.remarks), format!("{:?}", body.remarks));
    });
});
