import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queries } from '../../shared/api/queries.ts';
import { Notice } from '../../shared/legacy/Notice.tsx';
import { DeleteAccountDialog } from './DeleteAccountDialog.tsx';
import { Loaded, Section } from './Section.tsx';

/** The end of the account here; not while a booking is under way. */
export function DeleteAccountSetting() {
  const { t } = useTranslation();
  const query = useQuery(queries.deletion());
  const [open, setOpen] = useState(false);
  return (
    <Section id="delete-account" icon="trash" title={t('deletion.title')} text={t('deletion.text')}>
      <Loaded query={query} rows={1}>
        {(prospect) => (
          <>
            {!prospect.possible && (
              <Notice
                tone="warning"
                icon="clock"
                live="status"
                title={t('deletion.blocked')}
                action={
                  <Button variant="outlined" size="small" loading={query.isFetching} onClick={() => void query.refetch()}>
                    {t('deletion.checkAgain')}
                  </Button>
                }
              >
                {t('deletion.blockedText')}
              </Notice>
            )}
            <Button
              variant="outlined"
              color="error"
              size="small"
              disabled={!prospect.possible}
              sx={{ justifySelf: 'start' }}
              onClick={() => {
                void query.refetch();
                setOpen(true);
              }}
            >
              {t('deletion.button')}
            </Button>
            {open && (
              <DeleteAccountDialog prospect={prospect} onStale={() => void query.refetch()} onClose={() => setOpen(false)} />
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}
