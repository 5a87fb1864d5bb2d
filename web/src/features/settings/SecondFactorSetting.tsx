import { useMutation, useQuery } from '@tanstack/react-query';
import { Check, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, client } from '../../shared/api/client.ts';
import { queryClient } from '../../shared/api/queries.ts';
import type { SecondFactor } from '../../shared/api/types.ts';
import { instantParts } from '../../shared/i18n/format.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Badge } from '../../shared/ui/Badge.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { toast } from '../../shared/ui/toasts.ts';
import { catchFocus } from './catchFocus.ts';
import { NewCodesDialog, SecondFactorDialog } from './lazyParts.ts';
import { ConfirmDialog } from './lazyQuestions.ts';
import { settingsQueries } from './queries.ts';
import { Loaded, Row, Section } from './Section.tsx';
import styles from './settings.module.css';

const FEW_CODES = 3;

const reload = () => {
  for (const name of ['secondFactor', 'profile']) void queryClient.invalidateQueries({ queryKey: [name] });
};

/**
 * Renders the second factor, with buttons to set it up, renew its recovery codes, and turn it off.
 */
export function SecondFactorSetting() {
  const { t } = useTranslation();
  const query = useQuery(settingsQueries.secondFactor());
  const { data } = query;
  return (
    <Section
      id="two-step"
      icon={ShieldCheck}
      title={t('second.title')}
      text={t('second.text')}
      mark={
        data && (
          <Badge tone={data.enabled ? 'ok' : 'quiet'} icon={data.enabled ? Check : undefined}>
            {t(data.enabled ? 'second.on' : 'second.off')}
          </Badge>
        )
      }
    >
      <Loaded query={query} rows={1}>
        {(factor) => <Factor factor={factor} />}
      </Loaded>
    </Section>
  );
}

type Open = 'setUp' | 'newCodes' | 'turnOff' | null;

function Factor({ factor }: { factor: SecondFactor }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<Open>(null);
  const remove = useMutation({
    mutationFn: () => answer(client.DELETE('/user/totp')),
    onSuccess: () => {
      close();
      toast.success(t('second.turnedOff'));
    },
    onSettled: reload,
  });
  const close = () => {
    remove.reset();
    setOpen(null);
    catchFocus('two-step');
  };
  return (
    <>
      {factor.enabled ? (
        <On factor={factor} onOpen={setOpen} />
      ) : (
        <Button size="small" className={styles.own} onClick={() => setOpen('setUp')}>
          {t('second.setUp')}
        </Button>
      )}
      {open === 'setUp' && <SecondFactorDialog onEnabled={reload} onClose={close} onMissing={close} />}
      {open === 'newCodes' && <NewCodesDialog onRenewed={reload} onClose={close} onMissing={close} />}
      {open === 'turnOff' && (
        <ConfirmDialog
          title={t('second.turnOffTitle')}
          confirm={t('second.turnOff')}
          grave
          busy={remove.isPending}
          error={remove.error}
          fallback="second.turnOffFailed"
          onConfirm={() => remove.mutate()}
          onClose={close}
          onMissing={close}
        >
          <span>{t('second.turnOffText')}</span>
        </ConfirmDialog>
      )}
    </>
  );
}

function On({ factor, onOpen }: { factor: SecondFactor; onOpen: (open: Open) => void }) {
  const { t } = useTranslation();
  const left = factor.recovery_codes_left;
  return (
    <>
      {left < FEW_CODES && <Alert tone="warning">{t('second.fewCodes')}</Alert>}
      <Row
        actions={
          <>
            <Button variant="secondary" size="small" onClick={() => onOpen('newCodes')}>
              {t('second.newCodes')}
            </Button>
            <Button variant="dangerText" size="small" onClick={() => onOpen('turnOff')}>
              {t('second.turnOff')}
            </Button>
          </>
        }
      >
        {factor.confirmed_at && (
          <Text variant="strong">{t('second.since', { date: instantParts(factor.confirmed_at).date })}</Text>
        )}
        <Text variant="small" color="secondary">
          {t('second.codesLeft', { count: left })}
        </Text>
      </Row>
    </>
  );
}
