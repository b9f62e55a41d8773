//! Texts that are one to DataFusion's hash.
//!
//! foldhash takes a text of 56 bytes as seven words w0 to w6 and mixes them in pairs into two halves of its state, by
//! `fold(x, y)`, the two halves of the product `x * y`, one upon the other:
//!
//! ```text
//! a = fold(w0 ^ seed,          w5 ^ k)        b = fold(w1 ^ (seed + s), w6 ^ k)
//! a = fold(w2 ^ a,             w3 ^ k)        b = fold(w3 ^ b,          w4 ^ k)        hash = a ^ b
//! ```
//!
//! The seeds, k and s stand in the sources of DataFusion and foldhash. So b after the first line is known as soon as w1
//! and w6 are chosen; w3 may be set to just that; the last product is then zero times something, and w4 does not matter
//! any more. It needs no search but for a w1 that makes a w3 of printable ASCII, one in 2,800 on average. All texts that
//! differ in w4 alone have one hash of 64 bits, and there are more of them than anybody needs.

/// What grouping by one column of texts and counting its distinct values are seeded with, in `ArrowBytesViewMap`.
pub(crate) const GROUP: u64 = 0;

/// Texts of 56 bytes that are paths, and that the hash with this seed cannot tell apart.
pub(crate) fn crafted(seed: u64, many: usize) -> Vec<String> {
    let seed = (seed ^ FIXED).rotate_right(56);
    let (w0, w2, w5, w6) = ("/private", "/reports", "/archive", "/summary");
    let (w1, w3) = (0..)
        .map(|try_it| format!("/{try_it:07}"))
        .find_map(|w1| {
            let b = fold(word(&w1) ^ seed.wrapping_add(S), word(w6) ^ K).to_le_bytes();
            let printable = b.iter().all(|byte| (b' '..=b'~').contains(byte));
            printable.then(|| (w1, String::from_utf8(b.to_vec()).unwrap()))
        })
        .unwrap();
    (0..many).map(|w4| format!("{w0}{w1}{w2}{w3}{w4:08}{w5}{w6}")).collect()
}

/// Texts like those, of which a hash can make something.
pub(crate) fn harmless(seed: u64, many: usize) -> Vec<String> {
    crafted(seed, many).into_iter().enumerate().map(|(n, text)| format!("/{n:07}{}", &text[8..])).collect()
}

const FIXED: u64 = 0x082e_fa98_ec4e_6c89;
const K: u64 = 0xc0ac_29b7_c97c_50dd;
const S: u64 = 0x3f84_d5b5_b547_0917;

fn word(text: &str) -> u64 {
    u64::from_le_bytes(text.as_bytes().try_into().unwrap())
}

fn fold(x: u64, y: u64) -> u64 {
    let product = u128::from(x) * u128::from(y);
    (product as u64) ^ (product >> 64) as u64
}
