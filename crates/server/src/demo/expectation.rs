//! What an answer has to hold.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::names::{Names, Unbound};

/// What has to stand at one place of an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Expectation {
    /// Something of this kind.
    Rule(Rule),
    /// Exactly this.
    Exactly(Value),
}

/// What is less than a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Rule {
    /// A text with this in it; of anything else, its JSON.
    Contains(String),
    /// A text or JSON without this in it.
    Lacks(String),
    /// A number of at least so much, or a list of at least so many.
    AtLeast(u64),
    /// A list of so many.
    Count(u64),
}

impl Expectation {
    /// Puts in what earlier steps named.
    pub(crate) fn resolved(&self, names: &Names) -> Result<Self, Unbound> {
        Ok(match self {
            Self::Rule(Rule::Contains(part)) => Self::Rule(Rule::Contains(names.fill(part)?)),
            Self::Rule(Rule::Lacks(part)) => Self::Rule(Rule::Lacks(names.fill(part)?)),
            Self::Rule(rule) => Self::Rule(rule.clone()),
            Self::Exactly(value) => Self::Exactly(names.resolve(value)?),
        })
    }

    /// Says whether it holds; nothing there is as good as null.
    pub(crate) fn holds(&self, got: Option<&Value>) -> bool {
        let got = got.unwrap_or(&Value::Null);
        match self {
            Self::Exactly(value) => value == got,
            Self::Rule(Rule::Contains(part)) => shown(got).contains(part),
            Self::Rule(Rule::Lacks(part)) => !got.is_null() && !shown(got).contains(part),
            Self::Rule(Rule::AtLeast(least)) => size(got).is_some_and(|size| size >= *least),
            Self::Rule(Rule::Count(count)) => got.is_array() && size(got) == Some(*count),
        }
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn size(value: &Value) -> Option<u64> {
    match value {
        Value::Array(items) => u64::try_from(items.len()).ok(),
        other => other.as_u64(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_expectation_can_fail() {
        let check = |expected: Value, got: Value, holds: bool| {
            let expectation: Expectation =
                serde_json::from_value(expected.clone()).expect("an expectation");
            assert_eq!(expectation.holds(Some(&got)), holds, "{expected} of {got}");
        };
        check(json!("VERDICT_ACCEPTED"), json!("VERDICT_ACCEPTED"), true);
        check(json!("VERDICT_ACCEPTED"), json!("VERDICT_REFUSED"), false);
        check(json!({"contains": "flag"}), json!(["flag it"]), true);
        check(json!({"contains": "flag"}), json!(["wait"]), false);
        check(json!({"lacks": "flag"}), json!("wait"), true);
        check(json!({"lacks": "flag"}), json!("flag it"), false);
        check(json!({"lacks": "flag"}), Value::Null, false);
        check(json!({"at_least": 2}), json!([1, 2, 3]), true);
        check(json!({"at_least": 2}), json!(1), false);
        check(json!({"count": 2}), json!([1, 2]), true);
        check(json!({"count": 2}), json!(2), false);
        check(json!(""), Value::Null, false);
        check(Value::Null, Value::Null, true);
    }
}
