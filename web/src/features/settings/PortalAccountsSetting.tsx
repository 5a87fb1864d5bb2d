import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { JUST_READ_MS, queries } from '../../shared/api/queries.ts';
import { paths } from '../../shared/routing/paths.ts';
import { ButtonLink } from '../../shared/ui/Button.tsx';
import { Row } from '../../shared/ui/Layout.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { PortalAccountRow } from './PortalAccountRow.tsx';
import { Loaded, Section } from './Section.tsx';
import styles from './settings.module.css';

/**
 * Renders the stored portal accounts: their state, the tasks that use them, and a button that
 * deletes them.
 */
export function PortalAccountsSetting() {
  const { t } = useTranslation();
  const query = useQuery({ ...queries.portalAccounts(), staleTime: JUST_READ_MS });
  return (
    <Section id="portal-accounts">
      <Loaded query={query} rows={2}>
        {(accounts) =>
          accounts.length === 0 ? (
            <Row gap={3}>
              <Text variant="small" className={styles.empty}>
                {t('portalAccounts.empty')}
              </Text>
              <ButtonLink render={<Link to={paths.wizard()} />} variant="secondary" size="small">
                {t('nav.wizard')}
              </ButtonLink>
            </Row>
          ) : (
            <ul className={styles.list}>
              {accounts.map((account) => (
                <li key={account.id}>
                  <PortalAccountRow account={account} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}
