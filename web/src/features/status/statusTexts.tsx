import { createContext, Fragment, type ReactNode, use, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { clockOf, zoned } from '../../shared/i18n/format.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';

/**
 * Texts of the status page by name. A text that does not apply is absent. The server writes the
 * texts into the document (crates/server/src/site/open_pages/status_texts.rs). The live page
 * derives the same texts from API responses with `textsNow` and `textsPast`.
 */
export type Texts = Readonly<Record<string, string>>;

/** Texts of the present state: kind of the banner, numbers of the last day, engine, mails. */
export interface TextsNow {
  texts: Texts;
  hours: Texts[];
}

/** Texts of the history: shares of months, three months by day, incidents. */
export interface TextsPast {
  texts: Texts;
  days: Texts[];
  /** The last 30 days of `days`. */
  month: Texts[];
  incidents: Texts[];
}

export interface StatusTexts {
  now: TextsNow;
  past: TextsPast;
}

/** Value in place of the texts while a document is built. The server fills the placeholders in. */
export const template = 'template';

type Source = Texts | string;
interface Sources {
  now: Source;
  past: Source;
  item: Source;
  lists: Record<List, Texts[] | typeof template>;
}

const Context = createContext<Sources | null>(null);

export function StatusTextsProvider({ texts, children }: { texts: StatusTexts | typeof template; children: ReactNode }) {
  const sources = useMemo<Sources>(() => {
    if (texts === template)
      return {
        now: 'now.texts',
        past: 'past.texts',
        item: 'item',
        lists: { hours: template, days: template, month: template, incidents: template },
      };
    const { now, past } = texts;
    return {
      now: now.texts,
      past: past.texts,
      item: {},
      lists: { hours: now.hours, days: past.days, month: past.month, incidents: past.incidents },
    };
  }, [texts]);
  return <Context value={sources}>{children}</Context>;
}

/** Provides the texts of one list entry, which its children read with the scope `item`. */
export function TextsProvider({ texts, children }: { texts: Texts; children: ReactNode }) {
  const around = useSources();
  return <Context value={{ ...around, item: texts }}>{children}</Context>;
}

type Scope = 'now' | 'past' | 'item';

function useSources(): Sources {
  const sources = use(Context);
  if (!sources) throw new Error('texts of the status page stand within <StatusTextsProvider>');
  return sources;
}

const opening = (path: string) => `⟦% if ${path} %⟧`;
const closing = '⟦% endif %⟧';
const opposite = (path: string) => `⟦% if not ${path} %⟧`;

const units = [
  ['second', 'status.spanSeconds'],
  ['minute', 'status.spanMinutes'],
  ['hour', 'status.spanHours'],
  ['day', 'status.spanDays'],
] as const;

/**
 * Returns functions that read the texts of a scope. While a document is built, they return every
 * variant of a sentence with the server's conditions around it.
 */
export function useStatusTexts(scope: Scope) {
  const source = useSources()[scope];
  const { t } = useTranslation();
  const language = useLanguage();
  return useMemo(() => {
    const making = typeof source === 'string';
    const text = (name: string) => (making ? `⟦ ${source}.${name} ⟧` : (source[name] ?? ''));
    /** Returns a text if the condition `name` exists. */
    const when = (name: string, content: string) => {
      if (making) return `${opening(`${source}.${name}`)}${content}${closing}`;
      return source[name] === undefined ? '' : content;
    };
    const unless = (name: string, content: string) => {
      if (making) return `${opposite(`${source}.${name}`)}${content}${closing}`;
      return source[name] === undefined ? content : '';
    };
    /** Returns the plural form of a text with a number. */
    const plural = (key: TextKey, name: string, values = {}) =>
      t(`${key}_other` as 'status.mails_other', { ...values, count: text(name) as unknown as number });
    return {
      text,
      when,
      unless,
      /** Returns the text for `name_one` or `name_many`. */
      number: (name: string, key: TextKey, values = {}): string =>
        when(`${name}_one`, t(key as 'status.mails', { ...values, count: 1 })) +
        when(`${name}_many`, plural(key, `${name}_many`, values)),
      /** Returns the text for `name_hour`, `name_hours` and so on: `3 hours`. */
      span: (name: string): string =>
        units
          .map(
            ([unit, key]) =>
              when(`${name}_${unit}`, t(key, { count: 1 })) +
              when(`${name}_${unit}s`, plural(key as TextKey, `${name}_${unit}s`)),
          )
          .join(''),
      /** Returns the time of `name_am` or `name_pm`, after `name_date` if that exists. */
      moment: (name: string): string =>
        when(`${name}_date`, `${text(`${name}_date`)} `) +
        when(`${name}_am`, zoned(clockOf({ afternoon: false, hour: text(`${name}_am`) }, language), language)) +
        when(`${name}_pm`, zoned(clockOf({ afternoon: true, hour: text(`${name}_pm`) }, language), language)),
    };
  }, [source, t, language]);
}

interface Condition {
  of?: Scope;
  children: ReactNode;
}

/** Renders its children if the text `is` exists, or if the text `not` does not exist. */
export function When({ of = 'now', is, not, children }: Condition & ({ is: string; not?: never } | { not: string; is?: never })) {
  const source = useSources()[of];
  const name = is ?? not;
  const making = typeof source === 'string';
  const shown = making || (source[name] !== undefined) === (is !== undefined);
  // There are always three children, because React numbers them. The numbers must be equal in the
  // document and in the browser.
  return (
    <Fragment>
      {making ? (is ? opening : opposite)(`${source}.${name}`) : null}
      {shown ? children : null}
      {making ? closing : null}
    </Fragment>
  );
}

const one: Texts[] = [{}];

/** Name of a list: 24 hours, 90 days, the last 30 days, or incidents. */
export type List = 'hours' | 'days' | 'month' | 'incidents';

/** Renders its children for each entry of a list. The entry is the scope `item`. */
export function Rows({ of, children }: { of: List; children: ReactNode }) {
  const sources = useSources();
  const list = sources.lists[of];
  const making = list === template;
  const place = of === 'hours' ? 'now' : 'past';
  return (
    <Fragment>
      {making ? `⟦% for item in ${place}.${of} %⟧` : null}
      {(making ? one : list).map((item, at) => (
        <Context key={at} value={making ? sources : { ...sources, item }}>
          {children}
        </Context>
      ))}
      {making ? '⟦% endfor %⟧' : null}
    </Fragment>
  );
}
