import { useQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { JUST_READ_MS } from '../../shared/api/queries.ts';
import type { SecurityEvent } from '../../shared/api/types.ts';
import { useAgo } from '../../shared/hooks/useAgo.ts';
import { Badge } from '../../shared/ui/Badge.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Pieces } from '../../shared/ui/Pieces.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { settingsQueries } from './queries.ts';
import { Loaded, Row, Section } from './Section.tsx';
import styles from './settings.module.css';

/** Number of entries that are visible at first. */
const FEW = 5;

/**
 * Renders the security events of the account, such as sign-ins and changes, with device and place.
 */
export function ActivitySetting() {
  const { t } = useTranslation();
  const query = useQuery({ ...settingsQueries.activity(), staleTime: JUST_READ_MS });
  return (
    <Section id="activity" icon={History} title={t('activity.title')} text={t('activity.text')}>
      <Loaded query={query} rows={3}>
        {(events) => <Events events={events} />}
      </Loaded>
    </Section>
  );
}

function Events({ events }: { events: SecurityEvent[] }) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  if (events.length === 0)
    return (
      <Text variant="small" color="secondary">
        {t('activity.empty')}
      </Text>
    );
  return (
    <>
      <ul className={styles.list}>
        {(all ? events : events.slice(0, FEW)).map((event) => (
          <li key={event.id}>
            <EventRow event={event} />
          </li>
        ))}
      </ul>
      {events.length > FEW && (
        <Button variant="text" size="small" aria-expanded={all} className={styles.more} onClick={() => setAll(!all)}>
          {all ? t('activity.showFewer') : t('activity.loadMore', { count: events.length })}
        </Button>
      )}
    </>
  );
}

function EventRow({ event }: { event: SecurityEvent }) {
  const { t } = useTranslation();
  const ago = useAgo();
  const { client } = event;
  const device = client && (client.browser && client.os ? t('signIns.on', { ...client }) : client.browser || client.os);
  const where = event.network ? t('activity.network', { network: event.network }) : t('activity.by');
  return (
    <Row actions={!event.succeeded && <Badge tone="warning">{t('activity.failed')}</Badge>}>
      <Text variant="strong">{t(`activity.kinds.${event.kind}`)}</Text>
      <Text variant="small" color="secondary">
        <Pieces of={[ago(event.at), device, where]} />
      </Text>
    </Row>
  );
}
