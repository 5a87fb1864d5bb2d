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
  // The clock of this banner ticks seldom: what came since its last tick is not from the future.
  return newest === 0 ? 0 : minutesBetween(newest, nowMs);
}

/** While the browser is offline: how old the data shown is, and that the server goes on without us. */
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
