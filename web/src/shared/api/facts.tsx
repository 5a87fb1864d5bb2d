import { createContext, Fragment, type ReactNode, useContext } from 'react';

/**
 * What the server knows and puts into the documents of the open pages when it sends them (crates/server/src/site/open_pages/facts.rs
 * has the same names): texts, ready to be read, the same in both languages. What is not so, or not set up, is not there.
 */
export type Fact =
  // What is on offer here; their text is "1".
  | 'demo' // the server is a demonstration
  | 'google' // sign-in with Google
  | 'mail' // addresses are proven by mail
  | 'billing_off' // nothing is charged
  | 'invite_only' // who registers needs an invitation
  | 'registration_off' // nobody registers
  // Notification channels that need an account of the operator's; the others are everywhere.
  | 'web_push'
  | 'telegram'
  | 'wx_pusher'
  | 'sms'
  // How the portal is: one of the three where anybody looked lately, and how long ago that was, in one of two units.
  | 'portal_ok'
  | 'portal_slow'
  | 'portal_down'
  | 'seen_seconds'
  | 'seen_minutes'
  // To date. `figures` as soon as a look was made; then all of the first three, `ratings`, and `enough` or `few`.
  | 'figures'
  | 'finished_tasks' // "1,234"
  | 'days_saved'
  | 'checks_total'
  | 'ratings'
  | 'ratings_wanted' // "20"
  | 'enough' // enough ratings to speak of: then there are `satisfied` ("96%") and `rating` ("4.8")
  | 'few'
  // When they were counted, in Toronto.
  | 'figures_date' // "2026-11-21"
  | 'figures_time' // "21:40"
  | 'satisfied'
  | 'rating'
  // What a booking costs for each applicant, before anybody's discounts.
  | 'price' // "38.00 CAD"
  | 'tax' // that it includes, "13% HST"
  // Card payments are on offer: then both limits are there.
  | 'cards'
  | 'card_min'
  | 'card_max'
  // What a friend's code takes off each applicant's price, and what the friend gets.
  | 'referral_off'
  | 'referral_bonus'
  // Who runs this server.
  | 'operator'
  | 'operator_address'
  | 'operator_contact'
  // Support. `contact` where there is any; `wechat`, `group`, `social` where there is a name or a code of it.
  | 'contact'
  | 'wechat'
  | 'wechat_id'
  | 'wechat_qr' // the address of a picture (PNG), as the other two
  | 'group'
  | 'group_name'
  | 'group_qr'
  | 'email'
  | 'email_href' // "mailto:…"
  | 'social'
  | 'xiaohongshu_id'
  | 'xiaohongshu_qr'
  // Support's hours in Beijing ("21:00", "11:00") where they are the usual ones of Toronto, else as they were set.
  | 'hours_from'
  | 'hours_to'
  | 'hours'
  // The operator has pictures of their own: `Each` shows them.
  | 'pictures';

/** A picture of the operator's own gallery. */
export interface Picture {
  /** Its address. */
  src: string;
  zh: string;
  en: string;
}

/** All facts of a document. */
export type Facts = Readonly<Partial<Record<Fact, string>>> & { readonly gallery?: readonly Picture[] };

/** Stands for the facts while a document is made: every place is marked, and the server fills it when it sends the document. */
export const template = 'template';

/** Where facts are known, made into a template, or (in the app, which asks the server itself) neither. */
const Context = createContext<Facts | typeof template | null>(null);

export function FactsProvider({ facts, children }: { facts: Facts | typeof template; children: ReactNode }) {
  return <Context value={facts}>{children}</Context>;
}

/** The facts in the document that was loaded. */
export function readFacts(): Facts {
  const text = document.getElementById('facts')?.textContent;
  return text ? (JSON.parse(text) as Facts) : {};
}

// What stands in a document is a template of minijinja, with delimiters of its own (crates/server/src/site/open_pages/template.rs).
const mark = (name: string) => `⟦${name}⟧`;
const tag = (text: string) => `⟦%${text}%⟧`;
/** Marks within a sentence as texts whose dates never break: the server does to them what `t` does to texts. */
export const unbrokenMark = (text: string) => text.replace(/⟦([a-z._]+)⟧/g, '⟦$1|unbroken⟧');
/** One text where a fact is there, another where it is not. */
export const eitherMark = (fact: Fact, text: string, other: string) =>
  `${tag(`if ${fact}`)}${text}${tag('else')}${other}${tag('endif')}`;
const marks = new Proxy({} as Record<Fact, string>, { get: (_, name) => mark(String(name)) });
const values = (facts: Facts) =>
  new Proxy(facts as Record<Fact, string>, { get: (target, name) => Reflect.get(target, name) ?? '' });

/**
 * The texts to show, `''` where one is not there. Only to be shown, whole, or given to `t` whole (never as `count`): while a
 * document is made they are marks. What is shown at all is decided by `If`; in handlers and effects, by `useKnown`.
 */
export function useFacts(): Readonly<Record<Fact, string>> {
  const facts = useContext(Context);
  return facts === template ? marks : values(facts ?? {});
}

/** The facts themselves, for handlers and effects; null while a document is made, and in the app. */
export function useKnown(): Facts | null {
  const facts = useContext(Context);
  return facts === template ? null : facts;
}

/** Whether the document says that nothing is charged; `template` while it is made. */
export function useUnbilled(): boolean | typeof template {
  const facts = useContext(Context);
  return facts === template ? template : facts?.billing_off !== undefined;
}

/** One number where a fact is there, another where it is not (and in the app); only to be shown. */
export function useEither(fact: Fact, there: number, otherwise: number): string {
  const facts = useContext(Context);
  if (facts === template) return eitherMark(fact, String(there), String(otherwise));
  return String(facts?.[fact] === undefined ? otherwise : there);
}

interface Condition {
  children: ReactNode;
  /** What counts in the app, where no document tells. */
  otherwise?: boolean;
}

/** Shows its children where a fact is there (`fact`), or is not (`not`). */
export function If({
  fact,
  not,
  otherwise = false,
  children,
}: Condition & ({ fact: Fact; not?: never } | { not: Fact; fact?: never })) {
  const facts = useContext(Context);
  const name = fact ?? not;
  const making = facts === template;
  const shown = making || (facts ? (facts[name] !== undefined) === (fact !== undefined) : otherwise);
  // Three children in any case: what React numbers within them must be the same in the document and here.
  return (
    <Fragment>
      {making ? tag(`if ${fact ? '' : 'not '}${name}`) : null}
      {shown ? children : null}
      {making ? tag('endif') : null}
    </Fragment>
  );
}

/** Shows its children where something is charged; everywhere, where they are `always` shown. */
export function WhereBilled({ always = false, children }: { always?: boolean; children: ReactNode }) {
  if (always) return children;
  return (
    <If not="billing_off" otherwise>
      {children}
    </If>
  );
}

interface Registering {
  children: ReactNode;
  /** What counts in the app, where no document tells. */
  otherwise?: boolean;
}

/** Shows its children where anybody may register. */
export function WhereOpen({ otherwise = true, children }: Registering) {
  return (
    <If not="invite_only" otherwise={otherwise}>
      <If not="registration_off" otherwise={otherwise}>
        {children}
      </If>
    </If>
  );
}

/** Shows its children where people register by invitation only, or not at all. */
export function WhereClosed({ otherwise = false, children }: Registering) {
  return (
    <>
      <If fact="invite_only" otherwise={otherwise}>
        {children}
      </If>
      <If fact="registration_off">{children}</If>
    </>
  );
}

const place: Picture = { src: mark('picture.src'), zh: mark('picture.zh'), en: mark('picture.en') };
const one = [place];

/** Shows each picture of the operator's gallery. What is within must not call `useId`: its place in the list is not known ahead. */
export function Each({ children }: { children: (picture: Picture, index: number) => ReactNode }) {
  const facts = useContext(Context);
  const making = facts === template;
  const pictures = making ? one : (facts?.gallery ?? []);
  return (
    <Fragment>
      {making ? tag('for picture in gallery') : null}
      {pictures.map((picture, index) => (
        <Fragment key={picture.src}>{children(picture, index)}</Fragment>
      ))}
      {making ? tag('endfor') : null}
    </Fragment>
  );
}
