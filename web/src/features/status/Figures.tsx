import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { StatusHistory, SystemStatus } from '../../shared/api/types.ts';
import { answered, ENOUGH_LOOKS, percent, type Span, seconds } from '../../shared/format/uptime.ts';
import { count } from '../../shared/i18n/format.ts';
import { classes } from '../../shared/ui/classes.ts';
import { Skeleton } from '../../shared/ui/Skeleton.tsx';
import { LatencyLine } from './LatencyLine.tsx';
import styles from './PortalCard.module.css';

interface FigureProps {
  label: string;
  value: ReactNode;
  unit?: string;
  quiet?: boolean;
  children: ReactNode;
}

function Figure({ label, value, unit, quiet = false, children }: FigureProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className={classes(styles.value, quiet && styles.pale)}>
        {value}
        {unit && <span className={styles.unit}>{unit}</span>}
      </dd>
      <dd className={styles.about}>{children}</dd>
    </div>
  );
}

/** The share of looks that were answered; with too few of them their number, never a rate that only looks like one. */
function Share({ label, spans }: { label: string; spans: Span[] | undefined }) {
  const { t } = useTranslation();
  if (!spans)
    return (
      <Figure label={label} value={<Skeleton className={styles.room} />}>
        <Skeleton className={styles.room} />
      </Figure>
    );
  const { looks, answers, share } = answered(spans);
  if (share === null)
    return (
      <Figure label={label} value="–" quiet>
        {t('status.noLooks')}
      </Figure>
    );
  if (looks < ENOUGH_LOOKS)
    return (
      <Figure label={label} value={looks} unit={t('status.looksUnit', { count: looks })} quiet>
        {t(answers === looks ? 'status.fewAllAnswered' : 'status.fewAnswered', { answers, enough: ENOUGH_LOOKS })}
      </Figure>
    );
  return (
    <Figure label={label} value={percent(share)} unit="%">
      {t('status.ofLooks', { looks: count(looks) })}
    </Figure>
  );
}

const MONTH = 30;

/** Shares of a day, a month and three, and how fast the portal answers now. */
export function Figures({ status, history }: { status: SystemStatus; history: StatusHistory | undefined }) {
  const { t } = useTranslation();
  const { hours, latency_ms: latency } = status.portal;
  return (
    <dl className={styles.figures}>
      <Share label={t('status.day')} spans={hours} />
      <Share label={t('status.month')} spans={history?.days.slice(-MONTH)} />
      <Share label={t('status.quarter')} spans={history?.days} />
      <Figure
        label={t('status.latency')}
        value={latency === null ? '–' : seconds(latency)}
        unit={latency === null ? undefined : t('status.secondsUnit')}
        quiet={latency === null}
      >
        {latency === null ? t('status.noLooksLately') : <LatencyLine hours={hours} />}
      </Figure>
    </dl>
  );
}
