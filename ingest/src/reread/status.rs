//! The status of an HTTP response for the second reader. It shares no code with the first.

/// The number in the second word of the first line. Interim responses before another response are skipped.
pub(super) fn read_status(block: &[u8]) -> Option<u16> {
    let mut lines = block.split(|byte| *byte == b'\n').map(without_cr);
    let mut line = lines.find(|line| !line.is_empty())?;
    loop {
        let status = read_status_line(line)?;
        if status.is_none_or(|status| status / 100 != 1) {
            return status;
        }
        lines.find(|line| line.is_empty());
        match lines.find(|line| !line.is_empty()) {
            Some(next) if read_status_line(next).is_some() => line = next,
            _ => return status,
        }
    }
}

/// `None` if it is not a status line.
fn read_status_line(line: &[u8]) -> Option<Option<u16>> {
    let line = String::from_utf8_lossy(line);
    let line = line.trim_start_matches('\r');
    let mut words = line.split_ascii_whitespace();
    let protocol = words.next().filter(|word| line.starts_with(word))?.to_ascii_lowercase();
    if !(protocol == "http" || protocol == "icy" || protocol.starts_with("http/")) {
        return None;
    }
    let word = words.next().unwrap_or_default();
    let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let digits = word.get(..word.len() - rest.len()).filter(|digits| digits.len() == 3);
    // 200.5 is no status.
    let goes_on = rest.starts_with(['.', ',']) && rest.chars().nth(1).is_some_and(|letter| letter.is_ascii_digit());
    Some(digits.filter(|_| !goes_on).and_then(|digits| digits.parse().ok()))
}

fn without_cr(mut line: &[u8]) -> &[u8] {
    while let Some(shorter) = line.strip_suffix(b"\r") {
        line = shorter;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::Head;
    use proptest::prelude::*;

    /// Expects a status of both readers.
    #[track_caller]
    fn check(block: &str, expected: Option<u16>) {
        assert_eq!(read_status(block.as_bytes()), expected, "{block:?}");
        assert_eq!(Head::read(block.as_bytes()).0.status, expected, "{block:?}");
    }

    #[test]
    fn both_readers_read_the_same_status() {
        check("HTTP/1.1 200 OK\r\n\r\nbody", Some(200));
        check("http/2 404", Some(404));
        check("\r\n\nICY  \t200 OK\n", Some(200));
        check("HTTP 503Not\r\n", Some(503));
        check("HTTP/1.1 65736 OK\r\n\r\n", None);
        check("HTTP/1.1 200.5 OK", None);
        check("HTTP/1.1 200,5", None);
        check("HTTP/1.1 200. OK", Some(200));
        check("HTTP/1.1 20 OK\r\n\r\n", None);
        check("HTTP/1.1\r\n200 OK\r\n\r\n", None);
        check("HTTP/1.1 100 Continue\r\nA: b\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", Some(200));
        check("HTTP/1.1 103 Early Hints\r\n\r\n", Some(103));
        check("HTTP/1.1 101 Switching\r\n\r\nbinary", Some(101));
        check("HTTPS: 200\r\n", None);
        check("20170821 10.0.0.1", None);
        check("", None);
        check("\r\n", None);
    }
    proptest! {
        #[test]
        fn both_readers_agree_on_any_block(pieces in prop::collection::vec(0..PIECES.len(), 0..12)) {
            let block: String = pieces.into_iter().map(|piece| PIECES[piece]).collect();
            prop_assert_eq!(read_status(block.as_bytes()), Head::read(block.as_bytes()).0.status, "{:?}", block);
        }
    }

    const PIECES: [&str; 18] = [
        "HTTP/1.1",
        "HTTP",
        "icy",
        "http/2",
        " ",
        "\t",
        "200",
        "103",
        "100",
        "1",
        "9",
        "OK",
        "\r\n",
        "\n",
        "\r",
        "\r\n\r\n",
        "A: b",
        "HTTP/1.1 100 Continue\r\n",
    ];
}
