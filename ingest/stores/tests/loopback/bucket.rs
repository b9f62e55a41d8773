//! Requests to a bucket that change or list its objects, in the dialects of the stores.

use super::Shared;
use super::request::{Seen, decoded};
use super::response::{generation_of, tag, version_headers, write};
use std::net::TcpStream;

/// The number of objects in a page of a list.
const PAGE: usize = 20;

impl Shared {
    /// Puts an object, in one request or in pieces, or deletes some, as S3 does (docs.aws.amazon.com, "PutObject",
    /// "CopyObject", "CreateMultipartUpload", "DeleteObjects"). Google's storage has the same requests but for the names
    /// of headers, and deletes one object with a request (cloud.google.com/storage/docs/xml-api).
    pub(super) fn change(&self, stream: &TcpStream, seen: &Seen, sent: Vec<u8>) -> Option<()> {
        let (name, mut objects) = (seen.object(), self.objects.lock());
        if seen.path.contains("?delete") {
            let asked = String::from_utf8(sent).unwrap();
            let keys = asked.split("<Key>").skip(1).map(|key| key.split("</Key>").next().unwrap());
            let deleted = keys.map(|key| {
                objects.remove(&format!("{name}/{}", decoded(key)));
                format!("<Deleted><Key>{key}</Key></Deleted>")
            });
            let deleted = format!("<DeleteResult>{}</DeleteResult>", deleted.collect::<String>());
            return write(stream, 200, "", deleted.as_bytes());
        }
        if seen.method == "DELETE" {
            return write(stream, if objects.remove(&name).is_some() { 204 } else { 404 }, "", b"");
        }
        if let Some(left) = self.puts_left.lock().as_mut() {
            match left.checked_sub(1) {
                Some(fewer) => *left = fewer,
                None => return write(stream, 403, "", b"<Error><Code>AccessDenied</Code></Error>"),
            }
        }
        if let Some(source) = seen.header("x-amz-copy-source").or_else(|| seen.header("x-goog-copy-source")) {
            let Some(bytes) = objects.get(&format!("/{}", decoded(source))).cloned() else {
                return write(stream, 404, "", b"<Error><Code>NoSuchKey</Code></Error>");
            };
            let copied = format!("<CopyObjectResult><ETag>{}</ETag></CopyObjectResult>", tag(&bytes));
            objects.insert(name, bytes);
            return write(stream, 200, "", copied.as_bytes());
        }
        let mut pieces = self.pieces.lock();
        if seen.path.contains("?uploads") {
            let id = "<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>";
            return write(stream, 200, "", id.as_bytes());
        }
        let headers = version_headers(&sent);
        if let Some(number) = seen.parameter("partNumber") {
            pieces.insert((name, number.parse().unwrap()), sent);
            return write(stream, 200, &headers, b"");
        }
        if seen.method == "POST" {
            let whole: Vec<u8> = (1..).map_while(|number| pieces.remove(&(name.clone(), number))).flatten().collect();
            objects.insert(name, whole);
            let done = "<CompleteMultipartUploadResult><ETag>&quot;1&quot;</ETag></CompleteMultipartUploadResult>";
            return write(stream, 200, "", done.as_bytes());
        }
        let found = objects.get(&name);
        let is_refused = seen.header("if-none-match").is_some_and(|_| found.is_some())
            || seen.header("if-match").is_some_and(|asked| found.map(|bytes| tag(bytes)).as_deref() != Some(asked))
            || seen.header("x-goog-if-generation-match").is_some_and(|asked| generation_of(found) != asked);
        if is_refused {
            return write(stream, 412, "", b"<Error><Code>PreconditionFailed</Code></Error>");
        }
        objects.insert(name, sent);
        write(stream, 200, &headers, b"")
    }

    /// A page of a list of objects, in the format of S3 (docs.aws.amazon.com, "ListObjectsV2").
    pub(super) fn list(&self, seen: &Seen) -> String {
        let bucket = format!("{}/", seen.object());
        let (prefix, after) = (seen.parameter("prefix").unwrap_or_default(), seen.parameter("continuation-token"));
        let objects = self.objects.lock();
        let keys = objects.iter().filter_map(|(path, bytes)| Some((path.strip_prefix(&bucket)?, bytes)));
        let left =
            keys.filter(|(key, _)| key.starts_with(&prefix) && after.as_deref().is_none_or(|after| *key > after));
        let left: Vec<_> = left.collect();
        let page = &left[..left.len().min(PAGE)];
        let contents: String = (page.iter())
            .map(|(key, bytes)| {
                let (size, tag) = (bytes.len(), tag(bytes));
                format!(
                    "<Contents><Key>{key}</Key><LastModified>2026-11-23T22:00:00.000Z</LastModified><ETag>{tag}</ETag>\
                     <Size>{size}</Size></Contents>"
                )
            })
            .collect();
        let next = match page.last().filter(|_| left.len() > page.len()) {
            Some((key, _)) => format!("<NextContinuationToken>{key}</NextContinuationToken>"),
            None => String::new(),
        };
        format!("<ListBucketResult>{contents}{next}</ListBucketResult>")
    }
}
