import { ChevronDown, ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { DayPicker } from 'react-day-picker';
import { addMonths, type CivilDate } from '../format/dates.ts';
import styles from './Calendar.module.css';
import { ChoiceGrid } from './ChoiceGrid.tsx';
import { Icon } from './Icon.tsx';
import { IconButton } from './IconButton.tsx';
import { useUiLanguage, useUiTexts } from './UiTexts.tsx';
import { useMediaQuery } from './useMediaQuery.ts';

/**
 * Converts a civil date to noon in UTC for the day picker. At noon no time zone changes the date.
 */
const toNoon = (date: CivilDate) => new Date(`${date}T12:00:00Z`);
const toCivil = (date: Date): CivilDate => new Date(date.getTime()).toISOString().slice(0, 10);

const locales = { en: 'en-US', zh: 'zh-CN' } as const;
/** Weeks begin on Sunday in English and on Monday in Chinese. */
const weekStart = { en: 0, zh: 1 } as const;

interface Props {
  value: CivilDate | null;
  /** First and last selectable date. */
  first: CivilDate;
  last: CivilDate;
  onPick: (date: CivilDate) => void;
}

type View = 'day' | 'month' | 'year';

/**
 * Returns the date that is visible at first: the chosen date or today, moved into the selectable
 * range.
 */
function openingDate({ value, first, last }: Omit<Props, 'onPick'>): CivilDate {
  const wanted = value ?? toCivil(new Date());
  return wanted < first ? first : wanted > last ? last : wanted;
}

/**
 * Renders the days of a month. The heading opens a choice of months (3 per row) and of years (4 per
 * row, 3 on a phone). Arrow keys move within each view.
 */
export function Calendar({ value, first, last, onPick }: Props) {
  const texts = useUiTexts();
  const language = useUiLanguage();
  const [shown, setShown] = useState(() => openingDate({ value, first, last }));
  const [view, setView] = useState<View>('day');
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (view !== 'day') return;
    // Waits a frame until the panel is positioned. Otherwise the browser would scroll the page to
    // the old position.
    const frame = requestAnimationFrame(() =>
      root.current?.querySelector<HTMLElement>('[data-day] button[tabindex="0"]')?.focus({ preventScroll: true }),
    );
    return () => cancelAnimationFrame(frame);
  }, [view]);
  const yearColumns = useMediaQuery('(pointer: fine)') ? 4 : 3;
  const written = (date: Date, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locales[language], { ...options, timeZone: 'UTC' }).format(date);
  const month = shown.slice(0, 7);
  const year = Number(shown.slice(0, 4));
  const heading = written(toNoon(shown), { year: 'numeric', month: 'long' });
  const within = (date: CivilDate) => (date < first ? first : date > last ? last : date);
  const next: Record<View, View> = { day: 'year', year: 'month', month: 'day' };
  const switchTexts = { day: texts.chooseYear, year: texts.chooseMonth, month: texts.chooseDay };
  return (
    <div ref={root} className={styles.root}>
      <div className={styles.head}>
        <button
          type="button"
          className={styles.heading}
          aria-label={`${heading}, ${switchTexts[view]}`}
          onClick={() => setView(next[view])}
        >
          <span aria-live="polite">{heading}</span>
          <Icon of={ChevronDown} size={16} className={view === 'day' ? undefined : styles.turned} />
        </button>
        {view === 'day' && (
          <>
            <IconButton
              label={texts.previousMonth}
              disabled={month <= first.slice(0, 7)}
              onClick={() => setShown(within(addMonths(shown, -1)))}
            >
              <Icon of={ChevronLeft} />
            </IconButton>
            <IconButton
              label={texts.nextMonth}
              disabled={month >= last.slice(0, 7)}
              onClick={() => setShown(within(addMonths(shown, 1)))}
            >
              <Icon of={ChevronRight} />
            </IconButton>
          </>
        )}
      </div>
      {view === 'day' && (
        <DayPicker
          mode="single"
          required
          timeZone="UTC"
          noonSafe
          fixedWeeks
          hideNavigation
          weekStartsOn={weekStart[language]}
          selected={value ? toNoon(value) : undefined}
          onSelect={(date) => onPick(toCivil(date))}
          month={toNoon(`${month}-01`)}
          onMonthChange={(date) => setShown(within(toCivil(date)))}
          startMonth={toNoon(first)}
          endMonth={toNoon(last)}
          disabled={[{ before: toNoon(first) }, { after: toNoon(last) }]}
          classNames={dayClasses}
          components={noCaption}
          formatters={{ formatWeekdayName: (date) => written(date, { weekday: 'narrow' }) }}
          labels={{
            labelGrid: (date) => written(date, { year: 'numeric', month: 'long' }),
            labelWeekday: (date) => written(date, { weekday: 'long' }),
            labelDayButton: (date) => written(date, { dateStyle: 'full' }),
          }}
        />
      )}
      {view === 'month' && (
        <ChoiceGrid
          label={texts.chooseMonth}
          columns={3}
          chosen={month}
          choices={Array.from({ length: 12 }, (_, index) => {
            const key = `${year}-${String(index + 1).padStart(2, '0')}`;
            return {
              key,
              label: written(toNoon(`${key}-01`), { month: 'short' }),
              name: written(toNoon(`${key}-01`), { year: 'numeric', month: 'long' }),
              disabled: key < first.slice(0, 7) || key > last.slice(0, 7),
            };
          })}
          onPick={(key) => {
            setShown(within(`${key}-01`));
            setView('day');
          }}
        />
      )}
      {view === 'year' && (
        <ChoiceGrid
          label={texts.chooseYear}
          columns={yearColumns}
          chosen={String(year)}
          choices={years.map((key) => ({ key, label: key, disabled: key < first.slice(0, 4) || key > last.slice(0, 4) }))}
          onPick={(key) => {
            setShown(within(`${key}${shown.slice(4, 7)}-01`));
            setView('month');
          }}
        />
      )}
    </div>
  );
}

const years = Array.from({ length: 200 }, (_, index) => String(1900 + index));

/** Hides the day picker's own heading, because this component renders one. */
const noCaption = { MonthCaption: () => <></> };

const dayClasses = {
  month_grid: styles.grid,
  weekdays: styles.week,
  week: styles.week,
  weekday: styles.weekday,
  day: styles.day,
  day_button: styles.button,
  selected: styles.selected,
  today: styles.today,
  disabled: styles.disabled,
};
