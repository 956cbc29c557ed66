//! The rules by which a board decides conflicts.

use pawl_proto::v1::{ResolutionRules, SetResolutionRulesResponse};

use super::{table::Fields, words};
use crate::cli::output::Page;

pub(crate) fn rules(rules: &ResolutionRules, page: Page) -> String {
    if rules.order.is_empty() {
        return "no rules: an arbiter decides every conflict\n".to_owned();
    }
    let mut fields = Fields::new(page, "rules, in the order they are asked");
    for (number, rule) in (1..).zip(&rules.order) {
        fields = fields.add(&number.to_string(), words::rule(*rule));
    }
    for (number, rank) in (1..).zip(&rules.authority) {
        fields = fields.add(&format!("rank {number}"), rank.sources.join(", "));
    }
    fields.text()
}

pub(crate) fn set(set: &SetResolutionRulesResponse, page: Page) -> String {
    let mut text = rules(&set.rules.clone().unwrap_or_default(), page);
    if set.decided_count > 0 {
        let decided: Vec<&str> = set.decided.iter().map(|it| words::id(it)).collect();
        text.push_str(&format!("decided at once: {}\n", decided.join(", ")));
    }
    text
}
