import { Info } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type CivilDate, daysBetween } from '../../shared/format/dates.ts';
import type { DayRange } from '../../shared/format/excludedDates.ts';
import { DateField } from '../../shared/ui/DateField.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { OptionChip } from '../../shared/ui/OptionChip.tsx';
import { DateLine } from '../dateLine/DateLine.tsx';
import { Section } from './Section.tsx';
import { endProblem, presetWindows, type SearchForm, startProblem, windowBounds, windowOf, withStart } from './searchForm.ts';
import styles from './WindowSection.module.css';

/**
 * Data for the editor that is not in the form: today, the present appointment, recently seen dates.
 */
export interface EditorFacts {
  today: CivilDate;
  /**
   * Saved start of a running task, which may be in the past. Without it, the start must not be
   * before today.
   */
  began?: CivilDate | null;
  present: CivilDate | null;
  /** Appointments of other groups that the user chose. `present` is the latest of all. */
  others?: CivilDate[];
  seen: { date: CivilDate; facility: string }[];
  attemptsLeft: number | null;
  /** True if the task has a fingerprint appointment. */
  hasFingerprints?: boolean;
}

interface Props {
  form: SearchForm;
  facts: EditorFacts;
  onChange: (form: SearchForm) => void;
}

/** Renders the section for the window: the earliest and the latest acceptable date. */
export function WindowSection({ form, facts, onChange }: Props) {
  const { t } = useTranslation();
  const present = windowOf(form);
  // While the user types an incomplete date, the date line shows the last valid window, so that the
  // page does not move.
  const [drawn, setDrawn] = useState(present);
  if (present && (present.start !== drawn?.start || present.end !== drawn.end)) setDrawn(present);
  const window = present ?? drawn;
  const days = window ? daysBetween(window.start, window.end) + 1 : 0;
  const seen = facts.seen.filter((slot) => form.cities.includes(slot.facility));
  const marked = seen.map((slot) => ({
    date: slot.date,
    wanted: window !== null && slot.date >= window.start && slot.date <= window.end,
  }));
  const fields = useRef<HTMLDivElement>(null);
  const presets = presetWindows(facts.today, facts.present);
  // True if the user chose *other dates*. It stays true while the dates still equal a preset.
  const [other, setOther] = useState(false);
  const isSet = (preset: DayRange) => !other && form.start === preset.start && form.end === preset.end;
  const bounds = windowBounds(form, facts.today, facts.began);
  const startWrong = startProblem(form, facts.today, facts.began);
  const endWrong = endProblem(form, facts.today);
  const choose = (preset: DayRange) => {
    setOther(false);
    onChange({ ...form, ...preset });
  };
  return (
    <Section part="window" title={t('editor.which')}>
      <div role="group" aria-label={t('editor.presets')} className={styles.presets}>
        {presets.map(({ key, window: preset }) => (
          <OptionChip key={key} pressed={isSet(preset)} onClick={() => choose(preset)}>
            {t(`editor.${key}`)}
          </OptionChip>
        ))}
        <OptionChip
          pressed={!presets.some((preset) => isSet(preset.window))}
          onClick={() => {
            setOther(true);
            fields.current?.querySelector('input')?.focus();
          }}
        >
          {t('editor.custom')}
        </OptionChip>
      </div>
      <div ref={fields} className={styles.dates}>
        <DateField
          label={t('editor.start')}
          value={form.start}
          onChange={(start) => onChange(withStart(form, start))}
          {...bounds.start}
          error={startWrong ? t(startWrong) : undefined}
        />
        <DateField
          label={t('editor.end')}
          value={form.end}
          onChange={(end) => onChange({ ...form, end })}
          {...bounds.end}
          error={endWrong ? t(endWrong) : undefined}
        />
      </div>
      {window && (
        <div className={styles.line}>
          <DateLine
            today={facts.today}
            window={window}
            excluded={form.excluded}
            seen={marked}
            present={facts.present}
            others={facts.others}
            windowDays={present && !startWrong && !endWrong ? days : null}
          />
          {seen.length > 0 && (
            <p className={styles.seen}>
              <Icon of={Info} size={16} />
              {t('editor.seenInside', { count: marked.filter((slot) => slot.wanted).length })}
            </p>
          )}
        </div>
      )}
    </Section>
  );
}
