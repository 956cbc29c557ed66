//! What is known of elements by their names.

use html5gum::State;

/// How an element shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// In the line.
    Inline,
    /// Apart from what is before and after it.
    Block,
    /// A heading of a level from 1.
    Heading(u8),
    /// A block that keeps its line breaks.
    Preformatted,
    Table,
    Row,
    Cell,
    /// Ends the line.
    Break,
    /// Raised.
    Superscript,
    /// Not at all.
    Hidden,
}

pub(super) fn role(name: &[u8]) -> Role {
    match name {
        b"h1" => Role::Heading(1),
        b"h2" => Role::Heading(2),
        b"h3" => Role::Heading(3),
        b"h4" => Role::Heading(4),
        b"h5" => Role::Heading(5),
        b"h6" => Role::Heading(6),
        b"pre" | b"listing" | b"plaintext" | b"textarea" | b"xmp" => Role::Preformatted,
        b"table" => Role::Table,
        b"tr" => Role::Row,
        b"td" | b"th" => Role::Cell,
        b"br" => Role::Break,
        b"sup" => Role::Superscript,
        b"script" | b"style" | b"template" | b"noscript" | b"iframe" | b"noembed" | b"noframes"
        | b"object" | b"audio" | b"video" | b"canvas" | b"datalist" | b"rp" | b"rt"
        | b"annotation" | b"annotation-xml" | b"desc" | b"metadata" => Role::Hidden,
        b"address" | b"article" | b"aside" | b"blockquote" | b"body" | b"caption" | b"center"
        | b"dd" | b"details" | b"dialog" | b"dir" | b"div" | b"dl" | b"dt" | b"fieldset"
        | b"figcaption" | b"figure" | b"footer" | b"form" | b"frameset" | b"head" | b"header"
        | b"hgroup" | b"hr" | b"html" | b"legend" | b"li" | b"main" | b"menu" | b"nav" | b"ol"
        | b"optgroup" | b"option" | b"p" | b"search" | b"section" | b"select" | b"summary"
        | b"svg" | b"tbody" | b"tfoot" | b"thead" | b"title" | b"ul" => Role::Block,
        _ => Role::Inline,
    }
}

/// Elements that have no content and no end tag.
pub(super) fn is_void(name: &[u8]) -> bool {
    matches!(
        name,
        b"area"
            | b"base"
            | b"br"
            | b"col"
            | b"embed"
            | b"hr"
            | b"img"
            | b"input"
            | b"link"
            | b"meta"
            | b"param"
            | b"source"
            | b"track"
            | b"wbr"
    )
}

/// How the content of an element is tokenized, where it is not markup.
pub(super) fn content(name: &[u8]) -> Option<State> {
    match name {
        b"textarea" | b"title" => Some(State::RcData),
        b"plaintext" => Some(State::PlainText),
        b"script" => Some(State::ScriptData),
        b"style" | b"iframe" | b"xmp" | b"noembed" | b"noframes" | b"noscript" => {
            Some(State::RawText)
        }
        _ => None,
    }
}

/// The open elements that a start tag ends, and those beyond which it ends none.
pub(super) fn ended_by(name: &[u8]) -> (&'static [&'static [u8]], &'static [&'static [u8]]) {
    match name {
        b"li" => (&[b"li"], &[b"ul", b"ol", b"menu", b"dir"]),
        b"dt" | b"dd" => (&[b"dt", b"dd"], &[b"dl"]),
        b"option" => (&[b"option"], &[b"select", b"datalist", b"optgroup"]),
        b"optgroup" => (&[b"option", b"optgroup"], &[b"select"]),
        b"td" | b"th" => (&[b"td", b"th", b"caption"], &[b"tr", b"table"]),
        b"tr" => (&[b"tr", b"caption"], &[b"table"]),
        b"tbody" | b"thead" | b"tfoot" => {
            (&[b"tbody", b"thead", b"tfoot", b"caption"], &[b"table"])
        }
        b"body" => (&[b"head"], &[]),
        _ => match role(name) {
            Role::Block | Role::Heading(_) | Role::Preformatted | Role::Table => (&[b"p"], &[]),
            _ => (&[], &[]),
        },
    }
}

/// Elements that an end tag of what stands outside of them does not end.
pub(super) fn bounds(name: &[u8]) -> bool {
    matches!(
        name,
        b"td" | b"th" | b"caption" | b"table" | b"template" | b"object"
    )
}

/// Elements whose end tags end a cell that was left open.
pub(super) fn is_of_table(name: &[u8]) -> bool {
    matches!(
        name,
        b"table" | b"tbody" | b"thead" | b"tfoot" | b"tr" | b"td" | b"th" | b"caption"
    ) || matches!(name, b"template" | b"object" | b"body" | b"html")
}
