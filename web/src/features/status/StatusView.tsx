import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { Container } from '../../shared/ui/Layout.tsx';
import { Pieces } from '../../shared/ui/Pieces.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { Age } from './Age.tsx';
import { Banner } from './Banner.tsx';
import { EngineCard } from './EngineCard.tsx';
import { IncidentsCard } from './IncidentsCard.tsx';
import styles from './layout.module.css';
import { EVERY_S, useLive } from './live.tsx';
import { PortalCard } from './PortalCard.tsx';
import { DeliveryCard, SiteCard } from './SideCards.tsx';
import { useStatusTexts, When } from './statusTexts.tsx';

/** Renders the content of /status: the present state, its duration, and the history. */
export function StatusView() {
  const { t } = useTranslation();
  return (
    <Container className={styles.page}>
      <div className={styles.head}>
        <div className={styles.words}>
          <Text as="h1" variant="h2">
            {t('status.title')}
          </Text>
          <Text variant="small" color="secondary">
            {t('status.lead')}
          </Text>
        </div>
        <Text as="span" variant="caption" color="tertiary" tabular>
          <Updated />
        </Text>
      </div>
      <div className={styles.column}>
        <Banner />
        <When is="known">
          <div className={styles.grid}>
            <div className={styles.column}>
              <PortalCard />
              <IncidentsCard />
            </div>
            <div className={styles.column}>
              <SiteCard />
              <EngineCard />
              <DeliveryCard />
              <Text variant="caption" color="tertiary" className={styles.zone}>
                {t('status.zone')}
              </Text>
            </div>
          </div>
        </When>
      </div>
    </Container>
  );
}

/**
 * Renders the age of the data. In a document it is the time at which the server sent the document.
 */
function Updated() {
  const { t } = useTranslation();
  const now = useStatusTexts('now');
  const dataUpdatedAt = useLive()?.dataUpdatedAt ?? 0;
  if (dataUpdatedAt === 0) return now.when('known', t('status.asOf', { time: now.moment('read') }));
  return (
    <Pieces
      of={[
        <Fragment key="read">
          {t('status.read')} <Age at={dataUpdatedAt} />
        </Fragment>,
        t('status.every', { count: EVERY_S }),
      ]}
    />
  );
}
