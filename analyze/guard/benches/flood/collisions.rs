//! Texts that have the same hash in DataFusion.
//!
//! foldhash reads a text of 56 bytes as seven words w0 to w6, and mixes them in pairs into the two halves a and b of
//! its state. `fold(x, y)` is the exclusive or of the two halves of the product `x * y`:
//!
//! ```text
//! a = fold(w0 ^ seed,          w5 ^ k)        b = fold(w1 ^ (seed + s), w6 ^ k)
//! a = fold(w2 ^ a,             w3 ^ k)        b = fold(w3 ^ b,          w4 ^ k)        hash = a ^ b
//! ```
//!
//! The seeds, k and s are constants in the sources of DataFusion and foldhash. So b after the first line follows from
//! w1 and w6. If w3 is set to this b, the last product is zero, and w4 does not matter. The only search is for a w1
//! that makes w3 printable ASCII: one in 2,800 on average. All texts that differ only in w4 have the same 64-bit hash.

/// The seed of grouping by one column of texts, and of counting its distinct values, in `ArrowBytesViewMap`.
pub(crate) const GROUP: u64 = 0;

/// Paths of 56 bytes that have the same hash with this seed.
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

/// Similar paths that have different hashes.
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
