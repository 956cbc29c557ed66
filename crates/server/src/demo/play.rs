//! Plays a story: each step is done, held against what has to come of it, and told.

use serde_json::{Value, json};

use super::{
    DemoError,
    act::Answer,
    expectation::Expectation,
    names::Names,
    stage::Stage,
    story::{Act, Chapter, House, Step, Story},
    telling::Teller,
};
/// What came of a story.
pub(crate) struct Played {
    /// Every step as data: what was done, expected and got.
    pub(crate) steps: Vec<Value>,
    /// The figures of the last count.
    pub(crate) figures: Value,
    /// The same for people.
    pub(crate) told: String,
    /// How many steps did not come out as they should.
    pub(crate) failed: usize,
}

/// What did not come out as it should.
#[derive(Debug)]
pub(crate) struct Unmet {
    /// Where in the answer (a JSON pointer).
    pub(crate) at: String,
    /// What should stand there.
    pub(crate) expected: Value,
    /// What does.
    pub(crate) got: Value,
}

/// Plays a story to its end, whatever comes of single steps.
pub(crate) async fn play(
    story: &Story,
    stage: &mut Stage,
    teller: &mut Teller<'_>,
) -> Result<Played, DemoError> {
    let mut played = Played {
        steps: Vec::new(),
        figures: Value::Null,
        told: String::new(),
        failed: 0,
    };
    let mut names = Names::default();
    for chapter in &story.chapters {
        teller.chapter(chapter)?;
        for step in &chapter.steps {
            let act = serde_json::to_value(&step.act)?;
            let done = names.resolve(&act).unwrap_or(act);
            let mut answer = stage
                .act(&step.who, &step.act, &names, teller.page())
                .await?;
            if let Act::House(House::Count) = step.act {
                // The story ends with these.
                played.figures = answer.value.clone();
                played.told = std::mem::take(&mut answer.text);
            }
            let unmet = unmet(step, &answer, &names);
            for (name, at) in &step.names {
                names.bind(name, answer.value.pointer(at));
            }
            let number = played.steps.len() + 1;
            teller.step(number, step, &answer.text, &unmet)?;
            played.failed += usize::from(!unmet.is_empty());
            let told = told(number, chapter, step, &done, &answer, &unmet);
            played.steps.push(told?);
        }
    }
    Ok(played)
}

/// A step as data.
fn told(
    number: usize,
    chapter: &Chapter,
    step: &Step,
    done: &Value,
    answer: &Answer,
    unmet: &[Unmet],
) -> Result<Value, DemoError> {
    Ok(json!({
        "step": number,
        "chapter": chapter.title,
        "who": step.who,
        "does": step.does,
        "act": done,
        "expected": serde_json::to_value(&step.expect)?,
        "got": answer.value,
        "unmet": unmet.iter().map(Unmet::as_data).collect::<Vec<_>>(),
        "ok": unmet.is_empty(),
    }))
}

impl Unmet {
    fn as_data(&self) -> Value {
        json!({"at": self.at, "expected": self.expected, "got": self.got})
    }
}

/// Holds an answer against what has to come of the step. A failure that was not expected is unmet too.
fn unmet(step: &Step, answer: &Answer, names: &Names) -> Vec<Unmet> {
    let mut unmet: Vec<Unmet> = step
        .expect
        .iter()
        .filter_map(|(at, expectation)| look(at, expectation, answer, names))
        .collect();
    let expected = |at: &str| step.expect.keys().any(|key| key.starts_with(at));
    let unexpected = errors(&answer.value)
        .into_iter()
        .filter(|(at, _)| !expected(at))
        .map(|(at, error)| Unmet {
            at,
            expected: Value::Null,
            got: error.clone(),
        });
    unmet.extend(unexpected);
    unmet
}

/// The failures in an answer, or in each of several, with where they stand.
fn errors(answer: &Value) -> Vec<(String, &Value)> {
    let found = match answer {
        Value::Array(answers) => {
            let numbered = answers.iter().enumerate();
            numbered
                .map(|(number, answer)| (format!("/{number}/error"), answer.get("error")))
                .collect()
        }
        one => vec![("/error".to_owned(), one.get("error"))],
    };
    let failed = |(at, error): (String, Option<_>)| Some((at, error?));
    found.into_iter().filter_map(failed).collect()
}

fn look(at: &str, expectation: &Expectation, answer: &Answer, names: &Names) -> Option<Unmet> {
    let got = answer.value.pointer(at);
    let resolved = expectation.resolved(names);
    if resolved.as_ref().is_ok_and(|resolved| resolved.holds(got)) {
        return None;
    }
    let expected = match resolved {
        Ok(resolved) => serde_json::to_value(resolved).unwrap_or_default(),
        Err(unbound) => Value::String(unbound.to_string()),
    };
    Some(Unmet {
        at: at.to_owned(),
        expected,
        got: got.cloned().unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(expect: &Value) -> Step {
        let step = json!({"who": "ana", "does": "asks", "act": "count", "expect": expect});
        serde_json::from_value(step).expect("a step")
    }

    #[test]
    fn a_step_fails_where_anything_is_not_as_expected() {
        let check = |expect: Value, got: Value, expected: &[&str]| {
            let answer = Answer {
                value: got,
                text: String::new(),
            };
            let unmet = unmet(&step(&expect), &answer, &Names::default());
            let places: Vec<_> = unmet.iter().map(|unmet| unmet.at.as_str()).collect();
            assert_eq!(places, expected);
        };
        check(json!({"/a": 1}), json!({"a": 1}), &[]);
        check(
            json!({"/a": 1, "/b/0": 2}),
            json!({"a": 2, "b": [3]}),
            &["/a", "/b/0"],
        );
        check(json!({"/a": 1}), json!({}), &["/a"]);
        check(
            json!({}),
            json!({"error": {"reason": "LOCKED"}}),
            &["/error"],
        );
        check(
            json!({"/0/a": 1}),
            json!([{"a": 1}, {"error": {"reason": "LOCKED"}}]),
            &["/1/error"],
        );
        check(
            json!({"/error/reason": "LOCKED"}),
            json!({"error": {"reason": "LOCKED"}}),
            &[],
        );
        check(
            json!({"/a": "{unbound}"}),
            json!({"a": "{unbound}"}),
            &["/a"],
        );
    }
}
