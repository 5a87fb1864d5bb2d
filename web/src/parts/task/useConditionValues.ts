import { useTranslation } from 'react-i18next';
import type { Task } from '../../shared/api/types.ts';
import { MASKED_AMOUNT } from '../../shared/format/maskedAmount.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { amount, clock, instantClock, instantInFull, instantShort } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { silenceCause } from './condition.ts';
import { lapsedQuestion, lapseInLastList } from './lapse.ts';
import { listedWanted } from './lastList.ts';
import { approvals } from './pendingApproval.ts';

/** Returns all values that the texts of a condition may contain, as formatted texts. */
export function useConditionValues(task: Task, hidden = false): Record<string, string | number> {
  const { t } = useTranslation();
  const language = useLanguage();
  const cityName = useCityName();
  const { engine, price } = task;
  const evidence = engine.verdict.evidence ?? {};
  const success = [...task.success_history].sort((a, b) => b.timestamp.localeCompare(a.timestamp))[0];
  const target = success ?? null;
  const listed = evidence.earliest_listed;
  const suits = listedWanted(task);
  const yes = approvals.get()[task.id];
  const lapse = lapsedQuestion(task);
  const nextAt = engine.verdict.next_try_at ?? engine.next_check_at;
  const at = (instant: string | null | undefined) => (instant ? instantShort(instant, language) : '');
  return {
    askedCity: cityName(evidence.asked?.facility),
    askedDate: evidence.asked?.date ?? '',
    answerBy: evidence.asked ? instantClock(evidence.asked.until, language) : '',
    yesDate: yes?.date ?? '',
    yesCity: cityName(yes?.facility),
    yesAt: yes ? instantClock(new Date(yes.atMs).toISOString(), language) : '',
    lapsedDate: lapse?.date ?? '',
    lapsedCity: cityName(lapse?.facility),
    lapsedSince: lapse ? t('condition.lapsedUntil', { time: at(lapse.valid_until) }) : '',
    lapsedCheck: at(lapse && lapseInLastList(task, lapse)?.at),
    suits: suits?.date ?? '',
    suitsCity: cityName(suits?.facility),
    suitsAt: at(suits?.at),
    city: cityName(target?.toLocation ?? evidence.target?.facility),
    date: target?.date ?? evidence.target?.date ?? '',
    time: target?.time ? clock(target.time, language) : '',
    used: task.reschedules_used,
    looked: at(engine.last_check_at),
    cities: t('unit.cities', { count: evidence.cities_seen ?? task.monitoring_cities.length }),
    earliest: listed?.date ?? '',
    earliestCity: cityName(listed?.facility),
    asOf: at(listed?.at),
    late: evidence.days_after_window ?? 0,
    since: instantInFull(task.status_since, language),
    conditionSince: instantInFull(engine.verdict.since, language),
    silentSince: at(engine.verdict.since),
    because: t(silenceCause(task)),
    next: at(nextAt),
    held: hidden ? MASKED_AMOUNT : amount(price.on_hold),
    currency: price.currency,
  };
}
