import { useMutation } from '@tanstack/react-query';
import { Clock } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { answer, client } from '../../shared/api/client.ts';
import { hasCode, STEP_UP_DECLINED } from '../../shared/api/errors.ts';
import { endSession } from '../../shared/api/session.ts';
import type { DeletionProspect } from '../../shared/api/types.ts';
import { amount } from '../../shared/i18n/format.ts';
import { forgetOrigin } from '../../shared/routing/origin.ts';
import { paths } from '../../shared/routing/paths.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Checkbox } from '../../shared/ui/Checkbox.tsx';
import { Dialog } from '../../shared/ui/Dialog.tsx';
import { Stack } from '../../shared/ui/Layout.tsx';
import { Link } from '../../shared/ui/Link.tsx';
import { Problem } from '../../shared/ui/Problem.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { TextField } from '../../shared/ui/TextField.tsx';
import { toast } from '../../shared/ui/toasts.ts';
import { blockedTexts } from './blockedTexts.ts';
import styles from './settings.module.css';

interface Props {
  prospect: DeletionProspect;
  /** Called when the displayed consequences are outdated. */
  onStale: () => void;
  onClose: () => void;
}

/** Returns whether the typed text equals the amount: 46, 46.00 and 46,00 are equal. */
function isAmount(typed: string, balance: number): boolean {
  const text = typed.trim().replace(',', '.');
  return /^\d+(\.\d{1,2})?$/.test(text) && Math.round(Number(text) * 100) === Math.round(balance * 100);
}

/**
 * Renders the dialog that deletes the account, with the consequences. The user must type the
 * balance that will be lost, unless it is zero.
 */
export function DeleteAccountDialog({ prospect, onStale, onClose }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState(false);
  const [givesUp, setGivesUp] = useState(false);
  const [isShownElsewhere, setUnsaid] = useState(false);
  const { balance, refundable, currency } = prospect;
  const remove = useMutation({
    mutationFn: () => {
      const body = { forfeit_balance: balance, forfeit_refundable: givesUp ? refundable : 0 };
      return answer(client.POST('/user/deletion', { body }));
    },
    onSuccess: () => {
      forgetOrigin('signedOut');
      endSession();
      navigate(paths.login, { replace: true });
      toast.success(t('deletion.done'));
    },
    onError: (error) => {
      if (!hasCode(error, 'BALANCE_CHANGED', 'ACCOUNT_BUSY')) return;
      setTyped('');
      setGivesUp(false);
      onStale();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const right = balance === 0 || isAmount(typed, balance);
    const decided = refundable === 0 || givesUp;
    setWrong(!right);
    setUnsaid(!decided);
    if (right && decided) remove.mutate();
  };
  const changed = hasCode(remove.error, 'BALANCE_CHANGED');
  const busy = hasCode(remove.error, 'ACCOUNT_BUSY');
  const blocked = blockedTexts(prospect.blocked_by);
  const plain = changed || busy || hasCode(remove.error, STEP_UP_DECLINED);
  const actions = (
    <>
      <Button variant="ghost" disabled={remove.isPending} onClick={onClose}>
        {t('deletion.keep')}
      </Button>
      <Button type="submit" variant="danger" loading={remove.isPending}>
        {t('deletion.forGood')}
      </Button>
    </>
  );
  return (
    <Dialog
      open
      onClose={onClose}
      locked={remove.isPending}
      title={t('deletion.confirmTitle')}
      onSubmit={submit}
      actions={actions}
    >
      <Stack>
        <Losses prospect={prospect} />
        {changed && <Alert tone="warning" live="alert" title={t('deletion.changed')} />}
        {busy && (
          <Alert tone="warning" live="alert" icon={Clock} title={t(blocked.title)}>
            {t(blocked.text)}
          </Alert>
        )}
        {!plain && <Problem error={remove.error} fallback="deletion.failed" />}
        {refundable > 0 && (
          <Checkbox
            label={t('deletion.giveUpRefund', { amount: amount(refundable), currency })}
            disabled={remove.isPending}
            checked={givesUp}
            error={isShownElsewhere ? t('deletion.giveUpMissing') : undefined}
            onChange={(event) => {
              setGivesUp(event.target.checked);
              setUnsaid(false);
            }}
          />
        )}
        {balance > 0 && (
          <TextField
            label={t('deletion.typeBalance', { amount: amount(balance) })}
            autoComplete="off"
            inputMode="decimal"
            maxLength={32}
            end={
              <Text as="span" variant="small" color="secondary" unbroken className={styles.unit}>
                {currency}
              </Text>
            }
            disabled={remove.isPending}
            value={typed}
            error={wrong ? t('deletion.typeWrong') : undefined}
            onChange={(event) => {
              setTyped(event.target.value);
              setWrong(false);
            }}
          />
        )}
      </Stack>
    </Dialog>
  );
}

function Losses({ prospect }: { prospect: DeletionProspect }) {
  const { t } = useTranslation();
  const { balance, on_hold: held, refundable, currency, tasks } = prospect;
  return (
    <div className={styles.losses}>
      {t('deletion.loses')}
      <ul>
        {balance > 0 && (
          <li>
            {t('deletion.losesBalance', { amount: amount(balance), currency })}
            {held > 0 && (
              <Text variant="caption" color="secondary">
                {t('deletion.losesHold', { amount: amount(held), currency })}
              </Text>
            )}
            {refundable > 0 && (
              <Text variant="caption" color="warning">
                {t('deletion.refundFirst', { amount: amount(refundable), currency })}{' '}
                <Link to={paths.balance}>{t('deletion.refundLink')}</Link>
              </Text>
            )}
          </li>
        )}
        {tasks > 0 && <li>{t('deletion.losesTasks', { count: tasks })}</li>}
        <li>{t('deletion.losesCredentials')}</li>
      </ul>
      {t('deletion.keeps')}
    </div>
  );
}
