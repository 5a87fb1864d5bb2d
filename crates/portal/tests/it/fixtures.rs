//! Test pages, written from public knowledge of the portal. All applicants are invented.

use std::path::Path;

/// Returns the text of a test page.
pub fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// Test pages in other languages by kind of page. They contain the texts that are known of the
/// language, and `xxxx` for those that are not. The client does not read them.
pub const OTHER_LANGUAGES: [(&str, &[&str]); 5] = [
    (
        "groups",
        &[
            "groups_es_pe.html",
            "groups_es_co.html",
            "groups_fr_ca.html",
            "groups_pt_br.html",
            "groups_ru_kz.html",
        ],
    ),
    ("limit", &["limit_es_pe.html", "limit_fr_ca.html", "limit_ru_kz.html", "limit_reached_es_pe.html"]),
    ("applicants", &["applicants_ru_kz.html"]),
    ("form", &["form_es_co.html", "form_pt_br.html", "form_ru_kz.html"]),
    ("instructions", &["instructions_es_co.html", "instructions_pt_br.html"]),
];

/// Test pages by kind of page, as accepted by `parse_kind`.
pub const BY_KIND: [(&str, &[&str]); 9] = [
    (
        "sign_in",
        &[
            "sign_in.html",
            "sign_in_captcha.html",
            "sign_in_notice.html",
            "sign_in_ok.js",
            "sign_in_bad.js",
            "sign_in_locked.js",
            "sign_in_too_many.js",
            "sign_in_captcha.js",
        ],
    ),
    (
        "groups",
        &[
            "groups_booked.html",
            "groups_never_booked.html",
            "groups_unpaid.html",
            "groups_several.html",
            "groups_fr.html",
            "groups_none.html",
        ],
    ),
    ("actions", &["actions_booked.html", "actions_never_booked.html"]),
    (
        "payment",
        &[
            "payment.html",
            "payment_fr.html",
            "payment_receipt.html",
            "payment_none.html",
            "payment_none_fr.html",
        ],
    ),
    ("applicant", &["applicant.html", "applicant_fr.html", "applicant_unanswered.html"]),
    ("limit", &["limit.html", "limit_last.html", "limit_fr.html", "limit_reached.html"]),
    ("applicants", &["applicants.html"]),
    ("form", &["form.html", "form_first.html", "form_fr.html"]),
    (
        "instructions",
        &[
            "instructions_booked.html",
            "instructions_booked_fr.html",
            "instructions_refused.html",
            "instructions_refused_es.html",
            "instructions_no_flash.html",
        ],
    ),
];
