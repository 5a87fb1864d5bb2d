import { useQuery } from '@tanstack/react-query';
import { Clock, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { blockedTexts } from './blockedTexts.ts';
import { DeleteAccountDialog } from './lazyQuestions.ts';
import { settingsQueries } from './queries.ts';
import { Loaded, Section } from './Section.tsx';
import styles from './settings.module.css';

/** Renders the deletion of the account. It is disabled during a booking or a refund. */
export function DeleteAccountSetting() {
  const { t } = useTranslation();
  const query = useQuery(settingsQueries.deletion());
  const [open, setOpen] = useState(false);
  return (
    <Section id="delete-account" icon={Trash2} grave title={t('deletion.title')} text={t('deletion.text')}>
      <Loaded query={query} rows={1}>
        {(prospect) => (
          <>
            {!prospect.possible && (
              <Alert
                tone="warning"
                icon={Clock}
                live="status"
                title={t(blockedTexts(prospect.blocked_by).title)}
                action={
                  <Button variant="secondary" size="small" loading={query.isFetching} onClick={() => void query.refetch()}>
                    {t('deletion.checkAgain')}
                  </Button>
                }
              >
                {t(blockedTexts(prospect.blocked_by).text)}
              </Alert>
            )}
            <Button
              variant="danger"
              size="small"
              disabled={!prospect.possible}
              className={styles.own}
              onClick={() => {
                void query.refetch();
                setOpen(true);
              }}
            >
              {t('deletion.button')}
            </Button>
            {open && (
              <DeleteAccountDialog
                prospect={prospect}
                onStale={() => void query.refetch()}
                onClose={() => setOpen(false)}
                onMissing={() => setOpen(false)}
              />
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}
