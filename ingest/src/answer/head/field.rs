//! The headers that the tables and the body need.

macro_rules! fields {
    ($($variant:ident $name:literal,)*) => {
        /// A header that is used here. No two names have the same length, which makes finding them fast.
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
        }
    };
}

// Common Crawl's crawler stores decoded bodies, and renames the headers that are no longer true (`X-Crawler-…`).
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
}

const LONGEST: usize = 32;

const BY_LENGTH: [Option<Field>; LONGEST] = {
    let mut table = [None; LONGEST];
    let mut at = 0;
    while at < Field::COUNT {
        #[expect(clippy::indexing_slicing, reason = "evaluated at compile time")]
        {
            let field = Field::ALL[at];
            assert!(table[field.name().len()].is_none(), "two names have the same length");
            table[field.name().len()] = Some(field);
        }
        at += 1;
    }
    table
};

impl Field {
    /// The field with a name, in upper or lower case.
    #[must_use]
    pub fn named(name: &[u8]) -> Option<Field> {
        let field = (*BY_LENGTH.get(name.len())?)?;
        name.eq_ignore_ascii_case(field.name().as_bytes()).then_some(field)
    }
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
