import { Check, CircleX, Clock, Info, Lock, type LucideIcon, TriangleAlert } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../shared/api/types.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { useCountryName } from '../../shared/format/useCountryName.ts';
import { useToday } from '../../shared/hooks/useToday.ts';
import { instantInFull } from '../../shared/i18n/format.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Badge } from '../../shared/ui/Badge.tsx';
import { FoldButton } from '../../shared/ui/FoldButton.tsx';
import styles from './TaskAccount.module.css';
import { type Term, TermList } from './TermList.tsx';
import { type Priority, priorityOf, taskFacts } from './taskView.ts';
import { usePriceTerms } from './usePriceTerms.tsx';

const healths: Record<string, [TextKey, 'ok' | 'warning' | 'error', LucideIcon]> = {
  valid: ['task.healthValid', 'ok', Check],
  rejected: ['task.healthRejected', 'error', CircleX],
  locked: ['task.healthLocked', 'error', Lock],
  captcha: ['task.healthCaptcha', 'error', TriangleAlert],
  cooling: ['task.healthCooling', 'warning', Clock],
};

const priorityTexts: Record<Priority, TextKey> = {
  high: 'task.priorityHigh',
  medium: 'task.priorityMedium',
  normal: 'task.priorityNormal',
};

/** Returns the place of the appointment and the priority of the task, as terms. */
function usePlaceTerms(task: Task): Term[] {
  const { t } = useTranslation();
  const language = useLanguage();
  const today = useToday(task.country_code, task.appointments[0]?.facility);
  const cityName = useCityName();
  const countryName = useCountryName();
  const { city } = taskFacts(task);
  const shown = city ? cityName(city) : t('task.unknownPlace');
  // In most countries except Canada the post is an embassy, so the city alone is its name.
  const place = (
    <>
      <span>{task.country_code === 'en-ca' ? t('task.consulate', { city: shown }) : shown}</span>
      {language === 'zh' ? '，' : ', '}
      <span>{countryName(task.country_code) ?? t('task.unknownPlace')}</span>
    </>
  );
  return [
    { term: t('task.place'), value: place },
    { term: t('task.priority'), value: t(priorityTexts[priorityOf(task, today)]) },
  ];
}

function useAccountTerms(task: Task): Term[] {
  const { t } = useTranslation();
  const language = useLanguage();
  const { health, health_since, last_sign_in_at, next_try_at, sign_ins_ten_hours } = task.visa_credentials;
  const [textKey, tone, icon] = healths[health] ?? (['task.healthUnknown', 'warning', Info] as const);
  const rows: Term[] = [
    {
      term: t('task.account'),
      value: (
        <span className={styles.health}>
          <Badge tone={tone} icon={icon}>
            {t(textKey)}
          </Badge>
          {health_since && <span>{t('task.sinceDay', { when: instantInFull(health_since, language) })}</span>}
        </span>
      ),
    },
    {
      term: t('task.lastSignIn'),
      value: last_sign_in_at
        ? t('task.signIns', { when: instantInFull(last_sign_in_at, language), count: sign_ins_ten_hours })
        : t('task.never'),
    },
  ];
  if (next_try_at) rows.push({ term: t('task.nextTry'), value: instantInFull(next_try_at, language) });
  return rows;
}

/**
 * Renders the state of the portal account and the price, in one line. A press opens the details.
 * They open automatically if the account has a problem.
 */
export function TaskAccount({ task, hidden }: { task: Task; hidden: boolean }) {
  const { t } = useTranslation();
  const bodyId = useId();
  const { health } = task.visa_credentials;
  const [open, setOpen] = useState(health !== 'valid');
  const account = useAccountTerms(task);
  const place = usePlaceTerms(task);
  const price = usePriceTerms(task, hidden);
  const [textKey, tone, icon] = healths[health] ?? (['task.healthUnknown', 'warning', Info] as const);
  return (
    <div>
      <FoldButton open={open} controls={bodyId} onToggle={() => setOpen(!open)}>
        {t('task.accountAndCost')}
        {!open && (
          <Badge tone={tone} icon={icon}>
            {t(textKey)}
          </Badge>
        )}
      </FoldButton>
      <div id={bodyId} hidden={!open} className={styles.body}>
        {open && <TermList pairs="even" rows={[...account, ...price, ...place]} />}
      </div>
    </div>
  );
}
