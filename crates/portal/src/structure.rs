//! List of the words in the portal's class names, ids, field names and addresses, maintained
//! manually. The list contains no personal name.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Parts of known names, in lower case. `attend_appointment` consists of two parts.
const PARTS: &str = "\
    abbr accept accordion assets css data utf8 main h1 h2 h3 h4 h5 account action actions active alert animated appointment appointments applicant applicants \
    application appt archived aria arrow asc attend authenticity autocomplete available bootstrap bounce bouncein brand \
    business busy button buttonpane buttonset ca calendar callout canvas capacity captcha card card-section center charset \
    check checkbox clearfix close closing collapse collapsed column columns commit commonly confirm confirmed consent \
    consular consulate container content continue control csrf current custom date datepicker delete delivery describedby dialog \
    disable disabled display divider document down ds dropdown email en error es expanded expedite expired fa facility \
    fas fee fieldset fixed flash float footer form formtastic fr g get grid group groups h hcaptcha header hidden home icheck \
    icheckbox icon icons id index info infopopup inner input instructions interview item items iv ivr js json label \
    labelledby large left letter limit link list locale maincontent maincontainer marker medium menu message messages \
    meta method minus multiple nav new niv no nofollow none noopener noreferrer not notice number off online only open \
    option optional panel param passport password payment pay phone photo policy popup portal post primary print prompt pt \
    q radio readonly recaptcha receipt remote required reschedule response right row rows ru schedule search secondary section \
    select selected session sessions show sign sitekey small sortable status step steps stepper sticky string stylesheet submit \
    subtitle success system tab table tabs tel text textarea time times title titlebar toggle token top tooltip type ui \
    unavailable update url use user username users utf visa visible warning widget wide with wrap wrapper www x \
    xmlhttprequest year yatri instruction addresses address bar business_day days csrf-token current-password days \
    simple sort simple_form in out up to the map asc_appointment continue_actions true false per page print_instructions \
    robot closed animated dismiss layout mobile desktop novalidate viewport icon defer async is for and of";

/// Returns `true` if all parts of a class name, id, field name or address segment are on the list.
///
/// Numbers are ignored, so `applicants_810001` is known because `applicants` is.
pub(crate) fn is_known_token(token: &str) -> bool {
    split(token).all(|part| is_known_part(part) || part.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns `true` if a part of a name is on the list.
pub(crate) fn is_known_part(part: &str) -> bool {
    static KNOWN: LazyLock<HashSet<&str>> = LazyLock::new(|| PARTS.split_whitespace().collect());
    KNOWN.contains(part.to_ascii_lowercase().as_str())
}

/// Splits a name at punctuation.
pub(crate) fn split(token: &str) -> impl Iterator<Item = &str> {
    token.split(is_sign).filter(|part| !part.is_empty())
}

/// Returns `true` if a character separates the parts of a name.
pub(crate) fn is_sign(c: char) -> bool {
    c.is_ascii_punctuation()
}
