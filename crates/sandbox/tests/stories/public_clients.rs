//! Request sequences of public clients of the real portal, rewritten: plain HTTP, a script that
//! ticks checkboxes, and a browser.

use reqwest::Method;
use sandbox::Sandbox;
use serde_json::json;

use crate::client::{Client, Page, between, booked_in_toronto, effects, holds, slot, with_groups};

const BOOKED: &str = "You Have Successfully Scheduled Your Appointment";
const BEFORE: &str = "94 2027-08-02 08:15";

async fn couple_in_toronto() -> (Sandbox, u64) {
    let (sandbox, _, id) = with_groups(json!([{
        "applicants": ["ONE", "TWO"], "appointment": {"facility": 94, "date": "2027-08-02", "time": "08:15"}}]))
    .await;
    (sandbox, id)
}

/// Signs in, reads the token on `/appointment`, and sends the booking POST without selecting
/// applicants.
async fn plain_http(sandbox: &Sandbox, id: u64) -> Page {
    slot(sandbox, 94, "2027-01-14", "08:00");
    let mut client = Client::new(sandbox);
    client.sign_in("ann@example.com", "pw").await;
    client.days(id, 94).await;
    client.times(id, 94, "2027-01-14").await;
    client.get(&format!("/schedule/{id}/appointment")).await;
    client.book(id, 94, "2027-01-14", "08:00").await
}

// spec: 10.6.04
#[tokio::test]
async fn plain_http_without_selection_books_a_group_of_one() {
    let (sandbox, _, id) = booked_in_toronto().await;
    sandbox.with_world(|w| w.config.form_lives_seconds = 120);
    let page = plain_http(&sandbox, id).await;
    assert!(page.has(BOOKED), "{}", page.body);
    assert_eq!(holds(&sandbox, id).as_deref(), Some("94 2027-01-14 08:00"));
}

// spec: 10.6.04
#[tokio::test]
async fn plain_http_without_selection_is_refused_for_a_group_of_two() {
    let (sandbox, id) = couple_in_toronto().await;
    let page = plain_http(&sandbox, id).await;
    assert!(!page.has(BOOKED), "{}", page.body);
    assert_eq!(effects(&sandbox, "book"), [json!({"refused": "applicants not chosen"})]);
    assert_eq!(holds(&sandbox, id).as_deref(), Some(BEFORE));
}

#[tokio::test]
async fn a_group_of_two_is_booked_only_after_selecting_applicants() {
    let (sandbox, id) = couple_in_toronto().await;
    slot(&sandbox, 94, "2027-01-14", "08:00");
    let mut client = Client::new(&sandbox);
    client.home().await;
    let answer = client.booking(id, 94, "2027-01-14", "08:00").send().await.unwrap();
    assert!(answer.headers()["location"].to_str().unwrap().ends_with("/users/sign_in"));
    assert_eq!(holds(&sandbox, id).as_deref(), Some(BEFORE));
    let people: Vec<u64> = sandbox.with_world(|w| w.groups[&id].applicants.iter().map(|a| a.id).collect());
    let chosen: String = people.iter().map(|p| format!("applicants[]={p}&")).collect();
    client
        .get(&format!("/schedule/{id}/appointment?{chosen}confirmed_limit_message=1&commit=Continue"))
        .await;
    assert!(client.book(id, 94, "2027-01-14", "08:00").await.has(BOOKED));
}

#[tokio::test]
async fn a_first_booking_form_selects_no_applicants_for_the_next() {
    let (sandbox, _, id) = with_groups(json!([{"applicants": ["ONE", "TWO"]}])).await;
    slot(&sandbox, 94, "2027-01-14", "08:00");
    slot(&sandbox, 94, "2027-01-12", "08:00");
    let mut client = Client::new(&sandbox);
    client.home().await;
    client.get(&format!("/schedule/{id}/appointment")).await;
    assert!(client.book(id, 94, "2027-01-14", "08:00").await.has(BOOKED));
    client.book(id, 94, "2027-01-12", "08:00").await;
    assert_eq!(effects(&sandbox, "book")[1], json!({"refused": "applicants not chosen"}));
}

/// Returns the fields that a browser sends for the form around `mark`: hidden fields, ticked
/// checkboxes and the button.
fn fields_of_form(page: &Page, mark: &str, ticked: &[&str]) -> Vec<(String, String)> {
    let form = page.body.split("<form").skip(1).find(|form| form.contains(mark)).expect("the form");
    let form = form.split("</form>").next().unwrap();
    let inputs = form.split("<input").skip(1).map(|input| input.split('>').next().unwrap());
    let attribute = |input: &str, name: &str| between(input, &format!(" {name}=\""), "\"");
    let sent = inputs.filter_map(|input| {
        let name = attribute(input, "name")?;
        let is_box = attribute(input, "type").as_deref() == Some("checkbox");
        let goes = !is_box || ticked.contains(&name.as_str());
        goes.then(|| (name, attribute(input, "value").unwrap_or_default()))
    });
    sent.collect()
}

// spec: 10.6.04
#[tokio::test]
async fn a_script_can_accept_the_limit_page_and_book() {
    for (tree, understood, button) in
        [("/en-ca/niv", "I understand", "Reschedule"), ("/fr-ca/niv", "Je comprends", "Reporter")]
    {
        let (sandbox, _, id) = booked_in_toronto().await;
        slot(&sandbox, 94, "2027-01-14", "08:00");
        let mut client = Client::at(&sandbox, tree);
        client.home().await;
        let path = format!("/schedule/{id}/appointment");
        let limit = client.get(&path).await;
        // Elements that scripts of the real portal wait for, click or read: the checkbox of iCheck
        // before its label, and the title in English.
        for piece in [
            "<h1 class=\"text\">Scheduling Limit Warning</h1>".to_owned(),
            "<div class=\"icheckbox icheck-item\"><input type=\"checkbox\" name=\"confirmed_limit_message\" \
             id=\"confirmed_limit_message\" value=\"1\"></div>"
                .to_owned(),
            format!("</div><label for=\"confirmed_limit_message\">{understood}</label>"),
            "<input type=\"submit\" name=\"commit\" value=\"Continue\"".to_owned(),
        ] {
            assert!(limit.has(&piece), "{piece}: {}", limit.body);
        }
        let warning = between(&limit.body, "<p>", "</p>").unwrap();
        assert!(warning.contains("3 "), "the first paragraph is the warning: {warning}");

        let unticked = fields_of_form(&limit, "confirmed_limit_message", &[]);
        let request = client.request(Method::GET, &path).query(&unticked);
        let again = request.send().await.unwrap();
        assert!(client.take(again).await.has("icheckbox"), "without a tick the page is shown again");
        let ticked = fields_of_form(&limit, "confirmed_limit_message", &["confirmed_limit_message"]);
        let request = client.request(Method::GET, &path).query(&ticked);
        let form = request.send().await.unwrap();
        let form = client.take(form).await;

        let mut fields = fields_of_form(&form, "appointment-form", &[]);
        let consular = |name: &str| format!("appointments[consulate_appointment][{name}]");
        fields.retain(|(name, _)| !name.starts_with("appointments["));
        for (name, value) in [("facility_id", "94"), ("date", "2027-01-14"), ("time", "08:00")] {
            fields.push((consular(name), value.to_owned()));
        }
        assert!(fields.contains(&("commit".to_owned(), button.to_owned())), "{fields:?}");
        let answer = client.request(Method::POST, &path).form(&fields).send().await.unwrap();
        assert!(answer.headers()["location"].to_str().unwrap().ends_with("/appointment/instructions"));
        assert_eq!(holds(&sandbox, id).as_deref(), Some("94 2027-01-14 08:00"));
    }
}

// spec: 10.6.04
#[tokio::test]
async fn a_browser_can_close_the_dialog_of_the_sign_in_page() {
    const CLOSE: &str =
        "<button type=\"button\" class=\"ui-button ui-dialog-titlebar-close\" title=\"Close\">";
    let (sandbox, hands, id) = booked_in_toronto().await;
    for (tree, first, later) in [
        ("/en-ca/niv", "You need to sign in or sign up before continuing.", "Your session expired."),
        ("/fr-ca/niv", "Vous devez vous connecter", "Votre session a expiré."),
    ] {
        let mut client = Client::at(&sandbox, tree);
        let sent_away = client.get(&format!("/schedule/{id}/appointment")).await;
        assert!(sent_away.location.ends_with("/users/sign_in"));
        let page = client.get(&sent_away.location).await;
        let dialog =
            between(&page.body, "<div class=\"ui-dialog\"", "<div class=\"row\">").expect("a dialog");
        assert!(dialog.contains(CLOSE) && dialog.contains("class=\"infoPopUp"), "{dialog}");
        assert!(dialog.contains(&format!("<p class=\"notice\">{first}")), "{dialog}");
        assert!(!client.get("/users/sign_in").await.has("infoPopUp"), "the notice is shown once");

        client.home().await;
        let booked = client.book(id, 94, "2027-01-14", "08:00").await;
        assert!(booked.has(CLOSE) && booked.has("<p class=\"notice\">"), "{}", booked.body);
        let home = client.get("/account").await.location;
        assert!(!client.get(&home).await.has("infoPopUp"));

        hands.advance(chrono::Duration::minutes(241));
        let ended = client.get("/account").await.location;
        assert!(client.get(&ended).await.has(&format!("<p class=\"notice\">{later}")));
    }
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let script = http.get(format!("{}/assets/portal.js", sandbox.portal_url())).send().await.unwrap();
    let script = script.text().await.unwrap();
    assert!(script.contains(".closest(\".ui-dialog\").remove()"), "the button closes the dialog");
}
