"use strict";
/* A stand-in for the card provider's browser library, as far as a card form needs it: Stripe(pk) with elements() and the
   card element, confirmCardPayment with the bank's question (3-D Secure), and errors of the same shape. The real one keeps
   the number in a frame of its own; here it is a plain form, because every card is invented. */
(() => {
  const API = new URL(document.currentScript.src).origin;
  const WORDS = {
    en: {
      number: "Card number", expiry: "Expiry (MM / YY)", cvc: "Security code",
      incomplete_number: "Your card number is incomplete.", invalid_number: "Your card number is invalid.",
      incomplete_expiry: "Your card's expiration date is incomplete.", invalid_expiry_year_past: "Your card's expiration year is in the past.",
      invalid_expiry_month: "Your card's expiration month is invalid.", incomplete_cvc: "Your card's security code is incomplete.",
      api: "An unexpected error occurred. Please try again.",
      ask: "Your bank asks: is it you?", about: "3-D Secure of the sandbox. An invented bank asks its invented customer.", yes: "Complete", no: "Fail",
    },
    zh: {
      number: "卡号", expiry: "有效期 (MM / YY)", cvc: "安全码",
      incomplete_number: "您的银行卡号不完整。", invalid_number: "您的银行卡号无效。",
      incomplete_expiry: "您的银行卡有效期不完整。", invalid_expiry_year_past: "您的银行卡已过期。",
      invalid_expiry_month: "您的银行卡有效月份无效。", incomplete_cvc: "您的银行卡安全码不完整。",
      api: "发生意外错误，请重试。",
      ask: "您的银行在确认：是您本人吗？", about: "沙盒里的 3-D Secure：虚构的银行在询问虚构的客户。", yes: "完成验证", no: "验证失败",
    },
  };
  const wordsOf = (locale) => WORDS[/^zh/i.test(locale || navigator.language) ? "zh" : "en"];
  const brands = [[/^4/, "visa"], [/^5[1-5]/, "mastercard"], [/^3[47]/, "amex"]];
  const luhn = (digits) => [...digits].reverse().reduce((sum, d, i) => sum + (i % 2 ? (d * 2 > 9 ? d * 2 - 9 : d * 2) : +d), 0) % 10 === 0;

  class Emitter {
    #heard = {};
    on(event, hear) { (this.#heard[event] ??= new Set()).add(hear); return this; }
    once(event, hear) { const one = (...a) => { this.off(event, one); hear(...a); }; return this.on(event, one); }
    off(event, hear) { hear ? this.#heard[event]?.delete(hear) : delete this.#heard[event]; return this; }
    emit(event, value) { for (const hear of this.#heard[event] ?? []) hear(value); }
  }

  class CardElement extends Emitter {
    constructor(options, locale) {
      super();
      this.options = options ?? {};
      this.words = wordsOf(locale);
      this.box = document.createElement("div");
      this.box.style.cssText = "display:flex;flex-wrap:wrap;gap:8px 12px;align-items:center";
      this.inputs = {
        number: this.#field("number", "cc-number", 23, "1 1 190px"),
        expiry: this.#field("expiry", "cc-exp", 7, "0 1 84px", "MM / YY"),
        cvc: this.#field("cvc", "cc-csc", 4, "0 1 64px", "CVC"),
      };
      this.#dress();
    }
    #field(name, autocomplete, length, flex, placeholder) {
      const input = document.createElement("input");
      Object.assign(input, { name, autocomplete, maxLength: length, inputMode: "numeric", placeholder: placeholder ?? this.words[name], spellcheck: false });
      input.setAttribute("aria-label", this.words[name]);
      input.style.cssText = `flex:${flex};min-width:0;border:0;outline:0;background:transparent;padding:2px 0`;
      input.addEventListener("input", () => { this.#shape(name, input); this.emit("change", this.state()); });
      input.addEventListener("focus", () => this.emit("focus"));
      input.addEventListener("blur", () => { this.left = { ...this.left, [name]: true }; this.emit("blur"); this.emit("change", this.state()); });
      input.addEventListener("keydown", (event) => { if (event.key === "Escape") this.emit("escape"); });
      this.box.append(input);
      return input;
    }
    #shape(name, input) {
      const digits = input.value.replace(/\D/g, "");
      if (name === "number") input.value = digits.slice(0, 19).replace(/(.{4})(?=.)/g, "$1 ");
      else if (name === "cvc") input.value = digits.slice(0, 4);
      else input.value = digits.length > 2 ? `${digits.slice(0, 2)} / ${digits.slice(2, 4)}` : digits;
    }
    #dress() {
      const base = this.options.style?.base ?? {};
      for (const input of Object.values(this.inputs)) {
        input.style.color = base.color ?? "inherit";
        input.style.font = `${base.fontWeight ?? 400} ${base.fontSize ?? "16px"} ${base.fontFamily ?? "inherit"}`;
        input.disabled = !!this.options.disabled;
      }
    }
    /** What is wrong with what was typed; fields that were not left yet are only unfinished. */
    fault(strict) {
      const of = (code) => ({ type: "validation_error", code, message: this.words[code] });
      const done = (name) => strict || this.left?.[name];
      const number = this.inputs.number.value.replace(/\D/g, "");
      const [month, year] = this.inputs.expiry.value.split("/").map((part) => part.trim());
      const wanted = /^3[47]/.test(number) ? 15 : 16;
      if (number.length >= wanted ? !luhn(number) : done("number") && (strict || number))
        return of(number.length >= wanted ? "invalid_number" : "incomplete_number");
      if (!year || year.length < 2) { if (done("expiry") && (strict || month)) return of("incomplete_expiry"); }
      else if (+month < 1 || +month > 12) return of("invalid_expiry_month");
      else if (new Date(2000 + +year, +month) <= new Date()) return of("invalid_expiry_year_past");
      if (this.inputs.cvc.value.length < 3 && done("cvc") && (strict || this.inputs.cvc.value)) return of("incomplete_cvc");
    }
    state() {
      const number = this.inputs.number.value.replace(/\D/g, "");
      const empty = Object.values(this.inputs).every((input) => !input.value);
      const brand = brands.find(([start]) => start.test(number))?.[1] ?? "unknown";
      return { elementType: "card", empty, complete: !this.fault(true), error: this.fault(false), brand, value: { postalCode: "" } };
    }
    mount(place) {
      const target = typeof place === "string" ? document.querySelector(place) : place;
      if (!target) throw new Error("The element to mount into is missing.");
      target.classList.add("StripeElement");
      target.replaceChildren(this.box);
      setTimeout(() => this.emit("ready", { elementType: "card" }));
      return this;
    }
    unmount() { this.box.remove(); }
    destroy() { this.box.remove(); this.destroyed = true; this.onDestroy?.(); }
    update(options) { Object.assign(this.options, options); this.#dress(); }
    clear() { for (const input of Object.values(this.inputs)) input.value = ""; this.left = {}; this.emit("change", this.state()); }
    focus() { this.inputs.number.focus(); }
    blur() { document.activeElement?.blur(); }
    collapse() {}
  }

  class Elements extends Emitter {
    #made = null;
    constructor(options) { super(); this.options = options ?? {}; }
    create(type, options) {
      if (type !== "card") throw new Error(`The sandbox has no ${type} element.`);
      if (this.#made) throw new Error("Can only create one element of type card.");
      this.#made = new CardElement(options, this.options.locale);
      this.#made.onDestroy = () => { this.#made = null; };
      return this.#made;
    }
    getElement(type) { return (typeof type === "string" ? type : type?.__elementType) === "card" ? this.#made : null; }
    update(options) { Object.assign(this.options, options); }
    async fetchUpdates() { return {}; }
    async submit() { return {}; }
  }

  /** The bank's question, above the page; resolves to the customer's answer. */
  const ask = (words) => new Promise((answered) => {
    const shade = document.createElement("div");
    shade.style.cssText = "position:fixed;inset:0;z-index:2147483647;display:grid;place-items:center;background:rgba(0,0,0,.45)";
    const box = document.createElement("div");
    box.setAttribute("role", "dialog");
    box.setAttribute("aria-modal", "true");
    box.setAttribute("aria-label", words.ask);
    box.style.cssText = "max-width:280px;margin:12px;padding:20px;border-radius:12px;background:#fff;color:#111;font:15px/1.5 system-ui,sans-serif";
    const title = document.createElement("strong"), about = document.createElement("p"), row = document.createElement("div");
    title.textContent = words.ask;
    about.textContent = words.about;
    row.style.cssText = "display:flex;gap:8px;justify-content:flex-end";
    for (const outcome of ["no", "yes"]) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = words[outcome];
      button.style.cssText = `padding:8px 14px;border:1px solid #017c6e;border-radius:18px;font:inherit;cursor:pointer;${outcome === "yes" ? "background:#017c6e;color:#fff" : "background:#fff;color:#017c6e"}`;
      button.addEventListener("click", () => { shade.remove(); answered(outcome === "yes"); });
      row.append(button);
    }
    box.append(title, about, row);
    shade.append(box);
    document.body.append(shade);
    row.lastChild.focus();
  });

  function Stripe(key, settings) {
    const words = () => wordsOf(settings?.locale);
    const call = async (intent, what, secret, fields) => {
      try {
        const body = new URLSearchParams({ key, client_secret: secret, ...fields });
        const answer = await fetch(`${API}/v1/payment_intents/${intent}/${what}`, { method: "POST", body });
        const said = await answer.json();
        return answer.ok ? { paymentIntent: said } : { error: said.error };
      } catch {
        return { error: { type: "api_connection_error", message: words().api } };
      }
    };
    const confirm = async (secret, card) => {
      const intent = String(secret).split("_secret_")[0];
      if (!/^pi_/.test(intent)) throw new Error("Invalid value for the client secret.");
      if (!(card instanceof CardElement) || card.destroyed) throw new Error("We could not retrieve data from the specified Element.");
      const fault = card.fault(true);
      if (fault) return { error: fault };
      const [month, year] = card.inputs.expiry.value.split("/").map((part) => part.trim());
      const said = await call(intent, "confirm", secret, {
        "payment_method_data[type]": "card",
        "payment_method_data[card][number]": card.inputs.number.value.replace(/\D/g, ""),
        "payment_method_data[card][exp_month]": month,
        "payment_method_data[card][exp_year]": year,
        "payment_method_data[card][cvc]": card.inputs.cvc.value,
      });
      if (said.paymentIntent?.status !== "requires_action") return said;
      const yes = await ask(card.words);
      return call(intent, "authenticate", secret, { outcome: yes ? "ok" : "fail" });
    };
    return {
      elements: (options) => new Elements({ locale: settings?.locale, ...options }),
      confirmCardPayment: (secret, data) => confirm(secret, data?.payment_method?.card),
      confirmPayment: ({ elements, clientSecret }) => confirm(clientSecret, elements.getElement("card")),
      createToken: async () => ({ error: { type: "invalid_request_error", message: "The sandbox makes no tokens." } }),
      createPaymentMethod: async () => ({ error: { type: "invalid_request_error", message: "The sandbox makes no payment methods." } }),
      registerAppInfo() {},
      _registerWrapper() {},
    };
  }
  Stripe.version = "endive";
  window.Stripe = Stripe;
})();
