//! List of the portal's interface texts, maintained manually. The list contains no personal name.

use super::tokens::words;
use domain::text::fold;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// Texts that redaction keeps, in lower case without accents. An entry matches only as a whole.
const PHRASES: &str = "\
official u.s. department of state visa appointment service
u.s. visa appointment service
sign in or create an account
sign in
sign out
sign up
create an account
email
password
i have read and understood the privacy policy and the terms of use
i understand
invalid email or password
invalid login or password
your account is locked until
your account is locked
account is locked
too many failed attempts
you need to sign in or sign up before continuing
your session expired
please sign in again to continue
you do not have permission to access that account
groups
active groups
archived groups
current status
attend appointment
schedule appointment
schedule appointments
reschedule appointment
cancel appointment
pay visa fee
view payment
fee payment
manage appointment
manage visit
appointment confirmation
continue
close
search
schedule
reschedule
consular appointment
asc appointment
document delivery
pick up
get directions
applicant name
passport
ds 160
visa class
status
details
ivr account number
b1 b2 business tourism temporary visitor
local time at
local time
confirmation and instructions
print instructions
consular section interview date
consular section appointment
consular section location
consular interview date
current appointment
you have until
to cancel or reschedule your appointment
you have successfully scheduled your appointment
your appointment could not be scheduled
scheduling limit warning
scheduling limit reached
limit reached
there is a maximum number of
cancellations reschedules permitted by this service
you have reached the maximum number of
you have
remaining attempt s
remaining attempts
remaining attempt
before you reach the limit
once the limit is reached you will not be able to change your appointment
once you reach it you will not be able to change your appointment
select applicants
please select all applicants of the group
date of appointment
time of appointment
system is busy
the system is busy
the system is overloaded
please try again later
under maintenance
maintenance
first available appointments
no appointments available
you have no active applications
are you sure you want to cancel your appointment
calgary
halifax
montreal
ottawa
quebec city
quebec
toronto
vancouver
true
false
se connecter
se deconnecter
se connecter ou creer un compte
mot de passe
e mail
statut actuel
se presenter au rendez vous
prendre rendez vous
prendre un rendez vous
planifier les rendez vous
payer les frais de visa
reporter le rendez vous
annuler le rendez vous
continuer
fermer
rechercher
rendez vous consulaire
rendez vous asc
nom du demandeur
passeport
categorie de visa
statut
numero de compte ivr
heure locale de
confirmation et instructions
date de l'entrevue a la section consulaire
date de l'entrevue
date de l'entretien
lieu de la section consulaire
vous avez jusqu'au
pour annuler ou reporter votre rendez vous
limite de planification
limite atteinte
il y a un nombre maximal de
annulations reports permis par ce service
il vous reste
tentative s avant d'atteindre la limite
tentative s restante s
selectionner les demandeurs
courriel ou mot de passe
votre compte est verrouille jusqu'au
votre compte est verrouille
votre session a expire
le systeme est occupe
veuillez reessayer plus tard
fecha de la entrevista
usted tiene hasta el
hora local
premiers rendez vous disponibles
aucun rendez vous disponible
il n'y a aucun rendez vous disponible
there are no available appointments at this time
fee receipt date
je comprends
replanifier
planifier
vous avez pris votre rendez vous avec succes
su cita no pudo ser programada
the selected time is no longer available";

/// Words in scripts that redaction keeps, in addition to the texts above.
pub(super) const SCRIPT_WORDS: [&str; 17] = [
    "window",
    "document",
    "location",
    "href",
    "replace",
    "assign",
    "turbolinks",
    "turbo",
    "visit",
    "data",
    "sitekey",
    "g",
    "recaptcha",
    "grecaptcha",
    "response",
    "render",
    "error",
];

/// HTML element names that redaction keeps.
const TAGS: &str = "a abbr article aside b base body br button caption center cite code col colgroup dd del details dialog div \
    dl dt em fieldset figure font footer form h1 h2 h3 h4 h5 h6 head header hr html i iframe img input label legend li link \
    main meta nav noscript ol optgroup option p path pre script section select small span strong style sub summary sup svg \
    table tbody td template textarea tfoot th thead time title tr u ul";

/// Attribute names that redaction keeps, in addition to names made of known parts, such as
/// `data-method`.
const ATTRIBUTES: &str = "accept-charset action alt async autocomplete charset checked class cols colspan content defer disabled for formaction height \
    hidden href id lang max maxlength method min minlength multiple name novalidate placeholder readonly rel required role \
    rowspan selected size src style tabindex target title type value width";

/// Index of the texts by their first word. For each word the longest text comes first.
static BY_FIRST: LazyLock<HashMap<String, Vec<Vec<String>>>> = LazyLock::new(|| {
    let mut by_first: HashMap<String, Vec<Vec<String>>> = HashMap::new();
    for line in PHRASES.lines() {
        let entry: Vec<String> = words(line).map(|(_, word)| fold(word)).collect();
        if let Some(first) = entry.first() {
            by_first.entry(first.clone()).or_default().push(entry);
        }
    }
    by_first.values_mut().for_each(|entries| entries.sort_by_key(|entry| std::cmp::Reverse(entry.len())));
    by_first
});

/// Returns the length in bytes of the longest interface text at the start of `text`.
pub(super) fn phrase_at_start(text: &str) -> Option<usize> {
    /// Maximum number of bytes of punctuation and white space between two words of one text.
    const GAP: usize = 6;
    let (_, first) = words(text).next()?;
    let entries = BY_FIRST.get(&fold(first))?;
    entries.iter().find_map(|entry| {
        let mut end = 0;
        let mut following = words(text);
        for (at, wanted) in entry.iter().enumerate() {
            let (start, word) = following.next()?;
            if (at > 0 && start - end > GAP) || fold(word) != *wanted {
                return None;
            }
            end = start + word.len();
        }
        Some(end)
    })
}

/// Returns `true` if redaction keeps this element name.
pub(super) fn is_tag(name: &str) -> bool {
    static KNOWN: LazyLock<HashSet<&str>> = LazyLock::new(|| TAGS.split_whitespace().collect());
    KNOWN.contains(name)
}

/// Returns `true` if redaction keeps this attribute name.
pub(super) fn is_attribute(name: &str) -> bool {
    static KNOWN: LazyLock<HashSet<&str>> = LazyLock::new(|| ATTRIBUTES.split_whitespace().collect());
    KNOWN.contains(name) || name.split('-').all(crate::structure::is_known_part) && name.contains('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_entry_is_a_personal_name() {
        let names = "an bai ban bo cai cao chang che chen cheng chu cui dai dang deng ding dong du duan fan fang fei feng fu gan \
            gao ge gong gu guan guo han hao he hong hou hu hua huang ji jia jian jiang jin kang kong lai lang lei li lian liang \
            liao lin ling liu long lou lu luo lv ma man mao mei meng miao min mo mu nan ni ning niu ou pan pang pei peng ping \
            qi qian qiao qin qiu qu quan ran ren rong ruan sha shan shao she shen sheng shi shu si song su sun tan tang tao tian \
            tong tu wan wang wei wen weng wu xi xia xiang xiao xie xin xing xiong xu xuan xue yan yang yao ye yi yin ying you yu \
            yuan yue yun zang zeng zha zhan zhang zhao zhen zheng zhong zhou zhu zhuang zou zuo no roh will may april june august \
            grace faith hope joy mark grant chase page small field long price rose dean frank art bill rich summer";
        for name in names.split_whitespace() {
            assert_eq!(phrase_at_start(name), None, "{name} is an interface text");
            assert!(!SCRIPT_WORDS.contains(&name), "{name} stays in scripts");
        }
    }
}
