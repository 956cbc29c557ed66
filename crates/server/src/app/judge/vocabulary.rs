//! What the words of a board mean: the shipped lexicon with the attributes it declares, taken in
//! the order of their names, so that the same declarations always make the same vocabulary.

use pawl_checker::vocabulary::{AttributeDeclaration, AttributeKind, Vocabulary};
use pawl_ledger::{
    board::{Attribute, Board},
    decide::{Denied, Reason},
    id::AttributeName,
    ledger::Ledger,
    status::ValueType,
    store::{StoreError, keys::BoardNumber},
};
use pawl_proto::v1::AttributeWords;
use prost::Message;

use crate::app::error::AppError;

/// An attribute as it is to be declared.
pub fn declared(
    name: &AttributeName,
    value_type: ValueType,
    multi_valued: bool,
    words: AttributeWords,
) -> AttributeDeclaration {
    AttributeDeclaration {
        name: name.to_string(),
        kind: kind(value_type),
        unit: (!words.unit.is_empty()).then_some(words.unit),
        aliases: words.aliases,
        multi_valued,
    }
}

/// The vocabulary of a board.
pub(super) fn of(
    ledger: &Ledger,
    number: BoardNumber,
    board: &Board,
) -> Result<Vocabulary, StoreError> {
    Ok(with(board, &all(ledger, number, board)?))
}

/// The vocabulary of a board on which an attribute is being declared. Refused where one of its
/// names already stands for another attribute.
pub fn vocabulary_with(
    ledger: &Ledger,
    number: BoardNumber,
    board: &Board,
    fresh: AttributeDeclaration,
) -> Result<Vocabulary, AppError> {
    let mut declarations = all(ledger, number, board)?;
    declarations.retain(|declaration| declaration.name != fresh.name);
    let mut others = with(board, &declarations);
    others.declare_attribute(fresh.clone()).map_err(|error| {
        Denied::new(Reason::FieldInvalid, format!("field `aliases`: {error}"))
            .with("field", "aliases")
            .with("attribute", &fresh.name)
    })?;
    declarations.push(fresh);
    declarations.sort_by(|left, right| left.name.cmp(&right.name));
    Ok(with(board, &declarations))
}

fn all(
    ledger: &Ledger,
    number: BoardNumber,
    board: &Board,
) -> Result<Vec<AttributeDeclaration>, StoreError> {
    let attributes = board.attributes.iter();
    attributes
        .map(|(name, attribute)| read(ledger, number, name, attribute))
        .collect()
}

fn with(board: &Board, declarations: &[AttributeDeclaration]) -> Vocabulary {
    let mut vocabulary = Vocabulary::shipped();
    for declaration in declarations {
        if let Err(error) = vocabulary.declare_attribute(declaration.clone()) {
            let (board, attribute) = (&board.name, &declaration.name);
            tracing::warn!(%board, attribute, %error, "an attribute is left out");
        }
    }
    vocabulary
}

fn read(
    ledger: &Ledger,
    number: BoardNumber,
    name: &AttributeName,
    attribute: &Attribute,
) -> Result<AttributeDeclaration, StoreError> {
    let words = ledger.words(number, attribute.position, attribute.definition)?;
    let words = words.and_then(|words| AttributeWords::decode(words.bytes()).ok());
    let (kind, multi_valued) = (attribute.value_type, attribute.multi_valued);
    Ok(declared(
        name,
        kind,
        multi_valued,
        words.unwrap_or_default(),
    ))
}

/// The checker's word for a type of value.
fn kind(value_type: ValueType) -> AttributeKind {
    match value_type {
        ValueType::Decimal => AttributeKind::Decimal,
        ValueType::Text => AttributeKind::Text,
        ValueType::Boolean => AttributeKind::Boolean,
        ValueType::Date => AttributeKind::Date,
        ValueType::Range => AttributeKind::Range,
        ValueType::Enum => AttributeKind::Enum,
    }
}
