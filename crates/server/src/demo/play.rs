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
use crate::cli::{failure::Failure, report};

/// What came of a story.
pub(crate) struct Played {
    /// Every step as data: what was done, expected and got.
    pub(crate) steps: Vec<Value>,
    /// The figures of the last count.
    pub(crate) figures: Value,
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
        failed: 0,
    };
    let mut names = Names::default();
    for chapter in &story.chapters {
        teller.chapter(chapter)?;
        for step in &chapter.steps {
            let number = played.steps.len() + 1;
            let answer = stage
                .act(&step.who, &step.act, &names, teller.page())
                .await?;
            let unmet = unmet(step, &answer, &names);
            for (name, at) in &step.names {
                names.bind(name, answer.value.pointer(at));
            }
            teller.step(number, step, &answer.text, &unmet)?;
            played.take(chapter, number, step, answer, &unmet)?;
        }
    }
    Ok(played)
}

impl Played {
    fn take(
        &mut self,
        chapter: &Chapter,
        number: usize,
        step: &Step,
        answer: Answer,
        unmet: &[Unmet],
    ) -> Result<(), DemoError> {
        if let Act::House(House::Count) = step.act {
            self.figures = answer.value.clone();
        }
        self.failed += usize::from(!unmet.is_empty());
        self.steps.push(json!({
            "step": number,
            "chapter": chapter.title,
            "who": step.who,
            "does": step.does,
            "act": serde_json::to_value(&step.act)?,
            "expected": serde_json::to_value(&step.expect)?,
            "got": answer.value,
            "unmet": unmet.iter().map(Unmet::as_data).collect::<Vec<_>>(),
            "ok": unmet.is_empty(),
        }));
        Ok(())
    }
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
    let error = answer.value.get("error").filter(|error| !error.is_null());
    let expects_error = step.expect.keys().any(|at| at.starts_with("/error"));
    if let Some(error) = error.filter(|_| !expects_error) {
        unmet.push(Unmet {
            at: "/error".to_owned(),
            expected: Value::Null,
            got: error.clone(),
        });
    }
    unmet
}

fn look(at: &str, expectation: &Expectation, answer: &Answer, names: &Names) -> Option<Unmet> {
    let got = answer.value.pointer(at);
    let resolved = expectation.resolved(names);
    if resolved.as_ref().is_ok_and(|resolved| resolved.holds(got)) {
        return None;
    }
    let expected = match resolved {
        Ok(resolved) => serde_json::to_value(resolved).unwrap_or_default(),
        Err(unbound) => report::as_data(&Failure::Answer(unbound.to_string())),
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

    fn step(expect: Value) -> Step {
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
            let unmet = unmet(&step(expect), &answer, &Names::default());
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
