import { Activity } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { queryClient } from '../../shared/api/queries.ts';
import { minutesBetween } from '../../shared/format/elapsed.ts';
import { useNow } from '../../shared/hooks/useNow.ts';
import { useOnline } from '../../shared/hooks/useOnline.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Container } from '../../shared/ui/Layout.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './OfflineBanner.module.css';

function dataAgeMinutes(nowMs: number): number {
  const newest = Math.max(
    0,
    ...queryClient
      .getQueryCache()
      .getAll()
      .map((query) => query.state.dataUpdatedAt),
  );
  // `nowMs` is updated rarely, so new data may be later. `minutesBetween` returns 0 in that case.
  return newest === 0 ? 0 : minutesBetween(newest, nowMs);
}

/**
 * Renders the age of the data while the browser is offline, and the note that the server continues
 * to work.
 */
export function OfflineBanner() {
  const online = useOnline();
  const now = useNow(15_000);
  const { t } = useTranslation();
  if (online) return null;
  const minutes = dataAgeMinutes(now);
  return (
    <Container className={styles.place}>
      <div role="status" className={styles.banner}>
        <Icon of={Activity} />
        <div>
          <Text variant="h4">{minutes === 0 ? t('shell.offlineNow') : t('shell.offlineTitle', { count: minutes })}</Text>
          <Text variant="small" color="secondary">
            {t('shell.offlineText')}
          </Text>
        </div>
      </div>
    </Container>
  );
}
