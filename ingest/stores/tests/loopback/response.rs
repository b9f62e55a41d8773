//! Responses, and the headers that tell the version of an object.

use super::Fault;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;
use twox_hash::XxHash3_128;

/// Sends a response, or as much of it as a fault leaves.
pub(super) fn send(mut out: &TcpStream, status: &str, headers: &str, body: &[u8], fault: Option<&Fault>) -> Option<()> {
    let (sent, is_whole) = match fault {
        Some(Fault::Short(most) | Fault::Stall(most) | Fault::Replaced(most, _)) => (*most, false),
        Some(Fault::Drip) => (0, false),
        // The end of the connection is the end of the body.
        Some(Fault::WithoutLength) => (body.len(), false),
        _ => (body.len(), true),
    };
    let head = match fault {
        Some(Fault::WithoutLength) => format!("HTTP/1.1 {status} Told\r\n{headers}\r\n"),
        _ => head_of(status, headers, body.len()),
    };
    out.write_all(head.as_bytes()).ok()?;
    out.write_all(&body[..sent.min(body.len())]).ok()?;
    if let Some(Fault::Stall(_)) = fault {
        // Waits until the client gives up.
        let _ = out.read(&mut [0]);
    }
    if let Some(Fault::Drip) = fault {
        for byte in body {
            out.write_all(&[*byte]).ok()?;
            thread::sleep(Duration::from_millis(20));
        }
    }
    is_whole.then_some(())
}

pub(super) fn write(mut stream: &TcpStream, status: u16, headers: &str, body: &[u8]) -> Option<()> {
    let head = head_of(&status.to_string(), headers, body.len());
    stream.write_all(&[head.as_bytes(), body].concat()).ok()
}

/// Sends the head of a response to HEAD: the length is that of the body, which is not sent.
pub(super) fn write_head(mut stream: &TcpStream, status: u16, headers: &str, length: usize) -> Option<()> {
    stream.write_all(head_of(&status.to_string(), headers, length).as_bytes()).ok()
}

/// The head of a response whose body has this length.
fn head_of(status: &str, headers: &str, length: usize) -> String {
    format!("HTTP/1.1 {status} Told\r\nContent-Length: {length}\r\n{headers}\r\n")
}

/// The version of an object, as S3 and as Google's storage name it.
pub(super) fn version_headers(bytes: &[u8]) -> String {
    format!("ETag: {}\r\nx-goog-generation: {}\r\n", tag(bytes), generation_of(Some(bytes)))
}

/// The number of a version in Google's storage; 0 if there is no object.
pub(super) fn generation_of(object: Option<impl AsRef<[u8]>>) -> String {
    object.map_or(0, |bytes| XxHash3_128::oneshot(bytes.as_ref()) as u64 | 1).to_string()
}

pub(super) fn tag(bytes: &[u8]) -> String {
    format!("\"{:032x}\"", XxHash3_128::oneshot(bytes))
}
