//! What one board declares on top of the shipped lexicon: attributes, opposites, exclusive sets, entity aliases.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use crate::lexicon::{FILES, Lexicon, shipped};
use crate::text::normalise::normalise;
use crate::text::term::Term;

/// The most aliases, members or names one declaration may bring.
pub const MAX_MEMBERS: usize = 1_000;

/// What kind of value an attribute holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AttributeKind {
    /// A number.
    Decimal,
    /// Free text.
    Text,
    /// True or false.
    Boolean,
    /// A date of any precision.
    Date,
    /// A range of numbers.
    Range,
    /// One word of a closed list.
    Enum,
}

/// An attribute as a board declares it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttributeDeclaration {
    /// Its name.
    pub name: String,
    /// What kind of value it holds.
    pub kind: AttributeKind,
    /// The unit of values that are written without one.
    pub unit: Option<String>,
    /// Other names for it.
    pub aliases: Vec<String>,
    /// Whether several values may stand side by side; then no two of them conflict.
    pub multi_valued: bool,
}

/// Why a declaration is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VocabularyError {
    /// A name is empty or longer than five words.
    #[error("`{name}` is empty or longer than five words: declare a shorter name")]
    Name {
        /// The name.
        name: String,
    },
    /// A name already belongs to something else.
    #[error("`{name}` already stands for `{taken_by}`: choose another name or alias")]
    Taken {
        /// The name.
        name: String,
        /// What it stands for.
        taken_by: String,
    },
    /// More members than one declaration may bring.
    #[error("`{count}` members are more than the limit of 1000: split the declaration")]
    TooMany {
        /// How many there are.
        count: usize,
    },
    /// No room for another pair or set.
    #[error("the vocabulary is full: {reason}")]
    Full {
        /// What ran out.
        reason: &'static str,
    },
}

/// The shipped lexicon and a board's own declarations, compiled.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    lexicon: Arc<Lexicon>,
    attributes: BTreeMap<String, AttributeDeclaration>,
    attribute_names: BTreeMap<String, String>,
    entity_names: BTreeMap<String, String>,
    /// Every declaration in the order it was made, for the digest.
    declared: Vec<String>,
    /// Made when it is first asked for.
    digest: OnceLock<[u8; 32]>,
}

impl Vocabulary {
    /// The vocabulary of a board that declares nothing.
    pub fn shipped() -> Self {
        Self {
            lexicon: shipped(),
            attributes: BTreeMap::new(),
            attribute_names: BTreeMap::new(),
            entity_names: BTreeMap::new(),
            declared: Vec::new(),
            digest: OnceLock::new(),
        }
    }

    /// Declares an attribute; a second declaration of the same name replaces the first.
    pub fn declare_attribute(
        &mut self,
        declaration: AttributeDeclaration,
    ) -> Result<(), VocabularyError> {
        limit(declaration.aliases.len())?;
        let name = named(&declaration.name)?;
        let names = declaration
            .aliases
            .iter()
            .map(|alias| named(alias))
            .chain([Ok(name.clone())]);
        let names = names.collect::<Result<Vec<_>, _>>()?;
        for alias in &names {
            if let Some(taken_by) = self
                .attribute_names
                .get(alias)
                .filter(|taken_by| **taken_by != name)
            {
                return Err(VocabularyError::Taken {
                    name: alias.clone(),
                    taken_by: taken_by.clone(),
                });
            }
        }
        self.attribute_names.retain(|_, declared| *declared != name);
        for alias in names {
            self.attribute_names.insert(alias, name.clone());
        }
        self.note(format!("attribute {declaration:?}"));
        self.attributes.insert(name, declaration);
        Ok(())
    }

    /// Adds a pair of opposite sides: words of one side count as the same, of two sides as opposite.
    pub fn add_opposites(&mut self, left: &[&str], right: &[&str]) -> Result<(), VocabularyError> {
        limit(left.len() + right.len())?;
        let (left, right) = (all_named(left)?, all_named(right)?);
        self.note(format!("opposites {left:?} {right:?}"));
        Arc::make_mut(&mut self.lexicon)
            .add_opposites(
                left.iter().map(String::as_str),
                right.iter().map(String::as_str),
                false,
            )
            .map_err(|reason| VocabularyError::Full { reason })
    }

    /// Adds a set of which one thing has at most one member; two members are an exact finding.
    pub fn add_exclusive_set(
        &mut self,
        name: &str,
        members: &[&str],
    ) -> Result<(), VocabularyError> {
        limit(members.len())?;
        let members = all_named(members)?;
        self.declared
            .push(format!("exclusive {name:?} {members:?}"));
        Arc::make_mut(&mut self.lexicon)
            .add_exclusive(name, members.iter().map(String::as_str), true)
            .map_err(|reason| VocabularyError::Full { reason })
    }

    /// Adds another name for an entity.
    pub fn add_alias(&mut self, entity: &str, alias: &str) -> Result<(), VocabularyError> {
        let (entity, alias) = (named(entity)?, named(alias)?);
        let entity = self.entity(&entity);
        if let Some(taken_by) = self
            .entity_names
            .get(&alias)
            .filter(|taken_by| **taken_by != entity)
        {
            return Err(VocabularyError::Taken {
                name: alias,
                taken_by: taken_by.clone(),
            });
        }
        self.note(format!("alias {entity:?} {alias:?}"));
        let lexicon = Arc::make_mut(&mut self.lexicon);
        for name in [&entity, &alias] {
            let phrase = lexicon.phrase(name);
            if !lexicon.aliases.put(&phrase, Term::of(&entity)) {
                return Err(VocabularyError::Name { name: name.clone() });
            }
        }
        self.entity_names.insert(alias, entity);
        Ok(())
    }

    /// The digest of all data that judging rests on, recorded with each verdict.
    pub fn digest(&self) -> [u8; 32] {
        *self.digest.get_or_init(|| self.hashed())
    }

    fn note(&mut self, declaration: String) {
        self.declared.push(declaration);
        self.digest = OnceLock::new();
    }

    fn hashed(&self) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new_derive_key("pawl checker vocabulary v1");
        let shipped = FILES.iter().flat_map(|(name, text)| [*name, *text]);
        for part in shipped.chain(self.declared.iter().map(String::as_str)) {
            hasher.update(&u64::try_from(part.len()).unwrap_or(u64::MAX).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        *hasher.finalize().as_bytes()
    }

    pub(crate) fn lexicon(&self) -> &Lexicon {
        &self.lexicon
    }

    /// The name an entity is known by: normalised, its alias resolved.
    pub(crate) fn entity(&self, name: &str) -> String {
        let name = normalise(name);
        self.entity_names.get(&name).cloned().unwrap_or(name)
    }

    /// The name an attribute is known by: normalised, underscores as spaces, its alias resolved.
    pub(crate) fn attribute(&self, name: &str) -> String {
        let name = normalise(&name.replace('_', " "));
        self.attribute_names.get(&name).cloned().unwrap_or(name)
    }

    /// The name under which an attribute was declared, by that name or an alias; none for one that was not.
    pub fn declared_attribute(&self, name: &str) -> Option<&str> {
        let declaration = self.declaration(&self.attribute(name))?;
        Some(&declaration.name)
    }

    /// The declaration of an attribute, by the name `attribute` gives.
    pub(crate) fn declaration(&self, attribute: &str) -> Option<&AttributeDeclaration> {
        self.attributes.get(attribute)
    }
}

fn limit(count: usize) -> Result<(), VocabularyError> {
    if count > MAX_MEMBERS {
        Err(VocabularyError::TooMany { count })
    } else {
        Ok(())
    }
}

fn named(name: &str) -> Result<String, VocabularyError> {
    let normalised = normalise(&name.replace('_', " "));
    if normalised.is_empty() {
        return Err(VocabularyError::Name {
            name: name.to_owned(),
        });
    }
    Ok(normalised)
}

fn all_named(names: &[&str]) -> Result<Vec<String>, VocabularyError> {
    names.iter().map(|name| named(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_change_the_digest_and_clashes_are_refused() {
        let mut vocabulary = Vocabulary::shipped();
        let before = vocabulary.digest();
        vocabulary.add_alias("Norway", "Kingdom of Norway").unwrap();
        assert_ne!(before, vocabulary.digest());
        assert_eq!(vocabulary.entity("kingdom of  norway"), "norway");
        let taken = vocabulary
            .add_alias("Sweden", "Kingdom of Norway")
            .unwrap_err();
        assert!(matches!(taken, VocabularyError::Taken { .. }), "{taken}");
        assert!(vocabulary.add_exclusive_set("x", &[" "]).is_err());
    }

    #[test]
    fn attributes_are_found_as_they_were_declared() {
        let mut vocabulary = Vocabulary::shipped();
        let declaration = AttributeDeclaration {
            name: "solar_capacity".to_owned(),
            kind: AttributeKind::Decimal,
            unit: Some("GW".to_owned()),
            aliases: vec!["光伏装机容量".to_owned()],
            multi_valued: false,
        };
        vocabulary.declare_attribute(declaration).unwrap();
        let check = |name, expected| assert_eq!(vocabulary.declared_attribute(name), expected);
        check("solar_capacity", Some("solar_capacity"));
        check("Solar Capacity", Some("solar_capacity"));
        check("光伏装机容量", Some("solar_capacity"));
        check("wind_capacity", None);
    }
}
