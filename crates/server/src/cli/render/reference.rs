//! Reference tables, authorities, and what they say.

use pawl_proto::v1::{
    Authority, ListAuthoritiesResponse, ListRowsResponse, ListTablesResponse, LookUpResponse,
    MountTableResponse, Reference, Table, TableVersion, WhenUnavailable,
};

use super::{
    assertion::more,
    table::{Fields, plain, table as laid_out},
    words,
};
use crate::cli::{output::Page, text, tone::Tone};

/// Where a row or an answer stands: `figures#7`, or `authority registry (l1)`.
pub(crate) fn name(reference: &Reference) -> String {
    if !reference.table.is_empty() {
        return format!("{}#{}", words::id(&reference.table), reference.line);
    }
    let authority = words::id(&reference.authority);
    match reference.lookup.as_str() {
        "" => format!("authority {authority}"),
        lookup => format!("authority {authority} ({lookup})"),
    }
}

pub(crate) fn mounted(mounted: &MountTableResponse, page: Page) -> String {
    let mut out = match &mounted.table {
        Some(mounted) => table(mounted, page),
        None => format!("{} good rows; nothing was mounted\n", mounted.rows),
    };
    let contradicted = mounted.contradicted.iter().map(|it| words::id(it));
    let contradicted: Vec<&str> = contradicted.collect();
    if !contradicted.is_empty() {
        let line = format!("it contradicts what stands: {}", contradicted.join(", "));
        out.push_str(&Tone::Warning.paint(line));
        out.push('\n');
    }
    out
}

pub(crate) fn table(table: &Table, page: Page) -> String {
    let latest = table.versions.first().cloned().unwrap_or_default();
    let heading = format!("table {}", words::id(&table.name));
    let columns = latest.columns.iter();
    let columns: Vec<String> = columns
        .map(|(meaning, column)| format!("{meaning}={column}"))
        .collect();
    Fields::new(page, &heading)
        .add("state", state(table))
        .add("version", latest.version)
        .add("rows", latest.rows)
        .add("source", words::digest(&latest.source))
        .add("columns", columns.join(", "))
        .add("about", &latest.description)
        .add("mounted by", &latest.principal)
        .add("at", words::time(latest.create_time))
        .text()
}

pub(crate) fn tables(list: &ListTablesResponse, page: Page) -> String {
    let headings = ["TABLE", "STATE", "VERSION", "ROWS", "SOURCE", "BY", "ABOUT"];
    let rows = list.tables.iter().flat_map(|table| {
        let line = |(place, it): (usize, &TableVersion)| {
            let state = if place == 0 { state(table) } else { "earlier" };
            vec![
                plain(words::id(&table.name)),
                plain(state),
                plain(it.version),
                plain(it.rows),
                plain(words::digest(&it.source)),
                plain(&it.principal),
                plain(text::headline(&it.description, 60)),
            ]
        };
        table.versions.iter().enumerate().map(line)
    });
    laid_out(
        page,
        "no tables: mount one with `pawl table mount NAME SOURCE`",
        &headings,
        rows.collect(),
    )
}

fn state(table: &Table) -> &'static str {
    if table.mounted {
        "mounted"
    } else {
        "unmounted"
    }
}

pub(crate) fn rows(list: &ListRowsResponse, page: Page) -> String {
    let rows = list.rows.iter().map(|row| {
        let said = row.reference.clone().unwrap_or_default();
        vec![
            plain(&row.id),
            plain(text::headline(&said.content, 160)),
            plain(&said.vouched_by),
        ]
    });
    laid_out(
        page,
        "no rows",
        &["ROW", "SAYS", "AUTHORITY"],
        rows.collect(),
    ) + &more(&list.next_page_token)
}

pub(crate) fn authority(authority: &Authority, page: Page) -> String {
    let heading = format!("authority {}", words::id(&authority.name));
    Fields::new(page, &heading)
        .add("asked at", &authority.url)
        .add("about", words::list(&authority.attributes))
        .add("unavailable", unavailable(authority))
        .add("description", &authority.description)
        .text()
}

pub(crate) fn authorities(list: &ListAuthoritiesResponse, page: Page) -> String {
    let rows = list.authorities.iter().map(|it| {
        vec![
            plain(words::id(&it.name)),
            plain(&it.url),
            plain(words::list(&it.attributes)),
            plain(unavailable(it)),
        ]
    });
    laid_out(
        page,
        "no authorities: declare one with `pawl authority declare NAME`",
        &["AUTHORITY", "ASKED AT", "ABOUT", "UNAVAILABLE"],
        rows.collect(),
    )
}

fn unavailable(authority: &Authority) -> &'static str {
    match authority.when_unavailable() {
        WhenUnavailable::Refuse => "nothing is taken in",
        WhenUnavailable::Note | WhenUnavailable::Unspecified => "noted",
    }
}

pub(crate) fn found(found: &LookUpResponse, page: Page) -> String {
    let rows = found.found.iter().map(|it| {
        vec![
            plain(name(it)),
            plain(text::headline(&it.content, 160)),
            plain(&it.vouched_by),
        ]
    });
    let headings = ["WHERE", "SAYS", "AUTHORITY"];
    let mut out = laid_out(page, "nothing is said of it", &headings, rows.collect());
    for line in &found.unavailable {
        let line = format!("could not be asked: {line}");
        out.push_str(&Tone::Warning.paint(line));
        out.push('\n');
    }
    out
}
