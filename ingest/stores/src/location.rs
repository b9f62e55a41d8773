//! The place of an archive or a list.

use object_store::path::Path as ObjectPath;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::{Path, PathBuf};
use url::Url;

/// Where an archive or a list is. In JSON it is the path or the URL.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "PathBuf", into = "PathBuf")]
pub enum Location {
    /// A file.
    File(PathBuf),
    /// An object in a store or on a server.
    Object(ObjectUrl),
}

impl Location {
    /// Parses a typed place: a URL such as `s3://bucket/key`, or else a path. A `file://` URL becomes a path.
    pub fn parse(typed: &Path) -> Result<Self, UrlRefusal> {
        let Some((text, scheme)) = typed.to_str().and_then(|text| Some((text, scheme_of(text)?))) else {
            return Ok(Location::File(typed.to_path_buf()));
        };
        if scheme.eq_ignore_ascii_case("file") {
            let path = Url::parse(text).ok().and_then(|url| url.to_file_path().ok());
            return path
                .map(Location::File)
                .ok_or_else(|| refuse(text, "it is not a file URL such as file:///folder/name"));
        }
        ObjectUrl::parse(text).map(Location::Object)
    }

    /// The path or URL for messages.
    #[must_use]
    pub fn shown(&self) -> &Path {
        match self {
            Location::File(path) => path,
            Location::Object(url) => Path::new(url.as_str()),
        }
    }

    /// The path, if it is a file.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        match self {
            Location::File(path) => Some(path),
            Location::Object(_) => None,
        }
    }
}

impl TryFrom<PathBuf> for Location {
    type Error = String;

    fn try_from(path: PathBuf) -> Result<Self, String> {
        Location::parse(&path).map_err(|refusal| refusal.cause)
    }
}

impl From<Location> for PathBuf {
    fn from(location: Location) -> Self {
        match location {
            Location::File(path) => path,
            Location::Object(url) => PathBuf::from(url.as_str()),
        }
    }
}

/// The URL of an object. It has no user name, password, query or fragment, which could be secret.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectUrl(Url);

/// Which kind of store a URL leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StoreKind {
    S3,
    Gcs,
    Azure,
    Http,
}

impl ObjectUrl {
    /// Parses a URL. Fails if its scheme is not supported, or if a part of it may be secret.
    pub fn parse(text: &str) -> Result<Self, UrlRefusal> {
        let refused = |cause: &dyn fmt::Display| refuse(text, cause);
        let url = Url::parse(text).map_err(|error| refused(&error))?;
        if kind_of(&url).is_none() {
            let cause = format_args!("{} is not supported; use s3, gs, az, abfs, https, http or file", url.scheme());
            return Err(refused(&cause));
        }
        if url.host_str().is_none_or(str::is_empty) {
            return Err(refused(&"it names no bucket or host"));
        }
        if let Some(cause) = secret_in(&url) {
            return Err(refused(&cause));
        }
        ObjectPath::from_url_path(url.path()).map_err(|error| refused(&error))?;
        Ok(ObjectUrl(url))
    }

    /// The URL as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The URL of a list entry below this one. Fails for an entry that could lead out of it.
    pub fn below(&self, entry: &str) -> Result<Self, UrlRefusal> {
        let leads_out =
            entry.starts_with('/') || scheme_of(entry).is_some() || entry.split('/').any(|part| part == "..");
        if leads_out {
            return Err(refuse(entry, format_args!("it leads out of {self}")));
        }
        let slash = if self.as_str().ends_with('/') { "" } else { "/" };
        ObjectUrl::parse(&format!("{self}{slash}{entry}"))
    }

    /// The URL of the folder that contains `crawl-data`, or else of the object's own folder.
    #[must_use]
    pub fn base(&self) -> Self {
        let path = self.0.path();
        let end = path.rfind("/crawl-data/").or_else(|| path.rfind('/')).unwrap_or(0);
        let mut base = self.0.clone();
        base.set_path(path.get(..=end).unwrap_or("/"));
        ObjectUrl(base)
    }

    /// The URL of another object in the same store. Fails for a name that a URL would change.
    pub(crate) fn at(&self, object: &ObjectPath) -> Result<Self, UrlRefusal> {
        let mut url = self.0.clone();
        url.set_path(object.as_ref());
        let found = ObjectUrl(url);
        match found.path() == *object {
            true => Ok(found),
            false => Err(refuse(object.as_ref(), "its name changes in a URL")),
        }
    }

    /// The key of the object in its store.
    #[must_use]
    pub fn key(&self) -> String {
        self.path().to_string()
    }

    /// The store or server: scheme, host and port.
    #[must_use]
    pub fn authority(&self) -> &str {
        &self.0[..url::Position::BeforePath]
    }

    /// The host, or the bucket.
    pub(crate) fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    pub(crate) fn kind(&self) -> StoreKind {
        kind_of(&self.0).unwrap_or(StoreKind::Http)
    }

    /// The path of the object in its store.
    pub(crate) fn path(&self) -> ObjectPath {
        // `parse` has checked that this succeeds.
        ObjectPath::from_url_path(self.0.path()).unwrap_or_default()
    }
}

impl fmt::Display for ObjectUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// The part of a URL of any scheme that may be secret, with what to do instead; `None` if there is no such part.
#[must_use]
pub fn secret_in(url: &Url) -> Option<&'static str> {
    // In `abfs://container@account/`, the text before the `@` is not secret.
    if url.password().is_some() || (kind_of(url) != Some(StoreKind::Azure) && !url.username().is_empty()) {
        return Some("it has a user name or a password, which would be stored; set them in the environment");
    }
    (url.query().is_some() || url.fragment().is_some()).then_some(
        "it has a query or a fragment, as signed URLs have, which would be stored; name the object as s3://, gs:// or \
         az:// with keys from the environment, or write ? as %3F and # as %23",
    )
}

fn kind_of(url: &Url) -> Option<StoreKind> {
    Some(match url.scheme() {
        "s3" | "s3a" => StoreKind::S3,
        "gs" => StoreKind::Gcs,
        "az" | "azure" | "abfs" | "abfss" | "adl" => StoreKind::Azure,
        "http" | "https" => StoreKind::Http,
        _ => return None,
    })
}

/// The scheme of a URL such as `https://…` or `s3://…`; `None` for any other text. RFC 3986 § 3.1: a scheme starts with a
/// letter.
fn scheme_of(text: &str) -> Option<&str> {
    let (scheme, _) = text.split_once("://")?;
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    (scheme.starts_with(|first: char| first.is_ascii_alphabetic()) && scheme.bytes().all(is_plain)).then_some(scheme)
}

/// Why a text was rejected as the URL of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UrlRefusal {
    /// The URL without the parts that may be secret.
    pub shown: PathBuf,
    /// The reason.
    pub cause: String,
}

fn refuse(text: &str, cause: impl fmt::Display) -> UrlRefusal {
    UrlRefusal { shown: PathBuf::from(without_secrets(text)), cause: cause.to_string() }
}

/// A URL without user, password, query and fragment.
fn without_secrets(text: &str) -> String {
    let text = text.split(['?', '#']).next().unwrap_or_default();
    let Some((scheme, rest)) = text.split_once("://") else { return text.to_owned() };
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = authority.rsplit('@').next().unwrap_or_default();
    format!("{scheme}://{host}{path}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(typed: &str, expected: Result<&str, &str>) {
        let found = Location::parse(Path::new(typed));
        match (&found, expected) {
            (Ok(location), Ok(expected)) => assert_eq!(location.shown(), Path::new(expected), "{typed}"),
            (Err(UrlRefusal { shown, cause }), Err(expected)) => {
                let text = format!("{}: {cause}", shown.display());
                assert!(text.starts_with(expected), "{typed}: {text}");
                assert!(!text.contains("secret"), "{typed}: {text}");
            }
            _ => panic!("{typed}: {found:?}"),
        }
    }

    #[test]
    fn typed_places_are_files_or_objects() {
        check("crawl-data/C-1/a.warc.gz", Ok("crawl-data/C-1/a.warc.gz"));
        check("file:///data/a%20b.warc", Ok("/data/a b.warc"));
        check("S3://commoncrawl/crawl-data/a.warc.gz", Ok("s3://commoncrawl/crawl-data/a.warc.gz"));
        check("https://Data.CommonCrawl.org/a.warc.gz", Ok("https://data.commoncrawl.org/a.warc.gz"));
        check("gs://bucket/a.warc", Ok("gs://bucket/a.warc"));
        check("abfs://container@account.dfs.core.windows.net/a", Ok("abfs://container@account.dfs.core.windows.net/a"));
    }

    #[test]
    fn unsupported_urls_and_secrets_are_rejected() {
        check("ftp://host/a.warc", Err("ftp://host/a.warc: ftp is not supported; use s3, gs"));
        check("s3:///a.warc", Err("s3:///a.warc: it names no bucket or host"));
        check("https://user:secret@host/a.warc", Err("https://host/a.warc: it has a user name"));
        check("https://secret@host/a.warc", Err("https://host/a.warc: it has a user name"));
        check("az://container:secret@account/a", Err("az://account/a: it has a user name"));
        check("https://host/a.warc?X-Amz-Signature=secret", Err("https://host/a.warc: it has a query"));
        check("https://host/a.warc#secret", Err("https://host/a.warc: it has a query"));
        check("https://host/a//b", Err("https://host/a//b: "));
    }

    #[test]
    fn entries_stay_below_their_base() {
        let base = ObjectUrl::parse("https://host/mirror").unwrap();
        assert_eq!(base.below("crawl-data/a.gz").unwrap().as_str(), "https://host/mirror/crawl-data/a.gz");
        for entry in ["/etc/passwd", "../a", "a/../../b", "file:///etc/passwd", "https://other/a"] {
            assert!(base.below(entry).is_err(), "{entry}");
        }
    }

    #[test]
    fn bases_of_lists() {
        let check = |list: &str, expected: &str| assert_eq!(ObjectUrl::parse(list).unwrap().base().as_str(), expected);
        check("https://host/crawl-data/C-1/robotstxt.paths.gz", "https://host/");
        check("s3://bucket/copy/crawl-data/C-1/robotstxt.paths.gz", "s3://bucket/copy/");
        check("https://host/lists/robotstxt.paths.gz", "https://host/lists/");
    }

    #[test]
    fn places_are_paths_in_json() {
        for text in ["\"a/b.warc\"", "\"s3://bucket/a.warc\""] {
            let location: Location = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::to_string(&location).unwrap(), text);
        }
    }
}
