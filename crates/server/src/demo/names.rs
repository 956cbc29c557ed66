//! What earlier steps made, by the names later steps use for it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Ids by name.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Names(BTreeMap<String, String>);

/// Something was to be used that no step named.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` names nothing: the step that was to name it did not come out as it should")]
pub(crate) struct Unbound(String);

impl Names {
    /// Names what stands somewhere in an answer; of a resource name, its id. Nothing where nothing stands there.
    pub(crate) fn bind(&mut self, name: &str, found: Option<&Value>) {
        let id = match found {
            Some(Value::String(text)) => text.rsplit('/').next().unwrap_or(text).to_owned(),
            Some(Value::Number(number)) => number.to_string(),
            _ => return,
        };
        if !id.is_empty() {
            self.0.insert(name.to_owned(), id);
        }
    }

    /// Puts ids in the place of names in every text of a value.
    pub(crate) fn resolve(&self, value: &Value) -> Result<Value, Unbound> {
        Ok(match value {
            Value::String(text) => Value::String(self.fill(text)?),
            Value::Array(items) => {
                let items: Result<_, _> = items.iter().map(|item| self.resolve(item)).collect();
                Value::Array(items?)
            }
            Value::Object(fields) => {
                let fields: Result<_, _> = fields
                    .iter()
                    .map(|(key, value)| Ok((key.clone(), self.resolve(value)?)))
                    .collect();
                Value::Object(fields?)
            }
            other => other.clone(),
        })
    }

    /// Puts ids in the place of names in a text.
    pub(crate) fn fill(&self, text: &str) -> Result<String, Unbound> {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let Some((name, after)) = after.split_once('}') else {
                break;
            };
            out.push_str(before);
            let id = self.0.get(name);
            out.push_str(id.ok_or_else(|| Unbound(name.to_owned()))?);
            rest = after;
        }
        out.push_str(rest);
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_stand_for_ids() {
        let mut names = Names::default();
        names.bind("solar", Some(&json!("boards/demo/assertions/a3@1")));
        names.bind("position", Some(&json!(17)));
        names.bind("nothing", Some(&json!("")));
        let resolved =
            names.resolve(&json!({"supports": ["{solar}"], "base": "{position}", "n": 1}));
        assert_eq!(
            resolved,
            Ok(json!({"supports": ["a3@1"], "base": "17", "n": 1}))
        );
        assert_eq!(names.fill("{nothing}"), Err(Unbound("nothing".to_owned())));
        assert_eq!(
            names.fill("an open { brace"),
            Ok("an open { brace".to_owned())
        );
    }
}
