import { CircleCheck, CircleX, Clock, History, Info } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Incident, StatusHistory } from '../../shared/api/types.ts';
import { INCIDENTS_MS, seconds } from '../../shared/format/uptime.ts';
import { clock, instantParts, unbroken } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Badge } from '../../shared/ui/Badge.tsx';
import { Card, CardHeader } from '../../shared/ui/Card.tsx';
import { classes } from '../../shared/ui/classes.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Row } from '../../shared/ui/Layout.tsx';
import { Skeleton } from '../../shared/ui/Skeleton.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './cards.module.css';
import { useSpan } from './useSpan.ts';

/** Begin and end; the day is said again only where it is another. */
function useWhen(): (incident: Incident) => string {
  const { t } = useTranslation();
  const language = useLanguage();
  return ({ begins, ends }) => {
    const from = instantParts(begins);
    const start = `${unbroken(from.date)} ${clock(from.time, language)}`;
    if (!ends) return t('status.sinceTime', { time: start });
    const to = instantParts(ends);
    const end = clock(to.time, language);
    return t('status.fromTo', { from: start, to: to.date === from.date ? end : `${unbroken(to.date)} ${end}` });
  };
}

function Item({ incident, now }: { incident: Incident; now: string }) {
  const { t } = useTranslation();
  const when = useWhen();
  const span = useSpan();
  const down = incident.state === 'down';
  const lasted = (Date.parse(incident.ends ?? now) - Date.parse(incident.begins)) / 1000;
  const facts = [
    incident.failures > 0 &&
      t('status.incidentFailures', { failures: incident.failures, looks: incident.looks + incident.failures }),
    typeof incident.latency_ms === 'number' && t('status.barLatency', { seconds: seconds(incident.latency_ms) }),
  ].filter(Boolean);
  return (
    <li className={styles.incident}>
      <Icon of={down ? CircleX : Clock} className={classes(styles.sign, down && styles.down)} />
      <div className={styles.about}>
        <Row>
          <Text as="h3" variant="label">
            {t(down ? 'status.incidentDown' : 'status.incidentSlow', { span: span(lasted) })}
          </Text>
          {!incident.ends && <Badge tone={down ? 'error' : 'warning'}>{t('status.goesOn')}</Badge>}
        </Row>
        <Text variant="small" color="secondary">
          {when(incident)}
        </Text>
        <Text variant="caption" color="tertiary">
          {facts.join(' · ')}
        </Text>
      </div>
    </li>
  );
}

/** What went wrong within 30 days, newest first, as the hours tell it. */
export function IncidentsCard({ history, failed }: { history: StatusHistory | undefined; failed: boolean }) {
  const { t } = useTranslation();
  const recorded = history?.recorded_since;
  const young = recorded && history && Date.parse(history.at) - Date.parse(recorded) < INCIDENTS_MS;
  return (
    <Card as="section" aria-labelledby="incidents-title">
      <CardHeader icon={<Icon of={History} />} title={t('status.incidents')} id="incidents-title">
        <Text as="span" variant="caption" color="tertiary">
          {t('status.lastMonth')}
        </Text>
      </CardHeader>
      <div className={styles.incidents}>
        {!history && failed && <Text variant="small">{t('status.historyFailed')}</Text>}
        {!history && !failed && <Skeleton kind="control" />}
        {history && history.incidents.length > 0 && (
          <ul>
            {history.incidents.map((incident) => (
              <Item key={incident.begins} incident={incident} now={history.at} />
            ))}
          </ul>
        )}
        {history && history.incidents.length === 0 && (
          <div className={styles.calm}>
            <Icon of={recorded ? CircleCheck : Info} className={classes(recorded && styles.fine)} />
            <Text variant="small">
              {!recorded && t('status.nothingRecorded')}
              {recorded && (young ? t('status.noneSince', { date: instantParts(recorded).date }) : t('status.none'))}
            </Text>
          </div>
        )}
        <Text variant="caption" color="tertiary" className={styles.method}>
          {t('status.incidentsMethod')}
        </Text>
      </div>
    </Card>
  );
}
