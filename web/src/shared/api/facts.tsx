import { createContext, Fragment, type ReactNode, useContext } from 'react';

/**
 * Facts that the server puts into open documents when it sends them;
 * crates/server/src/site/open_pages/facts.rs has the same names. They are texts ready to read, the
 * same in both languages. A fact that does not apply is absent.
 */
export type Fact =
  // Features of this server. Their text is "1".
  | 'demo' // the server is a demo
  | 'google' // sign-in with Google
  | 'mail' // addresses are verified by mail
  | 'billing_off' // nothing is charged
  | 'invite_only' // registration needs an invitation
  | 'registration_off' // registration is closed
  // Notification channels that need an account of the operator. The others are always available.
  | 'web_push'
  | 'telegram'
  | 'wx_pusher'
  | 'sms'
  // State of the portal: one of the three after a recent poll, and its age in one of two units.
  | 'portal_ok'
  | 'portal_slow'
  | 'portal_down'
  | 'seen_seconds'
  | 'seen_minutes'
  // To date. `figures` exists after the first poll; then the first three, `ratings`, and `enough`
  // or `few` exist.
  | 'figures'
  | 'finished_tasks' // "1,234"
  | 'days_saved'
  | 'checks_total'
  | 'ratings'
  | 'ratings_wanted' // "20"
  | 'enough' // enough ratings: then there are `satisfied` ("96%") and `rating` ("4.8")
  | 'few'
  // Time of the count, in Toronto.
  | 'figures_date' // "2026-11-21"
  | 'figures_time' // "21:40"
  | 'satisfied'
  | 'rating'
  // Price of a booking per applicant, before personal discounts.
  | 'price' // "38.00 CAD"
  | 'tax' // included tax, "13% HST"
  // Card payments are available. Then both limits exist.
  | 'cards'
  | 'card_min'
  | 'card_max'
  // Discount of a referral code per applicant, and the referrer's reward.
  | 'referral_off'
  | 'referral_bonus'
  // Operator of this server.
  | 'operator'
  | 'operator_address'
  | 'operator_contact'
  // Support. `contact` if there is any; `wechat`, `group`, `social` if there is a name or a code.
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
  // Support hours in Beijing ("21:00", "11:00") if they are Toronto's usual ones, else as the
  // operator set them.
  | 'hours_from'
  | 'hours_to'
  | 'hours'
  // The operator has pictures of their own. `Each` shows them.
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

/**
 * Replaces the facts while a document is built. Every place is marked, and the server fills it when
 * it sends the document.
 */
export const template = 'template';

/** Facts that are known, a template, or neither in the app, which queries the server itself. */
const FactsContext = createContext<Facts | typeof template | null>(null);

export function FactsProvider({ facts, children }: { facts: Facts | typeof template; children: ReactNode }) {
  return <FactsContext value={facts}>{children}</FactsContext>;
}

/** Returns the facts in the loaded document. */
export function readFacts(): Facts {
  const text = document.getElementById('facts')?.textContent;
  return text ? (JSON.parse(text) as Facts) : {};
}

// A document is a template of minijinja with its own delimiters
// (crates/server/src/site/open_pages/template.rs).
const mark = (name: string) => `⟦${name}⟧`;
const tag = (text: string) => `⟦%${text}%⟧`;
/**
 * Marks texts within a sentence whose dates must not break. The server applies to them what `t`
 * applies to texts.
 */
export const unbrokenMark = (text: string) => text.replace(/⟦([a-z._]+)⟧/g, '⟦$1|unbroken⟧');
/** Returns one text if a fact exists, another if not. */
export const conditionalMark = (fact: Fact, text: string, other: string) =>
  `${tag(`if ${fact}`)}${text}${tag('else')}${other}${tag('endif')}`;
const marks = new Proxy({} as Record<Fact, string>, { get: (_, name) => mark(String(name)) });
const values = (facts: Facts) =>
  new Proxy(facts as Record<Fact, string>, { get: (target, name) => Reflect.get(target, name) ?? '' });

/**
 * Returns the texts to show, `''` if absent. Show them whole or pass them to `t` whole (never as
 * `count`), because they are marks while a document is built. `If` decides visibility; handlers and
 * effects use `useKnownFacts`.
 */
export function useFacts(): Readonly<Record<Fact, string>> {
  const facts = useContext(FactsContext);
  return facts === template ? marks : values(facts ?? {});
}

/**
 * Returns the facts themselves, for handlers and effects. It is null while a document is built, and
 * in the app.
 */
export function useKnownFacts(): Facts | null {
  const facts = useContext(FactsContext);
  return facts === template ? null : facts;
}

/** Returns whether the document states that nothing is charged; `template` during the build. */
export function useUnbilled(): boolean | typeof template {
  const facts = useContext(FactsContext);
  return facts === template ? template : facts?.billing_off !== undefined;
}

/** Returns one number if a fact exists, another if not (and in the app). Only for display. */
export function useConditionalNumber(fact: Fact, present: number, otherwise: number): string {
  const facts = useContext(FactsContext);
  if (facts === template) return conditionalMark(fact, String(present), String(otherwise));
  return String(facts?.[fact] === undefined ? otherwise : present);
}

interface ConditionProps {
  children: ReactNode;
  /** Value in the app, where no document provides the fact. */
  otherwise?: boolean;
}

/** Renders its children if a fact exists (`fact`), or does not (`not`). */
export function If({
  fact,
  not,
  otherwise = false,
  children,
}: ConditionProps & ({ fact: Fact; not?: never } | { not: Fact; fact?: never })) {
  const facts = useContext(FactsContext);
  const name = fact ?? not;
  const building = facts === template;
  const shown = building || (facts ? (facts[name] !== undefined) === (fact !== undefined) : otherwise);
  // Three children in any case: React's numbering inside them must match between document and
  // browser.
  return (
    <Fragment>
      {building ? tag(`if ${fact ? '' : 'not '}${name}`) : null}
      {shown ? children : null}
      {building ? tag('endif') : null}
    </Fragment>
  );
}

/** Renders its children if something is charged, or everywhere if `always`. */
export function WhereBilled({ always = false, children }: { always?: boolean; children: ReactNode }) {
  if (always) return children;
  return (
    <If not="billing_off" otherwise>
      {children}
    </If>
  );
}

interface RegistrationProps {
  children: ReactNode;
  /** Value in the app, where no document provides the fact. */
  otherwise?: boolean;
}

/** Renders its children if registration is open. */
export function WhereOpen({ otherwise = true, children }: RegistrationProps) {
  return (
    <If not="invite_only" otherwise={otherwise}>
      <If not="registration_off" otherwise={otherwise}>
        {children}
      </If>
    </If>
  );
}

/** Renders its children if registration needs an invitation or is closed. */
export function WhereClosed({ otherwise = false, children }: RegistrationProps) {
  return (
    <>
      <If fact="invite_only" otherwise={otherwise}>
        {children}
      </If>
      <If fact="registration_off">{children}</If>
    </>
  );
}

const placeholder: Picture = { src: mark('picture.src'), zh: mark('picture.zh'), en: mark('picture.en') };
const placeholders = [placeholder];

/**
 * Renders each picture of the operator's gallery. The children must not call `useId`, because their
 * position is unknown in advance.
 */
export function Each({ children }: { children: (picture: Picture, index: number) => ReactNode }) {
  const facts = useContext(FactsContext);
  const building = facts === template;
  const pictures = building ? placeholders : (facts?.gallery ?? []);
  return (
    <Fragment>
      {building ? tag('for picture in gallery') : null}
      {pictures.map((picture, index) => (
        <Fragment key={picture.src}>{children(picture, index)}</Fragment>
      ))}
      {building ? tag('endfor') : null}
    </Fragment>
  );
}
