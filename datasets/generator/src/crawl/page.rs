//! HTML pages: those served instead of a robots.txt, and those served with an error.

use super::random::Random;
use super::words::WORDS;
use std::fmt::Write;

/// Writes a page of about `wanted` bytes.
pub(super) fn page(random: &mut Random, host: &str, wanted: usize, out: &mut String) {
    // Writing to a `String` cannot fail.
    let _ = writeln!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{host}</title>\n</head>\n<body>"
    );
    while out.len() + 40 < wanted {
        let (one, two) = (random.one_of(&WORDS), random.one_of(&WORDS));
        let _ = match random.below(3) {
            0 => writeln!(
                out,
                "<li class=\"menu-item menu-item-{}\"><a href=\"/{one}/{two}\">{one} {two}</a></li>",
                random.below(10_000)
            ),
            1 => writeln!(out, "<div class=\"{one}-box\"><span data-id=\"{:x}\">{two}</span></div>", random.next()),
            _ => {
                out.push_str("<p>");
                for _ in 0..random.between(4, 30) {
                    out.push_str(random.one_of(&WORDS));
                    out.push(' ');
                }
                writeln!(out, "</p>")
            }
        };
    }
    out.push_str("</body>\n</html>\n");
}

/// Writes the page that servers send with a status.
pub(super) fn write_status_page(random: &mut Random, status: u16, reason: &str, server: &str, out: &mut String) {
    let _ = match random.below(10) {
        0 | 1 => Ok(()),
        2..=6 => writeln!(
            out,
            "<html>\n<head><title>{status} {reason}</title></head>\n<body>\n<h1>{status} {reason}</h1>\n<hr>{server}\n\
             </body>\n</html>"
        ),
        7 | 8 => writeln!(
            out,
            "<!DOCTYPE html>\n<html><head>\n<title>{status} {reason}</title>\n</head><body>\n<h1>{reason}</h1>\n\
             <p>The file that was asked for is not to be had from this server.</p>\n<p>Nothing more is known.</p>\n\
             </body></html>"
        ),
        _ => writeln!(out, "{reason}"),
    };
}
