import { Check, CircleX, Clock, Globe, Info } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { PortalHour, StatusHistory, SystemStatus } from '../../shared/api/types.ts';
import { type Span, seconds } from '../../shared/format/uptime.ts';
import { dateInFull, instantClock } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Badge } from '../../shared/ui/Badge.tsx';
import { Card, CardBody, CardHeader } from '../../shared/ui/Card.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Skeleton } from '../../shared/ui/Skeleton.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { useMediaQuery } from '../../shared/ui/useMediaQuery.ts';
import { Figures } from './Figures.tsx';
import styles from './PortalCard.module.css';
import bars from './UptimeBars.module.css';
import { UptimeBars } from './UptimeBars.tsx';
import { stateWords } from './words.ts';

const tags = {
  ok: { tone: 'ok', icon: Check, words: 'status.portalOk' },
  slow: { tone: 'warning', icon: Clock, words: 'status.portalSlow' },
  down: { tone: 'error', icon: CircleX, words: 'status.portalDown' },
  unknown: { tone: 'quiet', icon: Info, words: 'status.portalUnknown' },
} as const;

const LEGEND: PortalHour['state'][] = ['ok', 'slow', 'down', 'none'];
const DAYS = 90;
const DAYS_ON_A_PHONE = 30;

function useSays(): (time: string, span: Span) => string {
  const { t } = useTranslation();
  return (time, span) => {
    if (span.state === 'none') return t('status.barNone', { time });
    const facts = [
      t('status.barLooks', { count: span.looks + span.failures }),
      span.failures > 0 && t('status.barFailures', { count: span.failures }),
      typeof span.latency_ms === 'number' && t('status.barLatency', { seconds: seconds(span.latency_ms) }),
    ].filter(Boolean);
    return t('status.bar', { time, state: t(stateWords[span.state]), facts: facts.join(' · ') });
  };
}

function Heading({ title, text }: { title: string; text: string }) {
  return (
    <div className={styles.heading}>
      <Text as="h3" variant="label">
        {title}
      </Text>
      <Text as="span" variant="micro" color="tertiary">
        {text}
      </Text>
    </div>
  );
}

/** The official system, as our looks met it: shares, the last day by the hour, three months by the day. */
export function PortalCard({ status, history }: { status: SystemStatus; history: StatusHistory | undefined }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const says = useSays();
  const phone = useMediaQuery('(max-width:599.95px)');
  const tag = tags[status.portal.state];
  const shown = phone ? DAYS_ON_A_PHONE : DAYS;
  const sumOf = (spans: Span[]) => {
    const many = (state: Span['state']) => spans.filter((span) => span.state === state).length;
    const bad = [
      many('down') > 0 && t('status.sumDown', { count: many('down') }),
      many('slow') > 0 && t('status.sumSlow', { count: many('slow') }),
    ].filter(Boolean);
    if (bad.length > 0) return bad.join(' · ');
    return many('ok') > 0 ? t('status.sumFine') : t('status.sumNone');
  };
  const hours = status.portal.hours.map((hour) => ({
    ...hour,
    key: hour.hour,
    says: says(instantClock(hour.hour, language), hour),
  }));
  const days = history?.days
    .slice(-shown)
    .map((day) => ({ ...day, key: day.day, says: says(dateInFull(day.day, language), day) }));
  return (
    <Card as="section" aria-labelledby="portal-title">
      <CardHeader icon={<Icon of={Globe} />} title={t('status.portal')} id="portal-title">
        <Badge tone={tag.tone} icon={tag.icon}>
          {t(tag.words)}
        </Badge>
      </CardHeader>
      <CardBody>
        <Figures status={status} history={history} />
        <Heading title={t('status.hoursTitle')} text={t('status.perHour')} />
        <UptimeBars
          label={t('status.hoursLabel')}
          sum={sumOf(hours)}
          first={t('status.hoursFirst')}
          last={t('status.now')}
          spans={hours}
        />
        <Heading title={t('status.daysTitle', { count: shown })} text={t('status.perDay')} />
        {days ? (
          <UptimeBars
            label={t('status.daysLabel', { count: shown })}
            sum={sumOf(days)}
            first={t('status.daysFirst', { count: shown })}
            last={t('status.today')}
            spans={days}
          />
        ) : (
          <Skeleton kind="block" className={styles.waiting} />
        )}
        <ul className={styles.legend}>
          {LEGEND.map((state) => (
            <li key={state}>
              <span aria-hidden="true" className={styles.sample}>
                <span data-state={state} className={bars.bar} />
              </span>
              {t(stateWords[state])}
            </li>
          ))}
        </ul>
        <Text variant="caption" color="tertiary" className={styles.method}>
          {t('status.method')}
        </Text>
      </CardBody>
    </Card>
  );
}
