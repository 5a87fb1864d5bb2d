import { CircleCheck, CircleX, Clock, History, Info } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../shared/ui/Badge.tsx';
import { Card, CardHeader } from '../../shared/ui/Card.tsx';
import { classes } from '../../shared/ui/classes.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Row } from '../../shared/ui/Layout.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './cards.module.css';
import { Rows, useStatusTexts, When } from './statusTexts.tsx';

function Item() {
  const { t } = useTranslation();
  const item = useStatusTexts('item');
  const lasted = { span: item.span('lasted') };
  const failures = { failures: item.text('failures'), looks: item.text('looks') };
  const begins = item.moment('begins');
  return (
    <li className={styles.incident}>
      <When of="item" is="down">
        <Icon of={CircleX} className={classes(styles.sign, styles.down)} />
      </When>
      <When of="item" not="down">
        <Icon of={Clock} className={styles.sign} />
      </When>
      <div className={styles.about}>
        <Row>
          <Text as="h3" variant="label">
            {item.when('down', t('status.incidentDown', lasted)) + item.when('slow', t('status.incidentSlow', lasted))}
          </Text>
          <When of="item" not="over">
            <When of="item" is="down">
              <Badge tone="error">{t('status.goesOn')}</Badge>
            </When>
            <When of="item" not="down">
              <Badge tone="warning">{t('status.goesOn')}</Badge>
            </When>
          </When>
        </Row>
        <Text variant="small" color="secondary">
          {item.when('over', t('status.fromTo', { from: begins, to: item.moment('ends') })) +
            item.unless('over', t('status.sinceTime', { time: begins }))}
        </Text>
        <Text variant="caption" color="tertiary">
          {item.when('failures', t('status.incidentFailures', failures)) +
            item.when('both', ' · ') +
            item.when('latency', t('status.barLatency', { seconds: item.text('latency') }))}
        </Text>
      </div>
    </li>
  );
}

/**
 * Renders the incidents of the last 30 days, newest first. The server derives them from hourly
 * data.
 */
export function IncidentsCard() {
  const { t } = useTranslation();
  const past = useStatusTexts('past');
  return (
    <Card as="section" aria-labelledby="incidents-title">
      <CardHeader icon={<Icon of={History} />} title={t('status.incidents')} id="incidents-title">
        <Text as="span" variant="caption" color="tertiary">
          {t('status.lastMonth')}
        </Text>
      </CardHeader>
      <div className={styles.incidents}>
        <When of="past" not="known">
          <Text variant="small">{t('status.historyFailed')}</Text>
        </When>
        <When of="past" is="incidents">
          <ul>
            <Rows of="incidents">
              <Item />
            </Rows>
          </ul>
        </When>
        <When of="past" is="calm_so_far">
          <div className={styles.calm}>
            <When of="past" is="recorded">
              <Icon of={CircleCheck} className={styles.fine} />
            </When>
            <When of="past" not="recorded">
              <Icon of={Info} />
            </When>
            <Text variant="small">
              {past.unless('recorded', t('status.nothingRecorded')) +
                past.when('young', t('status.noneSince', { date: past.text('young') })) +
                past.when('old', t('status.none'))}
            </Text>
          </div>
        </When>
        <Text variant="caption" color="tertiary" className={styles.method}>
          {t('status.incidentsMethod')}
        </Text>
      </div>
    </Card>
  );
}
