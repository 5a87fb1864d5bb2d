import { Check, CircleX, Clock, Globe, Info } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { PortalHour } from '../../shared/api/types.ts';
import { dateInFull, instantClock } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Badge } from '../../shared/ui/Badge.tsx';
import { Card, CardBody, CardHeader } from '../../shared/ui/Card.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { useMediaQuery } from '../../shared/ui/useMediaQuery.ts';
import { Figures } from './Figures.tsx';
import { useLive } from './live.tsx';
import styles from './PortalCard.module.css';
import { useStatusTexts, When } from './statusTexts.tsx';
import bars from './UptimeBars.module.css';
import { StaticBars, UptimeBars } from './UptimeBars.tsx';
import { recordedDays, type Span, seconds } from './uptime.ts';

const tags = [
  ['portal_ok', 'ok', Check, 'status.portalOk'],
  ['portal_slow', 'warning', Clock, 'status.portalSlow'],
  ['portal_down', 'error', CircleX, 'status.portalDown'],
  ['portal_unknown', 'quiet', Info, 'status.portalUnknown'],
] as const;

const stateTexts = {
  ok: 'status.stateOk',
  slow: 'status.stateSlow',
  down: 'status.stateDown',
  none: 'status.stateNone',
} as const satisfies Record<PortalHour['state'], string>;
const LEGEND: PortalHour['state'][] = ['ok', 'slow', 'down', 'none'];

const DAYS = 90;
const DAYS_ON_A_PHONE = 30;

/** Returns a function that formats the text of a selected bar. */
function useSays(): (time: string, span: Span) => string {
  const { t } = useTranslation();
  return (time, span) => {
    if (span.state === 'none') return t('status.barNone', { time });
    const facts = [
      t('status.barLooks', { count: span.looks + span.failures }),
      span.failures > 0 && t('status.barFailures', { count: span.failures }),
      span.latency_ms !== null && t('status.barLatency', { seconds: seconds(span.latency_ms) }),
    ].filter(Boolean);
    return t('status.bar', { time, state: t(stateTexts[span.state]), facts: facts.join(' · ') });
  };
}

/** Returns the summary of all bars. */
function useSum(of: 'now' | 'past', name: string): string {
  const { t } = useTranslation();
  const texts = useStatusTexts(of);
  const some = (state: 'down' | 'slow', textKey: 'status.sumDown' | 'status.sumSlow') =>
    texts.number(`${name}_${state}`, textKey);
  return [
    some('down', 'status.sumDown'),
    texts.when(`${name}_both`, ' · '),
    some('slow', 'status.sumSlow'),
    texts.when(`${name}_fine`, t('status.sumFine')),
    texts.when(`${name}_none`, t('status.sumNone')),
  ].join('');
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

function Hours() {
  const { t } = useTranslation();
  const language = useLanguage();
  const says = useSays();
  const spans = useLive()?.status?.portal.hours;
  const ends = { sum: useSum('now', 'hours'), first: t('status.hoursFirst'), last: t('status.now') };
  return (
    <>
      <Heading title={t('status.hoursTitle')} text={t('status.perHour')} />
      {spans ? (
        <UptimeBars
          {...ends}
          label={t('status.hoursLabel')}
          spans={spans}
          says={(hour) => says(instantClock(hour.hour, language), hour)}
        />
      ) : (
        <StaticBars {...ends} of="hours" />
      )}
    </>
  );
}

/**
 * Renders three months by day, or one month on phones. A prerendered document contains both, and
 * CSS hides one.
 */
function Days() {
  const phone = useMediaQuery('(max-width:599.95px)');
  const live = useLive()?.history !== undefined;
  if (live) return <SomeDays count={phone ? DAYS_ON_A_PHONE : DAYS} />;
  return (
    <When of="past" is="known">
      <div className={styles.narrow}>
        <SomeDays count={DAYS_ON_A_PHONE} />
      </div>
      <div className={styles.wide}>
        <SomeDays count={DAYS} />
      </div>
    </When>
  );
}

function SomeDays({ count }: { count: number }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const says = useSays();
  const history = useLive()?.history;
  const spans = history && recordedDays(history).slice(-count);
  const name = count === DAYS ? 'quarter' : 'month';
  const sum = useSum('past', `${name}_bars`);
  const past = useStatusTexts('past');
  const from = `${name}_from`;
  const first = past.when(from, past.text(from)) + past.unless(from, t('status.daysFirst', { count }));
  const ends = { sum, first, last: t('status.today') };
  return (
    <>
      <Heading title={t('status.daysTitle', { count })} text={t('status.perDay')} />
      {spans ? (
        <UptimeBars
          {...ends}
          label={t('status.daysLabel', { count })}
          spans={spans}
          says={(day) => says(dateInFull(day.day, language), day)}
        />
      ) : (
        <StaticBars {...ends} of={count === DAYS ? 'days' : 'month'} />
      )}
    </>
  );
}

/**
 * Renders the state of the portal as our polls measured it: shares, the last day by hour, three
 * months by day.
 */
export function PortalCard() {
  const { t } = useTranslation();
  return (
    <Card as="section" aria-labelledby="portal-title">
      <CardHeader icon={<Icon of={Globe} />} title={t('status.portal')} id="portal-title">
        {tags.map(([name, tone, icon, textKey]) => (
          <When key={name} is={name}>
            <Badge tone={tone} icon={icon}>
              {t(textKey)}
            </Badge>
          </When>
        ))}
      </CardHeader>
      <CardBody>
        <Figures />
        <Hours />
        <Days />
        <ul className={styles.legend}>
          {LEGEND.map((state) => (
            <li key={state}>
              <span aria-hidden="true" className={styles.sample}>
                <span data-state={state} className={bars.bar} />
              </span>
              {t(stateTexts[state])}
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
