import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
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
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import type { Words } from '../../shared/i18n/words.ts';
import { DateField } from '../../shared/legacy/DateField.tsx';
import { Icon } from '../../shared/legacy/Icon.tsx';
import { Segmented } from '../../shared/legacy/Segmented.tsx';
import { ExcludedChip } from './ExcludedChip.tsx';
import { Section } from './Section.tsx';
import { type SearchForm, windowOf } from './searchForm.ts';

const problems: Record<ExcludedProblem, Words> = {
  incomplete: 'editor.excludedIncomplete',
  endBeforeStart: 'editor.endBeforeStart',
  outOfRange: 'editor.excludedOutside',
  duplicate: 'editor.excludedTwice',
};

/** Days you can't go: single days and ranges inside the window, joined when they touch. */
export function ExcludedSection({ form, onChange }: { form: SearchForm; onChange: (form: SearchForm) => void }) {
  const { t } = useTranslation();
  const [kind, setKind] = useState<'single' | 'range'>('single');
  const [start, setStart] = useState<CivilDate | null>(null);
  const [end, setEnd] = useState<CivilDate | null>(null);
  const [problem, setProblem] = useState<ExcludedProblem | null>(null);
  const [lastCut, setLastCut] = useState<Cut | null>(null);
  const window = windowOf(form);
  const outside = window !== null && !allWithin(form.excluded, window);
  const words = (wrong: ExcludedProblem): Words =>
    wrong === 'incomplete' && kind === 'single' ? 'editor.excludedDay' : problems[wrong];
  // What was said about an entry is over as soon as the entry is another.
  const enter = <T,>(set: (value: T) => void) => {
    return (value: T) => {
      set(value);
      setProblem(null);
    };
  };
  const add = () => {
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
    <Button variant="text" size="small" sx={{ my: -0.5, mr: -1.5 }} onClick={() => onChange({ ...form, excluded: [] })}>
      {t('editor.clearAll')}
    </Button>
  );
  return (
    <Section part="excluded" title={t('editor.excluded')} aside={clear}>
      {form.excluded.length > 0 && (
        <Box component="ul" aria-label={t('editor.excluded')} sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mb: 2 }}>
          {form.excluded.map((range) => (
            <ExcludedChip
              key={range.start}
              range={range}
              onRemove={() => onChange({ ...form, excluded: removeExcluded(form.excluded, range) })}
            />
          ))}
        </Box>
      )}
      <Box
        sx={{
          display: 'grid',
          gap: 1.25,
          alignItems: 'center',
          gridTemplateColumns: {
            xs: 'repeat(2, minmax(0,1fr))',
            md: kind === 'range' ? 'auto minmax(0,1fr) minmax(0,1fr) auto' : 'auto minmax(0,1fr) auto',
          },
        }}
      >
        <Box sx={{ gridColumn: { xs: '1 / -1', md: 'auto' } }}>
          <Segmented
            label={t('editor.kind')}
            value={kind}
            options={[
              { value: 'single', label: t('editor.single') },
              { value: 'range', label: t('editor.range') },
            ]}
            onChange={enter(setKind)}
          />
        </Box>
        <Box sx={{ gridColumn: { xs: kind === 'single' ? '1 / -1' : 'auto', md: 'auto' } }}>
          <DateField
            compact
            hideLabel
            label={kind === 'single' ? t('editor.day') : t('editor.from')}
            value={start}
            onChange={enter(setStart)}
            min={window?.start}
            max={window?.end}
          />
        </Box>
        {kind === 'range' && (
          <DateField
            compact
            hideLabel
            label={t('editor.to')}
            value={end}
            onChange={enter(setEnd)}
            min={start ?? window?.start}
            max={window?.end}
          />
        )}
        <Button
          variant="soft"
          size="small"
          disabled={!window}
          onClick={add}
          startIcon={<Icon name="plus" size={16} />}
          sx={{ minHeight: 40, gridColumn: { xs: '1 / -1', md: 'auto' } }}
        >
          {t('editor.add')}
        </Button>
      </Box>
      <Typography
        variant="caption"
        component="p"
        role={problem || outside ? 'alert' : undefined}
        sx={{ mt: 0.75, color: problem || outside ? 'error.ink' : 'text.tertiary' }}
      >
        {problem
          ? t(words(problem))
          : outside
            ? t('editor.excludedOutside')
            : !window
              ? t('editor.excludedNoWindow')
              : kind === 'range'
                ? t('editor.rangeHint')
                : t('editor.singleHint')}
      </Typography>
      {outside && window && (
        <Button variant="outlined" size="small" sx={{ mt: 1 }} onClick={cut}>
          {t('editor.cutToRange')}
        </Button>
      )}
      <Box role="status">{lastCut && !outside && <CutNote cut={lastCut} />}</Box>
    </Section>
  );
}

/** What cutting to the window did, with the dates. */
function CutNote({ cut }: { cut: Cut }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const names = (ranges: DayRange[]) =>
    joined(
      ranges.map((range) => (rangeDays(range) === 1 ? range.start : t('unit.range', { start: range.start, end: range.end }))),
      language,
    );
  return (
    <Typography variant="caption" component="p" sx={{ mt: 0.75 }}>
      {cut.shortened.length > 0 && t('editor.excludedCut', { ranges: names(cut.shortened) })}{' '}
      {cut.dropped.length > 0 && t('editor.excludedDropped', { ranges: names(cut.dropped) })}
    </Typography>
  );
}
