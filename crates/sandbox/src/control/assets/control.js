"use strict";
const order = async (method, url, body) => {
  const answer = await fetch(url, { method, headers: body ? { "Content-Type": "application/json" } : {}, body });
  if (!answer.ok) { alert((await answer.json().catch(() => ({}))).error ?? answer.statusText); return; }
  location.reload();
};
document.addEventListener("click", event => {
  const button = event.target.closest("button");
  if (!button) return;
  const { method, url, body, fault, confirm: question } = button.dataset;
  if (fault) {
    const limits = document.querySelector("#fault-limits"), wanted = JSON.parse(fault);
    if (limits.account.value) wanted.account = limits.account.value;
    if (limits.times.value) wanted.times = Number(limits.times.value);
    order("POST", "/control/faults", JSON.stringify(wanted));
  } else if (url && (!question || confirm(question))) order(method, url, body);
});
document.addEventListener("submit", event => {
  const form = event.target, wanted = {};
  /* Forms without one are ordinary ones: the identity provider's. */
  if (!form.dataset.url) return;
  event.preventDefault();
  const value = field => field.dataset.number ? Number(field.value) : field.dataset.json ? JSON.parse(field.value) : field.value;
  for (const field of form.elements) if (field.name && field.value) wanted[field.name] = value(field);
  order("POST", form.dataset.url, JSON.stringify(wanted));
});
/* Follows the world while nobody is typing. */
setInterval(() => {
  if (document.hidden || document.activeElement?.matches("input,select,button,summary") || /^\/(inbox|identity)\/|^\/channels\/telegram\/t\.me\//.test(location.pathname)) return;
  location.reload();
}, 5000);
