/* The little of rails-ujs, iCheck and the date picker that the portal's pages need. */
"use strict";
const token = () => document.querySelector('meta[name="csrf-token"]')?.content ?? "";
/* The sign-in answer is JavaScript written for jQuery: this is all it uses. */
window.$ = selector => ({ replaceWith(html) { document.querySelector(selector).outerHTML = html; } });

document.addEventListener("submit", async event => {
  const form = event.target;
  if (form.dataset.remote !== "true") return;
  event.preventDefault();
  const body = new URLSearchParams(new FormData(form));
  body.set("commit", form.querySelector("[name=commit]").value);
  const answer = await fetch(form.action, {
    method: "POST", body, credentials: "same-origin",
    headers: { "X-CSRF-Token": token(), "X-Requested-With": "XMLHttpRequest",
      Accept: "*/*;q=0.5, text/javascript, application/javascript" },
  });
  if (answer.redirected) { location.href = answer.url; return; }
  (0, eval)(await answer.text());
});

document.addEventListener("click", event => {
  const box = event.target.closest(".icheckbox");
  if (box && event.target === box) { const input = box.querySelector("input"); input.checked = !input.checked; }
  if (event.target.closest(".ui-dialog .ui-button")) event.target.closest(".ui-dialog").remove();
  const title = event.target.closest(".accordion-title");
  if (title) { event.preventDefault(); title.parentElement.classList.toggle("is-active"); }
  const link = event.target.closest("a[data-method]");
  if (link) { event.preventDefault(); if (!link.dataset.confirm || confirm(link.dataset.confirm)) send(link); }
});

document.addEventListener("change", event => {
  if (!event.target.matches("[data-person]")) return;
  event.target.closest("form").querySelector("#g-recaptcha-response").value = event.target.checked ? "a-person" : "";
});

function send(link) {
  const form = document.createElement("form");
  form.method = "post"; form.action = link.href; form.hidden = true;
  for (const [name, value] of [["_method", link.dataset.method], ["authenticity_token", token()]]) {
    const input = document.createElement("input"); input.name = name; input.value = value; form.append(input);
  }
  document.body.append(form); form.submit();
}

const field = (name, kind = "consulate") => document.querySelector(`#appointments_${kind}_appointment_${name}`);
if (document.querySelector("#appointment-form")) {
  const picker = document.querySelector("#ui-datepicker-div"), submit = document.querySelector("#appointments_submit");
  /* The block of the fingerprint appointment, in countries that have one. */
  const block = document.querySelector(".toggle_biometic_collection"), asked = () => Boolean(block) && !block.hidden;
  const kinds = { consulate: { free: [], month: null, turn: 0 }, asc: { free: [], month: null, turn: 0 } };
  let open = "consulate";
  const list = async url => {
    const answer = await fetch(url, { headers: { Accept: "application/json, text/javascript, */*; q=0.01", "X-Requested-With": "XMLHttpRequest" } });
    if (answer.status === 401) location.reload();
    return answer.ok ? answer.json() : [];
  };
  /* The fingerprint lists depend on the consular choice, which may be incomplete. */
  const choice = kind => kind === "asc" ? `&consulate_id=${field("facility_id").value}&consulate_date=${field("date").value}&consulate_time=${field("time").value}` : "";
  const complete = kind => Boolean(field("time", kind).value);
  const update = () => {
    submit.disabled = !complete("consulate") || (asked() && !complete("asc"));
    if (block) for (const name of ["date", "time"]) field(name, "asc").disabled = asked() && !complete("consulate");
  };
  const times = (kind, values) => {
    field("time", kind).replaceChildren(new Option("", ""), ...values.filter(Boolean).map(v => new Option(v, v)));
    update();
  };
  const days = async kind => {
    const state = kinds[kind], turn = ++state.turn;
    field("date", kind).value = ""; times(kind, []); state.free = []; state.month = null;
    const place = field("facility_id", kind).value;
    const query = choice(kind) && `${choice(kind)}&`;
    const found = place ? await list(`${field("date", kind).dataset.collapseDays}${place}.json?${query}appointments[expedite]=false`) : [];
    if (turn !== state.turn) return;
    state.free = Array.isArray(found) ? found.map(d => d.date) : [];
    document.querySelector(`#${kind}_date_time_not_available`).classList.toggle("display-none", !place || state.free.length > 0);
    state.month = state.free[0]?.slice(0, 7);
  };
  const place = () => {
    if (block) block.hidden = field("facility_id").selectedOptions[0]?.dataset.collectsBiometrics === "true";
    days("consulate");
    if (asked()) days("asc");
    else if (block) { field("date", "asc").value = ""; times("asc", []); }
  };
  const pick = async (kind, date) => {
    const state = kinds[kind], turn = ++state.turn;
    field("date", kind).value = date; picker.hidden = true; times(kind, []);
    if (kind === "consulate" && asked()) days("asc");
    const url = `${field("time", kind).dataset.collapseTimes}${field("facility_id", kind).value}.json?date=${date}${choice(kind)}&appointments[expedite]=false`;
    const found = await list(url);
    if (turn === state.turn) times(kind, found.available_times ?? []);
  };
  const move = by => { const d = new Date(kinds[open].month + "-15T12:00:00Z"); d.setUTCMonth(d.getUTCMonth() + by); kinds[open].month = d.toISOString().slice(0, 7); draw(open); };
  const draw = kind => {
    open = kind;
    const { free, month } = kinds[kind];
    const first = new Date(month + "-01T12:00:00Z"), count = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
    let cells = "<td></td>".repeat(first.getUTCDay());
    for (let day = 1; day <= count; day++) {
      const date = `${month}-${String(day).padStart(2, "0")}`;
      cells += free.includes(date) ? `<td data-handler="selectDay" data-date="${date}"><a class="ui-state-default" href="#">${day}</a></td>`
        : `<td class="ui-state-disabled"><span class="ui-state-default">${day}</span></td>`;
      if ((first.getUTCDay() + day) % 7 === 0) cells += "</tr><tr>";
    }
    picker.innerHTML = `<div class="ui-datepicker-group ui-datepicker-group-first"><div class="ui-datepicker-header">
      <a class="ui-datepicker-prev button small" href="#" title="Prev">‹</a><div class="ui-datepicker-title">
      <span class="ui-datepicker-month">${first.toLocaleString(document.documentElement.lang, { month: "long", timeZone: "UTC" })}</span>
      <span class="ui-datepicker-year">${first.getUTCFullYear()}</span></div><a class="ui-datepicker-next button small" href="#" title="Next">›</a></div>
      <table class="ui-datepicker-calendar"><tbody><tr>${cells}</tr></tbody></table></div>`;
    picker.hidden = false;
  };
  field("facility_id").addEventListener("change", place);
  field("time").addEventListener("change", () => { update(); if (asked()) days("asc"); });
  if (block) {
    field("facility_id", "asc").addEventListener("change", () => days("asc"));
    field("time", "asc").addEventListener("change", update);
  }
  for (const kind of block ? ["consulate", "asc"] : ["consulate"])
    field("date", kind).addEventListener("click", () => { if (kinds[kind].month) draw(kind); });
  picker.addEventListener("click", event => {
    event.preventDefault();
    if (event.target.closest(".ui-datepicker-prev")) move(-1);
    if (event.target.closest(".ui-datepicker-next")) move(1);
    const cell = event.target.closest("td[data-date]");
    if (cell) pick(open, cell.dataset.date);
  });
  if (field("facility_id").value) place(); else update();
}
