//! Principals and tokens.

use pawl_proto::v1::{
    ListPrincipalsResponse, ListTokensResponse, Principal, Token, WhoAmIResponse,
};

use super::{
    table::{Fields, plain, table},
    words,
};
use crate::cli::{output::Page, tone::Tone};

pub(crate) fn who_am_i(answer: &WhoAmIResponse, page: Page) -> String {
    let me = answer.principal.clone().unwrap_or_default();
    let mut fields = principal_fields(&me, page);
    for (board, roles) in &answer.roles {
        fields = fields.add(board, words::roles(&roles.roles));
    }
    fields.text()
}

fn principal_fields(principal: &Principal, page: Page) -> Fields {
    let server = if principal.server_operator {
        "server operator"
    } else {
        ""
    };
    Fields::new(page, &format!("principal {}", principal.principal))
        .add("description", &principal.description)
        .add_toned("may", server, Tone::Warning)
        .add("created", words::time(principal.create_time))
}

pub(crate) fn principals(list: &ListPrincipalsResponse, page: Page) -> String {
    let headings = ["PRINCIPAL", "SERVER OPERATOR", "CREATED", "DESCRIPTION"];
    let rows = list.principals.iter().map(|principal| {
        vec![
            plain(&principal.principal),
            plain(words::yes(principal.server_operator)),
            plain(words::time(principal.create_time)),
            plain(&principal.description),
        ]
    });
    table(page, "no principals", &headings, rows.collect())
}

pub(crate) fn token(token: &Token, page: Page) -> String {
    Fields::new(page, &format!("token {}", token.token))
        .add("principal", &token.principal)
        .add("issued", words::time(token.create_time))
        .add("expires", words::time(token.expire_time))
        .add_toned("revoked", words::time(token.revoke_time), Tone::Bad)
        .text()
}

pub(crate) fn tokens(list: &ListTokensResponse, page: Page) -> String {
    let headings = ["TOKEN", "PRINCIPAL", "ISSUED", "EXPIRES", "REVOKED"];
    let rows = list.tokens.iter().map(|token| {
        let expires = token
            .expire_time
            .map_or("never".to_owned(), |time| words::time(Some(time)));
        vec![
            plain(&token.token),
            plain(&token.principal),
            plain(words::time(token.create_time)),
            plain(expires),
            Tone::Bad.cell(words::time(token.revoke_time)),
        ]
    });
    table(page, "no tokens", &headings, rows.collect())
}
