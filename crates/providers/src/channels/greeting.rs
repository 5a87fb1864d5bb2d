//! Fixed texts sent while a user links a channel: codes, greetings, test messages and bot replies.

/// Kind of fixed text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::VariantArray)]
pub enum Greeting {
    /// Code that the user enters to verify the channel.
    Code,
    /// First message to a newly linked browser.
    Hello,
    /// Message of the *Send test* button.
    Test,
    /// Bot reply after the user opened the link: the user must still confirm on the site.
    BotLinked,
    /// Bot reply to the stop command: this chat receives no more messages.
    BotStopped,
    /// Bot reply to the stop command in a chat that receives no messages.
    BotNothingToStop,
    /// Bot reply to an unknown link.
    BotUnknownLink,
    /// Bot reply that introduces the bot.
    BotHello,
    /// Bot reply to *No*: the date is not booked.
    BotDeclined,
    /// Bot reply to *No* for a question that is over.
    BotQuestionOver,
}

/// Title and text in one language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GreetingWords {
    /// The title, one line.
    pub title: String,
    /// Text below the title, a few lines.
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
    /// Returns the text in the language `en` or `zh`. Inserts `code` in place of `{{ code }}`.
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
            Self::BotDeclined => both!("bot_declined"),
            Self::BotQuestionOver => both!("bot_question_over"),
        };
        let template = if language == "en" { en } else { zh };
        let (title, text) = template.split_once("\n\n").unwrap_or((template, ""));
        let fill = |words: &str| words.trim().replace("{{ code }}", code);
        GreetingWords { title: fill(title), text: fill(text) }
    }

    /// Returns the label of the button that opens the site.
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
    fn greetings_have_both_languages_and_codes_fit_a_text_message() {
        for greeting in Greeting::VARIANTS {
            for language in ["en", "zh"] {
                let words = greeting.words(language, "012345");
                assert!(!words.title.is_empty() && !words.text.is_empty(), "{greeting:?} {language}");
                assert!(!format!("{words:?}").contains("{{"), "{words:?}");
            }
        }
        // A parameter of an Aliyun template may have 35 characters.
        let code = Greeting::Code.words("zh", "012345").title;
        assert!(code.contains("012345") && code.chars().count() <= 35, "{code}");
    }
}
