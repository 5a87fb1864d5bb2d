import { createContext, Fragment, type ReactNode, useContext } from 'react';

/**
 * Name of a fact: a value that the server inserts into a public document when it sends the
 * document. Values are formatted texts, equal in both languages. A fact that does not apply is
 * absent. crates/server/src/site/open_pages/facts.rs has the same names.
 */
export type Fact =
  // Features of this server. The value is "1" if the server has the feature.
  | 'demo' // the server is a demo
  | 'google' // sign-in with Google
  | 'mail' // mail addresses are verified by mail
  | 'passkeys' // passkeys can be used at the server's address
  | 'billing_off' // the server charges nothing
  | 'invite_only' // registration needs an invitation
  | 'registration_off' // registration is closed
  // Open countries with their cities, in both languages.
  | 'places_en' // "Canada (Calgary, Toronto); Ireland (Dublin)"
  | 'places_zh'
  // Notification channels that need an account of the operator. The others are always available.
  | 'web_push'
  | 'telegram'
  | 'wx_pusher'
  | 'sms'
  // State of the portal. After a recent poll one of these three exists, and the age of that poll in
  // one of two units.
  | 'portal_ok'
  | 'portal_slow'
  | 'portal_down'
  | 'seen_seconds'
  | 'seen_minutes'
  // Totals of this server. `figures` exists after the first poll. Then the three totals, `ratings`,
  // and either `enough` or `few` exist too.
  | 'figures'
  | 'finished_tasks' // "1,234"
  | 'days_saved'
  | 'checks_total'
  | 'ratings'
  | 'ratings_wanted' // "20"
  | 'enough' // enough ratings: `satisfied` ("96%") and `rating` ("4.8") exist
  | 'few'
  // Time at which the totals were computed, in Toronto.
  | 'figures_date' // "2026-11-21"
  | 'figures_time' // "21:40"
  | 'satisfied'
  | 'rating'
  // Price of a booking per applicant, before personal discounts.
  | 'price' // "38.00 CAD"
  | 'tax' // included tax, "13% HST"
  // Card payments are available. Then `card_min` and `card_max` exist.
  | 'cards'
  | 'card_min'
  | 'card_max'
  // Discount per applicant for users of a referral code, and the reward of the referrer.
  | 'referral_off'
  | 'referral_bonus'
  // Operator of this server: name, postal address, contact.
  | 'operator'
  | 'operator_address'
  | 'operator_contact'
  // Contacts of support. `contact` exists if there is any. `wechat`, `group` and `social` exist if
  // the operator set a name or a QR code.
  | 'contact'
  | 'wechat'
  | 'wechat_id'
  | 'wechat_qr' // address of a PNG picture, like the other two
  | 'group'
  | 'group_name'
  | 'group_qr'
  | 'email'
  | 'email_href' // "mailto:…"
  | 'social'
  | 'xiaohongshu_id'
  | 'xiaohongshu_qr'
  // Support hours. `hours_from` and `hours_to` are Beijing times, if the default hours apply.
  // `hours` is the text of an operator who set other hours.
  | 'hours_from'
  | 'hours_to'
  | 'hours'
  // The operator has a gallery. `Each` renders its pictures.
  | 'pictures';

/** Picture of the operator's gallery, with its caption in both languages. */
export interface Picture {
  /** Address of the image. */
  src: string;
  zh: string;
  en: string;
}

/** All facts of a document. */
export type Facts = Readonly<Partial<Record<Fact, string>>> & { readonly gallery?: readonly Picture[] };

/**
 * Value in place of the facts while a document is built. Components then write placeholders, and
 * the server fills them in when it sends the document.
 */
export const template = 'template';

/**
 * Facts of the document, or `template` while a document is built. It is null in the app, which
 * requests such values from the API.
 */
const FactsContext = createContext<Facts | typeof template | null>(null);

export function FactsProvider({ facts, children }: { facts: Facts | typeof template; children: ReactNode }) {
  return <FactsContext value={facts}>{children}</FactsContext>;
}

/** Returns the facts that the server wrote into the loaded document. */
export function readFacts(): Facts {
  const text = document.getElementById('facts')?.textContent;
  return text ? (JSON.parse(text) as Facts) : {};
}

// Syntax of the placeholders. The server processes a document with minijinja and these delimiters
// (crates/server/src/site/open_pages/template.rs).
const mark = (name: string) => `⟦${name}⟧`;
const tag = (text: string) => `⟦%${text}%⟧`;
/**
 * Adds a filter to the placeholders in a sentence. The server then forbids line breaks within
 * dates, as `t` does in the app.
 */
export const unbrokenMark = (text: string) => text.replace(/⟦([a-z._]+)⟧/g, '⟦$1|unbroken⟧');
/** Returns the template code for `text` if the fact exists, and for `other` if not. */
export const conditionalMark = (fact: Fact, text: string, other: string) =>
  `${tag(`if ${fact}`)}${text}${tag('else')}${other}${tag('endif')}`;
const marks = new Proxy({} as Record<Fact, string>, { get: (_, name) => mark(String(name)) });
const values = (facts: Facts) =>
  new Proxy(facts as Record<Fact, string>, { get: (target, name) => Reflect.get(target, name) ?? '' });

/**
 * Returns the facts as texts to show, `''` if absent. While a document is built they are
 * placeholders. Therefore show each text whole, or pass it whole to `t`, but never as `count`. Use
 * `If` to show or hide elements, and `useKnownFacts` in handlers and effects.
 */
export function useFacts(): Readonly<Record<Fact, string>> {
  const facts = useContext(FactsContext);
  return facts === template ? marks : values(facts ?? {});
}

/**
 * Returns the facts as the server sent them, for handlers and effects. Returns null in the app and
 * while a document is built.
 */
export function useKnownFacts(): Facts | null {
  const facts = useContext(FactsContext);
  return facts === template ? null : facts;
}

/**
 * Returns whether the document states that the server charges nothing. Returns `template` while a
 * document is built.
 */
export function useUnbilled(): boolean | typeof template {
  const facts = useContext(FactsContext);
  return facts === template ? template : facts?.billing_off !== undefined;
}

/**
 * Returns `present` as text if the fact exists, else `otherwise`. Only for display, because it is a
 * placeholder while a document is built.
 */
export function useConditionalNumber(fact: Fact, present: number, otherwise: number): string {
  const facts = useContext(FactsContext);
  if (facts === template) return conditionalMark(fact, String(present), String(otherwise));
  return String(facts?.[fact] === undefined ? otherwise : present);
}

interface ConditionProps {
  children: ReactNode;
  /** True to render the children in the app, where no document provides facts. */
  otherwise?: boolean;
}

/** Renders its children if the fact `fact` exists, or if the fact `not` does not exist. */
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
  // There are always three children, because React numbers them. The numbers must be equal in the
  // document and in the browser.
  return (
    <Fragment>
      {building ? tag(`if ${fact ? '' : 'not '}${name}`) : null}
      {shown ? children : null}
      {building ? tag('endif') : null}
    </Fragment>
  );
}

/** Renders its children if the server charges for bookings. `always` renders them in any case. */
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
  /** True to render the children in the app, where no document provides facts. */
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
 * Renders each picture of the operator's gallery. The children must not call `useId`, because the
 * number of pictures is unknown while a document is built.
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
