//! Texts of pages in languages that the client does not request.
//!
//! Each text was seen on a page of the portal or in a public client. A text that is not known is
//! left out. All texts are in lower case without accents, as `domain::text::fold` returns them.

/// Texts that a reader accepts beside the English, French and Spanish ones in its own code.
pub(crate) struct Wording {
    /// Names of each month.
    pub(crate) months: [&'static [&'static str]; 12],
    /// Texts after the name of a city that mean its local time.
    pub(crate) local_time: &'static [&'static str],
    /// Statuses of a group with an appointment.
    pub(crate) attends: &'static [&'static str],
    /// Statuses of a group that may book its first appointment.
    pub(crate) schedules: &'static [&'static str],
    /// Beginnings of the labels that move an appointment.
    pub(crate) moves: &'static [&'static str],
    /// Beginnings of the labels that book a first appointment.
    pub(crate) books: &'static [&'static str],
    /// The texts around the number of attempts left.
    pub(crate) attempts_left: &'static [Around],
    /// Sentences of a page that is shown while the portal is busy.
    pub(crate) busy: &'static [&'static str],
    /// Treatment of a text that is in no list.
    pub(crate) unknown_text: UnknownText,
}

/// Texts directly before and after a number.
pub(crate) struct Around {
    /// End of the two words before the number.
    pub(crate) before: &'static str,
    /// Beginning of the word after the number.
    pub(crate) after: &'static str,
}

/// Treatment of a text whose meaning is not known.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnknownText {
    /// The page is not read.
    Refuse,
    /// The value that depends on the text is left out, and the rest of the page is read.
    LeaveOut,
}

/// Wording of the client, which requests English pages and refuses unknown texts. The limit page of
/// Kazakhstan may have a Russian text under its English title; only a Russian page was seen.
pub(crate) static CLIENT: Wording = Wording { attempts_left: RUSSIAN_ATTEMPTS, ..NO_FURTHER };

const RUSSIAN_ATTEMPTS: &[Around] = &[Around { before: "вас осталось", after: "попыт" }];

const NO_FURTHER: Wording = Wording {
    months: [&[]; 12],
    local_time: &[],
    attends: &[],
    schedules: &[],
    moves: &[],
    books: &[],
    attempts_left: &[],
    busy: &[],
    unknown_text: UnknownText::Refuse,
};

/// The readers have the months, the zone text and the button *Reprogramar*.
pub(crate) static SPANISH: Wording = Wording {
    attends: &["cita asistir"],
    // The button of a first booking in Mexico.
    books: &["programe la cita"],
    busy: &["el sistema esta ocupado"],
    unknown_text: UnknownText::LeaveOut,
    ..NO_FURTHER
};

/// The zone text, the statuses, and the sentence of the limit page are not known.
pub(crate) static PORTUGUESE: Wording = Wording {
    months: [
        &["janeiro"],
        &["fevereiro"],
        &["marco"],
        &["abril"],
        &["maio"],
        &["junho"],
        &["julho"],
        &["agosto"],
        &["setembro"],
        &["outubro"],
        &["novembro"],
        &["dezembro"],
    ],
    moves: &["reagendar"],
    busy: &["o sistema esta ocupado"],
    unknown_text: UnknownText::LeaveOut,
    ..NO_FURTHER
};

/// The texts are those of cut copies of pages in Kazakhstan (September 2026), which print months in
/// the nominative. A client reads the genitive too.
pub(crate) static RUSSIAN: Wording = Wording {
    months: [
        &["январь", "января"],
        &["февраль", "февраля"],
        &["март", "марта"],
        &["апрель", "апреля"],
        &["май", "мая"],
        &["июнь", "июня"],
        &["июль", "июля"],
        &["август", "августа"],
        &["сентябрь", "сентября"],
        &["октябрь", "октября"],
        &["ноябрь", "ноября"],
        &["декабрь", "декабря"],
    ],
    local_time: &["местное время"],
    schedules: &["зарегистрировать запись"],
    moves: &["перезаписаться"],
    books: &["записаться"],
    attempts_left: RUSSIAN_ATTEMPTS,
    unknown_text: UnknownText::LeaveOut,
    ..NO_FURTHER
};
