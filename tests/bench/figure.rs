//! A measured figure beside its limit, and how they are printed.

use serde_json::json;

use crate::machine;

/// What a ratio has to be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Goal {
    /// At least.
    Least(f64),
    /// At most.
    Most(f64),
    /// It is only told.
    None,
}

/// A figure.
#[derive(Clone, Debug)]
pub(crate) struct Figure {
    pub(crate) name: String,
    pub(crate) value: f64,
    pub(crate) unit: &'static str,
    /// What bounds it: the name and the value.
    pub(crate) baseline: Option<(String, f64)>,
    pub(crate) ratio: Option<f64>,
    pub(crate) goal: Goal,
}

impl Figure {
    /// A figure that is only told.
    pub(crate) fn told(name: impl Into<String>, value: f64, unit: &'static str) -> Self {
        Self {
            name: name.into(),
            value,
            unit,
            baseline: None,
            ratio: None,
            goal: Goal::None,
        }
    }

    /// Sets it beside a limit: the ratio is value to limit.
    pub(crate) fn beside(mut self, name: impl Into<String>, limit: f64, goal: Goal) -> Self {
        self.ratio = Some(self.value / limit);
        self.baseline = Some((name.into(), limit));
        self.goal = goal;
        self
    }

    /// Whether it reaches its goal; none where it has none.
    fn met(&self) -> Option<bool> {
        let measured = self.ratio.unwrap_or(self.value);
        match self.goal {
            Goal::Least(least) => Some(measured >= least),
            Goal::Most(most) => Some(measured <= most),
            Goal::None => None,
        }
    }

    fn goal(&self) -> Option<String> {
        match self.goal {
            Goal::Least(least) => Some(format!(">= {least}")),
            Goal::Most(most) => Some(format!("<= {most}")),
            Goal::None => None,
        }
    }
}

/// All figures of a run.
pub(crate) struct Report {
    figures: Vec<Figure>,
    machine: serde_json::Value,
}

impl Report {
    pub(crate) fn new() -> Self {
        Self {
            figures: Vec::new(),
            machine: machine::describe(),
        }
    }

    /// Prints a figure as a line of JSON and keeps it for the table.
    pub(crate) fn add(&mut self, figure: Figure) {
        let baseline = figure
            .baseline
            .as_ref()
            .map(|(name, value)| json!({"name": name, "value": rounded(*value)}));
        let line = json!({
            "name": figure.name,
            "value": rounded(figure.value),
            "unit": figure.unit,
            "baseline": baseline,
            "ratio": figure.ratio.map(rounded),
            "goal": figure.goal(),
            "met": figure.met(),
            "machine": self.machine,
        });
        println!("{line}");
        self.figures.push(figure);
    }

    /// Prints everything for a person.
    pub(crate) fn table(&self) {
        eprintln!();
        for figure in &self.figures {
            let told = match figure.met() {
                Some(true) => "met ",
                Some(false) => "MISS",
                None => "    ",
            };
            let beside = figure
                .baseline
                .as_ref()
                .map(|(name, value)| format!("{} {name}", number(*value)));
            eprintln!(
                "{told}  {:<58} {:>12} {:<10} {:>7} {:<8} {}",
                figure.name,
                number(figure.value),
                figure.unit,
                figure
                    .ratio
                    .map(|it| format!("{it:.2}"))
                    .unwrap_or_default(),
                figure.goal().unwrap_or_default(),
                beside.unwrap_or_default(),
            );
        }
    }
}

fn rounded(value: f64) -> f64 {
    (value * 1_000.0).round() / 1_000.0
}

fn number(value: f64) -> String {
    match value.abs() {
        0.0..10.0 => format!("{value:.2}"),
        10.0..1_000.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

/// The value below which a share of the sorted values lies.
pub(crate) fn percentile(sorted: &[f64], share: f64) -> f64 {
    let place = (sorted.len() as f64 * share).ceil() as usize;
    sorted[place.clamp(1, sorted.len()) - 1]
}
