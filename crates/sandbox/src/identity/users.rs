//! Invented users of the identity provider.

/// User with an account at the identity provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct IdentityUser {
    pub subject: String,
    pub name: String,
    pub email: String,
    pub email_verified: bool,
    /// True if the user cancels and returns without a sign-in.
    pub refuses: bool,
    /// Defect of the user's token, if it has one.
    pub broken: Option<Broken>,
}

/// Defect of an ID token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Broken {
    Signature,
    Unsigned,
    Missing,
    Nonce,
    Audience,
    Issuer,
    Expired,
    Stale,
}

/// Key, name, mail address, and the description on the page for each user.
pub(super) const PEOPLE: [(&str, &str, &str, &str); 5] = [
    ("new", "Han Xiaoyu", "hanxiaoyu@example.com", "has no account at Sooner yet"),
    ("known", "Demo Person", "demo@example.com", "the address of the demo's account"),
    ("unverified", "Mo Weizhi", "moweizhi@example.com", "never proved this address here"),
    ("refusing", "Bu Yuan", "buyuan@example.com", "goes back without signing in"),
    ("broken", "Huai Ling", "huailing@example.com", "gets a token with a wrong signature"),
];

/// Defects of tokens, chosen with the key `broken-…`.
pub(super) const BROKEN: [(&str, Broken, &str); 8] = [
    ("signature", Broken::Signature, "signed by another key"),
    ("unsigned", Broken::Unsigned, "not signed"),
    ("missing", Broken::Missing, "no id token at all"),
    ("nonce", Broken::Nonce, "of another request"),
    ("audience", Broken::Audience, "for another client"),
    ("issuer", Broken::Issuer, "of another provider"),
    ("expired", Broken::Expired, "expired an hour ago"),
    ("stale", Broken::Stale, "of the demo's person, who proved who they are a day ago"),
];

impl IdentityUser {
    /// Returns the user chosen on the page: a user on the list, or a new user with this mail
    /// address.
    pub fn chosen(key: &str, email: &str) -> Option<Self> {
        if let Some(way) = key.strip_prefix("broken-") {
            let (_, broken, _) = BROKEN.into_iter().find(|(name, ..)| *name == way)?;
            // The stale token must belong to a user who has an account.
            let base = if broken == Broken::Stale { "known" } else { "broken" };
            return Some(Self { broken: Some(broken), ..Self::chosen(base, "")? });
        }
        if let Some((key, name, email, _)) = PEOPLE.into_iter().find(|(k, ..)| *k == key) {
            return Some(Self {
                subject: format!("sandbox-{key}"),
                name: name.to_owned(),
                email: email.to_owned(),
                email_verified: key != "unverified",
                refuses: key == "refusing",
                broken: (key == "broken").then_some(Broken::Signature),
            });
        }
        let email = email.trim().to_lowercase();
        (key == "other" && email.contains('@')).then(|| Self {
            subject: format!("sandbox-of-{email}"),
            name: email.split('@').next().unwrap_or_default().to_owned(),
            email,
            email_verified: true,
            refuses: false,
            broken: None,
        })
    }
}
