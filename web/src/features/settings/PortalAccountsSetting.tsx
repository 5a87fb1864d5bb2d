import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { queries } from '../../shared/api/queries.ts';
import { paths } from '../../shared/routing/paths.ts';
import { PortalAccountRow } from './PortalAccountRow.tsx';
import { Loaded, Section } from './Section.tsx';

/** The logins of the official site that are kept here: how they are, what uses them, and the way to end each. */
export function PortalAccountsSetting() {
  const { t } = useTranslation();
  const query = useQuery({ ...queries.portalAccounts(), refetchOnMount: 'always' });
  return (
    <Section id="portal-accounts" icon="lock" title={t('portalAccounts.title')} text={t('portalAccounts.text')}>
      <Loaded query={query} rows={2}>
        {(accounts) =>
          accounts.length === 0 ? (
            <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '8px 16px' }}>
              <Typography variant="body2" sx={{ flex: '1 1 220px' }}>
                {t('portalAccounts.empty')}
              </Typography>
              <Button component={Link} to={paths.wizard()} variant="outlined" size="small">
                {t('nav.wizard')}
              </Button>
            </Box>
          ) : (
            <Box component="ul" sx={{ display: 'grid', gap: 2, '& > li + li': { borderTop: 1, borderColor: 'divider', pt: 2 } }}>
              {accounts.map((account) => (
                <li key={account.id}>
                  <PortalAccountRow account={account} />
                </li>
              ))}
            </Box>
          )
        }
      </Loaded>
    </Section>
  );
}
