use super::*;

fn every_reason() -> impl Iterator<Item = Reason> {
    (1..=255).filter_map(|number| Reason::try_from(number).ok())
}

#[test]
fn every_reason_has_a_name_without_the_prefix_and_a_code_of_its_own_kind() {
    assert!(every_reason().count() > 50);
    for reason in every_reason() {
        assert!(!name(reason).starts_with("ERROR_REASON_"));
        let status = denied(&Denied::new(reason, "because").with("field", "content"));
        assert!(
            !matches!(status.code(), Code::Ok | Code::Unknown),
            "{reason:?}"
        );
        let details = status.get_error_details();
        let info = details.error_info().unwrap();
        assert_eq!(
            (info.reason.as_str(), info.domain.as_str()),
            (name(reason), DOMAIN)
        );
        assert_eq!(info.metadata["field"], "content");
    }
}

#[test]
fn a_status_fits_into_a_header() {
    let long = "数据".repeat(4_000);
    let told = Denied::new(Reason::QuoteNotFound, &long)
        .with("quote", &long)
        .with("nearest", &long)
        .with("source", &long);
    let headers = denied(&told).into_http::<()>().into_parts().0.headers;
    let bytes: usize = headers
        .iter()
        .map(|(name, value)| name.as_str().len() + value.len())
        .sum();
    assert!(bytes < 8_000, "{bytes}");
}

#[test]
fn internals_are_not_told() {
    for error in [
        AppError::Internal("a secret path".into()),
        pawl_ledger::store::StoreError::Damaged("a secret path".into()).into(),
        pawl_ledger::store::StoreError::Full {
            path: "a secret path".into(),
        }
        .into(),
    ] {
        let status = Status::from(error);
        assert!(!format!("{status:?}").contains("secret"));
    }
}
