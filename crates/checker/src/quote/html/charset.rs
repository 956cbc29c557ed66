//! The character set of a page, and its bytes as text.

use encoding_rs::{
    DecoderResult, Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED,
};
use html5gum::{StartTag, Token, Tokenizer};

use crate::quote::DocumentError;

/// How much of a page is searched for what it says of its character set (the HTML standard).
const SEARCHED_BYTES: usize = 1_024;

/// Decodes a page: by its byte order mark, else by the media type's parameter, else by what it says itself, else as
/// UTF-8. A mark at the start is no part of the text.
pub(in crate::quote) fn decode(
    bytes: &[u8],
    declared: Option<&str>,
) -> Result<String, DocumentError> {
    let (encoding, mark) = match Encoding::for_bom(bytes) {
        Some(found) => found,
        None => (choose(bytes, declared)?, 0),
    };
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let body = bytes.get(mark..).unwrap_or_default();
    let most = decoder.max_utf8_buffer_length_without_replacement(body.len());
    let mut text = String::with_capacity(most.unwrap_or(body.len()));
    match decoder.decode_to_string_without_replacement(body, &mut text, true) {
        (DecoderResult::InputEmpty, _) => Ok(text),
        (DecoderResult::Malformed(length, after), read) => Err(DocumentError::Encoding {
            charset: encoding.name().to_ascii_lowercase(),
            byte: mark + read.saturating_sub(usize::from(length) + usize::from(after)),
        }),
        (DecoderResult::OutputFull, read) => Err(DocumentError::Encoding {
            charset: encoding.name().to_ascii_lowercase(),
            byte: mark + read,
        }),
    }
}

fn choose(bytes: &[u8], declared: Option<&str>) -> Result<&'static Encoding, DocumentError> {
    if let Some(label) = declared {
        return Encoding::for_label(label.as_bytes())
            .ok_or_else(|| DocumentError::UnknownCharset(label.to_owned()));
    }
    let start = bytes.get(..SEARCHED_BYTES).unwrap_or(bytes);
    let said = said_by_xml(start).or_else(|| said_by_meta(start));
    let Some(label) = said else { return Ok(UTF_8) };
    let encoding = Encoding::for_label(&label).ok_or_else(|| {
        DocumentError::UnknownCharset(String::from_utf8_lossy(&label).into_owned())
    })?;
    // Whoever could read so far reads no UTF-16 (the HTML standard).
    Ok(if encoding == UTF_16LE || encoding == UTF_16BE {
        UTF_8
    } else if encoding == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    })
}

/// `<?xml version="1.0" encoding="…"?>`
fn said_by_xml(start: &[u8]) -> Option<Vec<u8>> {
    let rest = start.strip_prefix(b"<?xml")?;
    let declaration = rest.split(|&byte| byte == b'>').next()?;
    after(declaration, b"encoding")
}

/// `<meta charset="…">`, or `<meta http-equiv="content-type" content="text/html; charset=…">`.
fn said_by_meta(start: &[u8]) -> Option<Vec<u8>> {
    let mut tokens = Tokenizer::new(start);
    tokens.find_map(|token| match token {
        Ok(Token::StartTag(tag)) if tag.name.0 == b"meta" => said_by_tag(&tag),
        _ => None,
    })
}

fn said_by_tag(tag: &StartTag<()>) -> Option<Vec<u8>> {
    let attribute = |name: &[u8]| tag.attributes.get(name).map(|value| value.as_slice());
    if let Some(charset) = attribute(b"charset") {
        return Some(charset.to_owned());
    }
    let kind = attribute(b"http-equiv")?;
    if !kind.eq_ignore_ascii_case(b"content-type") {
        return None;
    }
    after(&attribute(b"content")?.to_ascii_lowercase(), b"charset")
}

/// The word after a name and an equals sign, with or without quotation marks.
fn after(text: &[u8], name: &[u8]) -> Option<Vec<u8>> {
    let at = text.windows(name.len()).position(|piece| piece == name)?;
    let rest = text.get(at + name.len()..)?.trim_ascii_start();
    let rest = rest.strip_prefix(b"=")?.trim_ascii_start();
    let word: Vec<u8> = rest
        .iter()
        .skip_while(|byte| matches!(byte, b'"' | b'\''))
        .take_while(|byte| {
            !matches!(byte, b'"' | b'\'' | b';' | b'?') && !byte.is_ascii_whitespace()
        })
        .copied()
        .collect();
    (!word.is_empty()).then_some(word)
}
