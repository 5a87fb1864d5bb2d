import { ChevronDown } from 'lucide-react';
import { type ReactNode, use, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { totalDays } from '../../shared/format/excludedDates.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { isFolded } from './editorParts.ts';
import { FingerprintsRule } from './fingerprints/lazyRule.ts';
import styles from './MoreCriteria.module.css';
import { SectionLevel } from './Section.tsx';
import { fingerprintsProblem, isUsual, type SearchForm } from './searchForm.ts';

interface Props {
  form: SearchForm;
  problems: TextKey[];
  children: ReactNode;
}

/**
 * Renders the sections that most users skip, each closed behind a summary. Sections with changed
 * values or problems are open.
 */
export function MoreCriteria({ form, problems, children }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  const level = use(SectionLevel);
  const [open, setOpen] = useState(() => !isUsual(form));
  const excluded = totalDays(form.excluded);
  const anyTime = form.weekdays.length === 0 && form.earliestTime === null && form.latestTime === null;
  const sentences = [
    form.minDays === 0 ? t('editor.moreNoNotice') : t('editor.moreNotice', { count: form.minDays }),
    excluded === 0 ? t('editor.moreNoneExcluded') : t('editor.moreExcluded', { count: excluded }),
    t(anyTime ? 'editor.moreAnyTime' : 'editor.moreSomeTimes'),
    ...(form.notifyOnly
      ? []
      : [t('editor.moreGain', { count: form.minImprovement }), t('editor.moreReschedules', { count: form.maxReschedules })]),
  ];
  const gap = language === 'en' ? ' ' : '';
  return (
    <details
      open={open || problems.some(isFolded)}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className={styles.more}
    >
      <summary className={styles.summary}>
        <span className={styles.words}>
          <Text as={`h${level}`} variant="h4">
            {t('editor.more')}
          </Text>
          <span className={styles.sentences}>
            {sentences.join(gap)}
            {form.fingerprints && !fingerprintsProblem(form) && (
              <>
                {gap}
                <FingerprintsRule sentence rule={form.fingerprints} />
              </>
            )}
          </span>
        </span>
        <Icon of={ChevronDown} />
      </summary>
      {children}
    </details>
  );
}
