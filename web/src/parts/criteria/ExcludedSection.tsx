import { Plus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CivilDate } from '../../shared/format/dates.ts';
import {
  addExcluded,
  allWithin,
  type Cut,
  cutToWindow,
  type DayRange,
  type ExcludedProblem,
  rangeDays,
  removeExcluded,
} from '../../shared/format/excludedDates.ts';
import { joined } from '../../shared/i18n/format.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { classes } from '../../shared/ui/classes.ts';
import { DateField } from '../../shared/ui/DateField.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Segmented } from '../../shared/ui/Segmented.tsx';
import { ExcludedChip } from './ExcludedChip.tsx';
import styles from './ExcludedSection.module.css';
import { Section } from './Section.tsx';
import { type SearchForm, windowOf } from './searchForm.ts';

const problems: Record<ExcludedProblem, TextKey> = {
  incomplete: 'editor.excludedIncomplete',
  endBeforeStart: 'editor.endBeforeStart',
  outOfRange: 'editor.excludedOutOfRange',
  duplicate: 'editor.excludedTwice',
};

/**
 * Renders the section for excluded dates: single dates and ranges within the window. Adjacent ones
 * are joined.
 */
export function ExcludedSection({ form, onChange }: { form: SearchForm; onChange: (form: SearchForm) => void }) {
  const { t } = useTranslation();
  const [kind, setKind] = useState<'single' | 'range'>('single');
  const [start, setStart] = useState<CivilDate | null>(null);
  const [end, setEnd] = useState<CivilDate | null>(null);
  const [problem, setProblem] = useState<ExcludedProblem | null>(null);
  const [lastCut, setLastCut] = useState<Cut | null>(null);
  const window = windowOf(form);
  const outside = window !== null && !allWithin(form.excluded, window);
  const texts = (wrong: ExcludedProblem): TextKey =>
    wrong === 'incomplete' && kind === 'single' ? 'editor.excludedDay' : problems[wrong];
  // Changing the entry clears its error.
  const enter = <T,>(set: (value: T) => void) => {
    return (value: T) => {
      set(value);
      setProblem(null);
    };
  };
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (!window) return;
    const result = addExcluded(form.excluded, { start, end: kind === 'single' ? start : end }, window);
    if ('problem' in result) {
      setProblem(result.problem);
      return;
    }
    onChange({ ...form, excluded: result.ranges });
    setStart(null);
    setEnd(null);
    setProblem(null);
  };
  const cut = () => {
    if (!window) return;
    const result = cutToWindow(form.excluded, window);
    onChange({ ...form, excluded: result.ranges });
    setLastCut(result);
  };
  const clear = form.excluded.length > 0 && (
    <Button variant="text" size="small" onClick={() => onChange({ ...form, excluded: [] })} className={styles.clear}>
      {t('editor.clearAll')}
    </Button>
  );
  const hint: TextKey = !window ? 'editor.excludedNoWindow' : kind === 'range' ? 'editor.rangeHint' : 'editor.singleHint';
  const wrong = problem ? texts(problem) : outside ? 'editor.excludedOutOfRange' : null;
  const limits = { min: window?.start, max: window?.end };
  return (
    <Section part="excluded" title={t('editor.excluded')} aside={clear}>
      {form.excluded.length > 0 && (
        <ul aria-label={t('editor.excluded')} className={styles.chips}>
          {form.excluded.map((range) => (
            <ExcludedChip
              key={range.start}
              range={range}
              onRemove={() => onChange({ ...form, excluded: removeExcluded(form.excluded, range) })}
            />
          ))}
        </ul>
      )}
      <form noValidate onSubmit={add} className={styles.entry}>
        <div className={styles.kind}>
          <Segmented
            label={t('editor.kind')}
            value={kind}
            options={[
              { value: 'single', label: t('editor.single') },
              { value: 'range', label: t('editor.range') },
            ]}
            onChange={enter(setKind)}
          />
        </div>
        <DateField
          size="small"
          hideLabel
          label={kind === 'single' ? t('editor.day') : t('editor.from')}
          value={start}
          onChange={enter(setStart)}
          {...limits}
          className={kind === 'single' ? styles.alone : styles.pair}
        />
        {kind === 'range' && (
          <DateField
            size="small"
            hideLabel
            label={t('editor.to')}
            value={end}
            onChange={enter(setEnd)}
            {...limits}
            min={start ?? limits.min}
          />
        )}
        <Button
          type="submit"
          variant="soft"
          size="small"
          disabled={!window}
          start={<Icon of={Plus} size={16} />}
          className={styles.add}
        >
          {t('editor.add')}
        </Button>
      </form>
      <p role={wrong ? 'alert' : undefined} className={classes(styles.note, wrong && styles.wrong)}>
        {t(wrong ?? hint)}
      </p>
      {outside && window && (
        <Button variant="secondary" size="small" onClick={cut} className={styles.cut}>
          {t('editor.cutToRange')}
        </Button>
      )}
      <div role="status">{lastCut && !outside && <CutNote cut={lastCut} />}</div>
    </Section>
  );
}

/** Renders which excluded dates were shortened or removed when the window became shorter. */
function CutNote({ cut }: { cut: Cut }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const names = (ranges: DayRange[]) =>
    joined(
      ranges.map((range) => (rangeDays(range) === 1 ? range.start : t('unit.range', { start: range.start, end: range.end }))),
      language,
    );
  return (
    <p className={styles.note}>
      {cut.shortened.length > 0 && t('editor.excludedCut', { ranges: names(cut.shortened) })}{' '}
      {cut.dropped.length > 0 && t('editor.excludedDropped', { ranges: names(cut.dropped) })}
    </p>
  );
}
