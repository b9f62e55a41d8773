//! The headers that the tables and the body need.

macro_rules! fields {
    ($($variant:ident $name:literal,)*) => {
        /// A header that is used here.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Field {
            $(#[doc = concat!("`", $name, "`")] $variant,)*
        }

        impl Field {
            /// All headers that are used.
            pub const ALL: &'static [Field] = &[$(Field::$variant),*];

            pub(super) const COUNT: usize = Field::ALL.len();

            /// The name as the standards spell it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Field::$variant => $name),* }
            }

            /// The field with a name, in upper or lower case.
            #[must_use]
            pub fn named(name: &[u8]) -> Option<Field> {
                $(if name.eq_ignore_ascii_case($name.as_bytes()) {
                    return Some(Field::$variant);
                })*
                None
            }
        }
    };
}

// Common Crawl's crawler stores decoded bodies, and renames the headers that are no longer true (`X-Crawler-…`). So do
// Webrecorder and Browsertrix (`X-Orig-…`).
fields! {
    Server "Server",
    Location "Location",
    RetryAfter "Retry-After",
    ContentType "Content-Type",
    CacheControl "Cache-Control",
    ContentLength "Content-Length",
    ContentEncoding "Content-Encoding",
    TransferEncoding "Transfer-Encoding",
    CrawlerContentEncoding "X-Crawler-Content-Encoding",
    OrigContentEncoding "X-Orig-Content-Encoding",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_found_by_its_name() {
        for field in Field::ALL {
            assert_eq!(Field::named(field.name().to_uppercase().as_bytes()), Some(*field));
            assert_eq!(Field::named(&field.name().as_bytes()[1..]), None);
        }
        assert_eq!(Field::named(b""), None);
        assert_eq!(Field::named(&[b'x'; 1_000]), None);
    }
}
