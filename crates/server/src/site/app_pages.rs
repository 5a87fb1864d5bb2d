//! Documents of the web app. The build creates one HTML document per page and language, which loads
//! the code of that page (`web/src/pages/[language]/app/[page].astro`).

use axum::http::StatusCode;
use serde::Deserialize;

/// A route of the web app, e.g. `schedule/:id`, with the name of its page.
#[derive(Debug, Deserialize)]
pub struct Route {
    path: String,
    page: String,
}

/// Route of the page for unknown paths.
const REST: &str = "*";

/// Routes of a build, read from a list that the build contains.
#[derive(Debug, Default)]
pub struct Routes(Vec<Route>);

impl Routes {
    /// Parses the list of routes. Returns no routes if it is missing or malformed.
    #[must_use]
    pub fn parse(json: &[u8]) -> Self {
        Self(serde_json::from_slice(json).unwrap_or_default())
    }

    /// Returns the document for a path, for example `documents/en/app/task.html`, with its status.
    /// The status is 404 if the path has no page. Returns `None` if the build has no list of
    /// routes.
    #[must_use]
    pub fn document(&self, path: &str, language: &str) -> Option<(String, StatusCode)> {
        let matching = self.0.iter().filter(|route| route.path != REST && route.leads_to(path));
        let best = matching.min_by_key(|route| route.path.matches(':').count());
        let (route, status) = match best {
            Some(route) => (route, StatusCode::OK),
            None => (self.0.iter().find(|route| route.path == REST)?, StatusCode::NOT_FOUND),
        };
        Some((format!("documents/{language}/app/{}.html", route.page), status))
    }
}

impl Route {
    fn leads_to(&self, path: &str) -> bool {
        let mut asked = path.split('/');
        let fits = self.path.split('/').all(|part| {
            asked.next().is_some_and(|there| part == there || (part.starts_with(':') && !there.is_empty()))
        });
        fits && asked.next().is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::{Routes, StatusCode};

    // spec: 10.14.06
    #[test]
    fn a_path_gets_the_document_of_its_page() {
        let list = br#"[{"path":"dashboard","page":"dashboard"},{"path":"schedule/:id","page":"task"},
            {"path":"schedule/wizard","page":"wizard"},{"path":"*","page":"notFound"}]"#;
        let routes = Routes::parse(list);
        let found = |path: &str| routes.document(path, "en").expect("a document");
        assert_eq!(found("dashboard"), ("documents/en/app/dashboard.html".to_owned(), StatusCode::OK));
        assert_eq!(found("schedule/0192-ab").0, "documents/en/app/task.html");
        assert_eq!(
            found("schedule/wizard").0,
            "documents/en/app/wizard.html",
            "a fixed part has precedence over a placeholder"
        );
        for nowhere in ["schedule", "schedule/", "schedule/a/b", "dashboard/x", "*", "Dashboard"] {
            assert_eq!(
                found(nowhere),
                ("documents/en/app/notFound.html".to_owned(), StatusCode::NOT_FOUND),
                "{nowhere}"
            );
        }
        assert_eq!(Routes::parse(b"<html>").document("dashboard", "en"), None);
    }
}
