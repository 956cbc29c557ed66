//! How much the streams of a file unpack to, found out before anything keeps what they unpack to.

use flate2::{Decompress, FlushDecompress, Status};
use hayro_syntax::object::Object;
use hayro_syntax::{Filter, Pdf};

use super::PdfError;

/// The most bytes that all streams of a file may unpack to, pictures included.
pub(super) const MAX_UNPACKED_BYTES: usize = 512 << 20;
/// The most bytes that one stream packed by an old method may have: those unpack to some thousand times as much.
const MAX_OLD_BYTES: usize = 128 << 10;

/// Looks at the bytes of a file, before it is parsed: for encryption, under which nothing can be counted, and for
/// what every stream in it would unpack to.
pub(super) fn check_file(bytes: &[u8], most: usize) -> Result<(), PdfError> {
    if !bytes
        .get(..1_024)
        .unwrap_or(bytes)
        .windows(5)
        .any(|it| it == b"%PDF-")
    {
        return Err(PdfError::Broken);
    }
    if mentions(bytes, b"Encrypt") {
        return Err(PdfError::Encrypted);
    }
    let is_old = mentions(bytes, b"LZWDecode")
        || mentions(bytes, b"LZW")
        || mentions(bytes, b"RunLengthDecode")
        || mentions(bytes, b"RL");
    let mut left = most;
    let mut place = 0;
    while let Some(start) = stream_after(bytes, place) {
        place = start;
        let body = bytes.get(start..).unwrap_or_default();
        let length = find(body, b"endstream").unwrap_or(body.len());
        if is_old && length > MAX_OLD_BYTES && !is_deflated(body) {
            return Err(PdfError::TooLarge("memory"));
        }
        left = left
            .checked_sub(unpacked(body, left))
            .filter(|&left| left > 0)
            .ok_or(PdfError::TooLarge("memory"))?;
    }
    Ok(())
}

/// Looks at every stream of a parsed file: one that is packed twice was counted as if once.
pub(super) fn check_streams(pdf: &Pdf) -> Result<(), PdfError> {
    for object in pdf.objects() {
        let Object::Stream(stream) = object else {
            continue;
        };
        let packs = |filter: &&Filter| {
            matches!(
                filter,
                Filter::FlateDecode | Filter::LzwDecode | Filter::RunLengthDecode
            )
        };
        let filters = stream.filters();
        let is_old = filters
            .iter()
            .any(|it| !matches!(it, Filter::FlateDecode) && packs(&it));
        let is_large = is_old && stream.raw_data().len() > MAX_OLD_BYTES;
        if is_large || filters.iter().filter(packs).count() > 1 {
            return Err(PdfError::TooLarge("memory"));
        }
    }
    Ok(())
}

/// Whether a name stands anywhere in a file, also one written with escapes (`#45` for `E`).
fn mentions(bytes: &[u8], name: &[u8]) -> bool {
    let mut names = bytes.split(|&byte| byte == b'/').skip(1);
    names.any(|rest| {
        let mut rest = rest;
        for &expected in name {
            let Some((read, after)) = character(rest) else {
                return false;
            };
            if read != expected {
                return false;
            }
            rest = after;
        }
        !rest.first().is_some_and(u8::is_ascii_alphanumeric)
    })
}

/// The next character of a name.
fn character(bytes: &[u8]) -> Option<(u8, &[u8])> {
    let digit = |place: usize| char::from(*bytes.get(place)?).to_digit(16);
    if bytes.first() == Some(&b'#')
        && let (Some(high), Some(low)) = (digit(1), digit(2))
    {
        let byte = u8::try_from(high * 16 + low).ok()?;
        return Some((byte, bytes.get(3..)?));
    }
    bytes.split_first().map(|(first, rest)| (*first, rest))
}

/// Where the bytes of the next stream start.
fn stream_after(bytes: &[u8], place: usize) -> Option<usize> {
    let mut place = place;
    loop {
        let found = place + find(bytes.get(place..)?, b"stream")?;
        let after = found + b"stream".len();
        if !bytes.get(..found)?.ends_with(b"end") {
            let rest = bytes.get(after..)?;
            let breaks = rest
                .iter()
                .take_while(|it| it.is_ascii_whitespace())
                .take(2)
                .count();
            return Some(after + breaks);
        }
        place = after;
    }
}

fn find(bytes: &[u8], word: &[u8]) -> Option<usize> {
    let (&first, _) = word.split_first()?;
    let mut place = 0;
    loop {
        let rest = bytes.get(place..)?;
        place += rest.iter().position(|&byte| byte == first)?;
        if bytes.get(place..)?.starts_with(word) {
            return Some(place);
        }
        place += 1;
    }
}

/// Whether bytes begin as zlib writes them (RFC 1950).
fn is_deflated(body: &[u8]) -> bool {
    matches!(body, [method, flags, ..] if method & 0x0f == 8
        && (u16::from(*method) * 256 + u16::from(*flags)).is_multiple_of(31))
}

/// How many bytes are read and unpacked from a deflated stream, until it ends or there are too many. What a stream that
/// is not deflated takes to tell counts as well.
fn unpacked(body: &[u8], most: usize) -> usize {
    let mut decoder = Decompress::new(is_deflated(body));
    let mut buffer = vec![0; 64 << 10];
    loop {
        let count = |total: u64| usize::try_from(total).unwrap_or(usize::MAX);
        let (read, written) = (count(decoder.total_in()), count(decoder.total_out()));
        if written >= most {
            return most;
        }
        let rest = body.get(read..).unwrap_or_default();
        let status = decoder.decompress(rest, &mut buffer, FlushDecompress::None);
        let now = (count(decoder.total_in()), count(decoder.total_out()));
        let goes_on = matches!(status, Ok(Status::Ok)) && now != (read, written);
        if !goes_on {
            return now.0.max(now.1).min(most);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::ZlibEncoder;

    use super::*;

    #[track_caller]
    fn check(unpacked: &[usize], most: usize, expected: &Result<(), PdfError>) {
        let mut file = b"%PDF-1.7\n".to_vec();
        for &size in unpacked {
            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(&vec![b' '; size]).unwrap();
            file.extend_from_slice(b"1 0 obj << /Filter /FlateDecode >> stream\r\n");
            file.extend_from_slice(&encoder.finish().unwrap());
            file.extend_from_slice(b"\nendstream endobj\n");
        }
        assert_eq!(&check_file(&file, most), expected);
    }

    #[test]
    fn what_streams_unpack_to_is_counted_together() {
        let too_much = Err(PdfError::TooLarge("memory"));
        check(&[], 1, &Ok(()));
        check(&[900_000], 1_000_000, &Ok(()));
        check(&[1_100_000], 1_000_000, &too_much);
        check(&[600_000, 300_000], 1_000_000, &Ok(()));
        check(&[600_000, 600_000], 1_000_000, &too_much);
    }

    #[test]
    fn a_name_is_found_however_it_is_written() {
        assert!(mentions(b"<</Encrypt 5 0 R>>", b"Encrypt"));
        assert!(mentions(b"<</E#6Ecr#79pt 5 0 R>>", b"Encrypt"));
        assert!(!mentions(b"<</EncryptMetadata true>> Encrypt", b"Encrypt"));
    }
}
