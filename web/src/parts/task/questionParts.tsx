import { MailQuestion } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../shared/api/types.ts';
import { maskName } from '../../shared/format/mask.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { useNow } from '../../shared/hooks/useNow.ts';
import { joined } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { classes } from '../../shared/ui/classes.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import type { LatestQuestion } from './lapse.ts';
import type { AskedDate } from './question.ts';
import { remaining } from './remaining.ts';
import styles from './TaskRow.module.css';
import { applicantNames } from './taskView.ts';
import { useAnswer } from './useAnswer.ts';

interface Props {
  task: Task;
  asked: AskedDate;
  /** True to mask the names of the applicants. */
  hidden: boolean;
  disabled: boolean;
}

/** Moves the focus to the card of a button that disappears, else to the page. */
function focusAround(button: HTMLElement): void {
  const toggle = button.closest('article')?.querySelector<HTMLElement>('button[aria-expanded]');
  (toggle ?? document.getElementById('main'))?.focus();
}

/** Returns a function that adds date, city and applicants to the text of a button. */
function useAnswerLabel(task: Task, { date, facility }: Pick<AskedDate, 'date' | 'facility'>, hidden: boolean) {
  const { t } = useTranslation();
  const language = useLanguage();
  const cityName = useCityName();
  const names = applicantNames(task.appointments);
  return (yes: string) =>
    t('condition.yesTo', {
      yes,
      askedDate: date,
      askedCity: cityName(facility),
      names: joined(hidden ? names.map(maskName) : names, language),
      // An accessible name must not contain the invisible characters against line breaks.
      interpolation: { escapeValue: false },
    });
}

/** Renders the button that books the date of a lapsed question while it is listed. */
export function BookNowButton({ task, lapse, hidden, disabled }: Omit<Props, 'asked'> & { lapse: LatestQuestion }) {
  const { t } = useTranslation();
  const { date, facility, valid_until: until } = lapse;
  const { sending, bookNow, report } = useAnswer(task, { date, facility, until });
  const label = useAnswerLabel(task, lapse, hidden);
  const bookText = t('condition.bookNow');
  return (
    <Button
      size="small"
      loading={sending}
      disabled={disabled}
      aria-label={label(bookText)}
      onClick={() => void report(bookNow())}
    >
      {bookText}
    </Button>
  );
}

/**
 * Renders the buttons that approve and decline the date in a task's question. Their accessible
 * names include the applicants, to distinguish them from the buttons of other tasks.
 */
export function AnswerButtons({ task, asked, hidden, disabled }: Props) {
  const { t } = useTranslation();
  const { sending, approve, decline, report } = useAnswer(task, asked);
  const label = useAnswerLabel(task, asked, hidden);
  return (
    <>
      <Button
        size="small"
        loading={sending}
        disabled={disabled}
        aria-label={label(t('condition.yes'))}
        onClick={() => void report(approve())}
      >
        {t('condition.yes')}
      </Button>
      <Button
        variant="ghost"
        size="small"
        disabled={disabled || sending}
        aria-label={label(t('condition.no'))}
        onClick={({ currentTarget }) => {
          focusAround(currentTarget);
          void decline();
        }}
      >
        {t('condition.noShort')}
      </Button>
    </>
  );
}

/**
 * Renders an open question in a closed card: the date, the remaining time, and the two
 * answers.
 */
export function RowQuestion({ task, asked, hidden, disabled }: Props) {
  const { t } = useTranslation();
  const cityName = useCityName();
  const leftMs = Date.parse(asked.until) - useNow(1_000);
  return (
    <div className={classes(styles.alarm, styles.question)}>
      <Icon of={MailQuestion} size={16} />
      <span role="status">{t('condition.askedRow', { askedDate: asked.date, askedCity: cityName(asked.facility) })}</span>
      <span className={styles.left}>
        {remaining(leftMs)} {t('condition.untilAnswer')}
      </span>
      <span className={styles.yes}>
        <AnswerButtons task={task} asked={asked} hidden={hidden} disabled={disabled} />
      </span>
    </div>
  );
}
