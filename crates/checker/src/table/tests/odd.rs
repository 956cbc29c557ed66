//! Tables of anything.

use proptest::prelude::*;

use super::{comparing::statement, *};

fn cell() -> impl Strategy<Value = String> {
    "[a-zA-Z0-9 ,\"\n.£é中-]{0,12}"
}

proptest! {
    #[test]
    fn arbitrary_bytes_do_no_harm(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = read(&bytes, Format::Csv, &Columns::default(), MOST);
        let _ = read(&bytes, Format::JsonLines, &Columns::default(), MOST);
    }

    #[test]
    fn tables_of_odd_texts_do_no_harm(cells in proptest::collection::vec(".{0,9}", 4..20)) {
        let text = format!("subject,attribute,value,unit\n{}", cells.join(","));
        if let Ok(rows) = csv(&text) {
            let vocabulary = vocabulary();
            let _ = check(&rows, &vocabulary);
            let new = statement(&sentence(&rows[0]), None);
            let _ = TableIndex::new(rows, &vocabulary).judge(&new, &vocabulary);
        }
    }

    #[test]
    fn what_was_written_is_read(rows in proptest::collection::vec((cell(), cell(), cell(), cell()), 1..9)) {
        let rows: Vec<_> = rows
            .into_iter()
            .map(|(subject, attribute, value, region)| Row {
                subject: format!("s{}", subject.trim()),
                attribute: format!("a{}", attribute.trim()),
                value: format!("v{}", value.trim()),
                qualifiers: Some(("region".to_owned(), region.trim().to_owned()))
                    .filter(|(_, text)| !text.is_empty())
                    .into_iter()
                    .collect(),
                ..Row::default()
            })
            .collect();
        let mut writer = csv::Writer::from_writer(Vec::new());
        let mut lines = String::new();
        writer.write_record(["subject", "attribute", "value", "region"]).unwrap();
        for row in &rows {
            let region = row.qualifiers.get("region").cloned().unwrap_or_default();
            writer.write_record([&row.subject, &row.attribute, &row.value, &region]).unwrap();
            let object = serde_json::json!({
                "subject": row.subject, "attribute": row.attribute, "value": row.value,
                "region": region,
            });
            lines.push_str(&format!("{object}\n"));
        }
        let written = writer.into_inner().unwrap();
        let without_lines = |rows: Vec<Row>| -> Vec<Row> {
            rows.into_iter().map(|row| Row { line: 0, ..row }).collect()
        };
        let read_csv = read(&written, Format::Csv, &Columns::default(), MOST).unwrap();
        prop_assert_eq!(without_lines(read_csv), rows.clone());
        let read_lines = read(lines.as_bytes(), Format::JsonLines, &Columns::default(), MOST).unwrap();
        prop_assert_eq!(without_lines(read_lines), rows);
    }
}
