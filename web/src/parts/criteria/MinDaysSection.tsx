import { Info } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../shared/ui/Icon.tsx';
import { IconButton } from '../../shared/ui/IconButton.tsx';
import { Popover } from '../../shared/ui/Popover.tsx';
import styles from './MinDaysSection.module.css';
import { NumberChips } from './NumberChips.tsx';
import { Section } from './Section.tsx';
import { limits, type SearchForm } from './searchForm.ts';

const CHOICES = [0, 1, 3, 7];

/** Renders the section for the minimum number of days between today and a new appointment. */
export function MinDaysSection({ form, onChange }: { form: SearchForm; onChange: (form: SearchForm) => void }) {
  const { t } = useTranslation();
  // The warning appears only after the user has chosen a value.
  const [chosen, setChosen] = useState(false);
  const warns = chosen && form.minDays === 0;
  const choose = (minDays: number) => {
    setChosen(true);
    onChange({ ...form, minDays });
  };
  return (
    <Section part="minDays" title={t('editor.minDays')} aside={<Advice />}>
      <NumberChips
        label={t('editor.minDays')}
        otherLabel={t('editor.otherDays')}
        value={form.minDays}
        choices={CHOICES}
        {...limits.minDays}
        outside={t('editor.minDaysRange', limits.minDays)}
        hint={warns ? t('editor.minDaysZero') : form.minDays > 0 ? t('editor.minDaysText', { count: form.minDays }) : undefined}
        warns={warns}
        onChange={choose}
      />
    </Section>
  );
}

/** Renders the recommendation, with a button that opens a longer explanation. */
function Advice() {
  const { t } = useTranslation();
  return (
    <span className={styles.advice}>
      {t('editor.minDaysAdvice')}
      <Popover
        label={t('editor.minDaysAbout')}
        align="end"
        hover
        trigger={
          <IconButton label={t('editor.minDaysAbout')}>
            <Icon of={Info} size={16} />
          </IconButton>
        }
      >
        {t('editor.minDaysTip')}
      </Popover>
    </span>
  );
}
