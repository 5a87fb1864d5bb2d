//! What is said while a channel is linked: codes, greetings, tests, and the bot's few sentences.

/// What is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::VariantArray)]
pub enum Greeting {
    /// The code that proves a channel.
    Code,
    /// The first message to a browser.
    Hello,
    /// What *Send test* sends.
    Test,
    /// The bot: somebody opened a link.
    BotLinked,
    /// The bot: this chat is told nothing any more.
    BotStopped,
    /// The bot: this chat was told nothing.
    BotNothingToStop,
    /// The bot: no such link.
    BotUnknownLink,
    /// The bot: what it is.
    BotHello,
}

/// A title and a few lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GreetingWords {
    /// One line.
    pub title: String,
    /// The rest.
    pub text: String,
}

macro_rules! both {
    ($name:literal) => {
        [
            include_str!(concat!("../../templates/en/", $name, ".msg")),
            include_str!(concat!("../../templates/zh/", $name, ".msg")),
        ]
    };
}

impl Greeting {
    /// Its words in `en` or `zh`; `code` stands where the template has `{{ code }}`.
    #[must_use]
    pub fn words(self, language: &str, code: &str) -> GreetingWords {
        let [en, zh] = match self {
            Self::Code => both!("channel_code"),
            Self::Hello => both!("channel_hello"),
            Self::Test => both!("channel_test"),
            Self::BotLinked => both!("bot_linked"),
            Self::BotStopped => both!("bot_stopped"),
            Self::BotNothingToStop => both!("bot_nothing_to_stop"),
            Self::BotUnknownLink => both!("bot_unknown_link"),
            Self::BotHello => both!("bot_hello"),
        };
        let template = if language == "en" { en } else { zh };
        let (title, text) = template.split_once("\n\n").unwrap_or((template, ""));
        let fill = |words: &str| words.trim().replace("{{ code }}", code);
        GreetingWords { title: fill(title), text: fill(text) }
    }

    /// What a button that leads to the site says.
    #[must_use]
    pub fn button(language: &str) -> &'static str {
        if language == "en" { "Open Sooner" } else { "打开早签" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use strum::VariantArray as _;

    #[test]
    fn every_greeting_has_words_in_both_languages_and_a_code_fits_a_text_message() {
        for greeting in Greeting::VARIANTS {
            for language in ["en", "zh"] {
                let words = greeting.words(language, "012345");
                assert!(!words.title.is_empty() && !words.text.is_empty(), "{greeting:?} {language}");
                assert!(!format!("{words:?}").contains("{{"), "{words:?}");
            }
        }
        // A template of Aliyun takes 35 characters.
        let code = Greeting::Code.words("zh", "012345").title;
        assert!(code.contains("012345") && code.chars().count() <= 35, "{code}");
    }
}
