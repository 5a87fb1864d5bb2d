import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { account } from '../../shared/api/account.ts';
import { hasCode, STEP_UP_DECLINED } from '../../shared/api/errors.ts';
import { endSession } from '../../shared/api/session.ts';
import type { DeletionProspect } from '../../shared/api/types.ts';
import { amount } from '../../shared/i18n/format.ts';
import { Field } from '../../shared/legacy/Field.tsx';
import { Notice } from '../../shared/legacy/Notice.tsx';
import { Problem } from '../../shared/legacy/Problem.tsx';
import { forgetOrigin } from '../../shared/routing/origin.ts';
import { paths } from '../../shared/routing/paths.ts';
import { toast } from '../../shared/ui/toasts.ts';

interface Props {
  prospect: DeletionProspect;
  /** What was shown is no longer true. */
  onStale: () => void;
  onClose: () => void;
}

/** Whether what was typed is the amount: 46, 46.00 and 46,00 all are. */
function isAmount(typed: string, balance: number): boolean {
  const text = typed.trim().replace(',', '.');
  return /^\d+(\.\d{1,2})?$/.test(text) && Math.round(Number(text) * 100) === Math.round(balance * 100);
}

/** Says what is lost and has the balance typed that is given up; without a balance there is nothing to type. */
export function DeleteAccountDialog({ prospect, onStale, onClose }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState(false);
  const { balance, currency } = prospect;
  const remove = useMutation({
    mutationFn: () => account.deleteAccount(balance),
    onSuccess: () => {
      forgetOrigin('signedOut');
      endSession();
      navigate(paths.login, { replace: true });
      toast.success(t('deletion.done'));
    },
    onError: (error) => {
      if (!hasCode(error, 'BALANCE_CHANGED', 'ACCOUNT_BUSY')) return;
      setTyped('');
      onStale();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const right = balance === 0 || isAmount(typed, balance);
    setWrong(!right);
    if (right) remove.mutate();
  };
  const changed = hasCode(remove.error, 'BALANCE_CHANGED');
  const busy = hasCode(remove.error, 'ACCOUNT_BUSY');
  const plain = changed || busy || hasCode(remove.error, STEP_UP_DECLINED);
  return (
    <Dialog open onClose={remove.isPending ? undefined : onClose} maxWidth="xs" fullWidth aria-labelledby="deletion-title">
      <form noValidate onSubmit={submit}>
        <DialogTitle id="deletion-title">{t('deletion.confirmTitle')}</DialogTitle>
        <DialogContent sx={{ display: 'grid', gap: 2 }}>
          <Losses prospect={prospect} />
          {changed && <Notice tone="warning" live="alert" title={t('deletion.changed')} />}
          {busy && (
            <Notice tone="warning" live="alert" icon="clock" title={t('deletion.blocked')}>
              {t('deletion.blockedText')}
            </Notice>
          )}
          {!plain && <Problem error={remove.error} fallback="deletion.failed" />}
          {balance > 0 && (
            <Field
              label={t('deletion.typeBalance', { amount: amount(balance) })}
              autoComplete="off"
              inputProps={{ inputMode: 'decimal', maxLength: 16 }}
              endAdornment={
                <Typography variant="body2" color="textSecondary" sx={{ whiteSpace: 'nowrap' }}>
                  {currency}
                </Typography>
              }
              autoFocus
              disabled={remove.isPending}
              value={typed}
              error={wrong ? t('deletion.typeWrong') : undefined}
              onChange={(event) => {
                setTyped(event.target.value);
                setWrong(false);
              }}
            />
          )}
        </DialogContent>
        <DialogActions>
          <Button variant="ghost" disabled={remove.isPending} onClick={onClose}>
            {t('deletion.keep')}
          </Button>
          <Button type="submit" variant="outlined" color="error" loading={remove.isPending}>
            {t('deletion.forGood')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function Losses({ prospect }: { prospect: DeletionProspect }) {
  const { t } = useTranslation();
  const { balance, on_hold: held, currency, tasks } = prospect;
  return (
    <Box sx={{ fontSize: 14, lineHeight: 1.6 }}>
      {t('deletion.loses')}
      <Box component="ul" sx={{ listStyle: 'disc !important', pl: '20px !important', my: '6px !important' }}>
        {balance > 0 && (
          <li>
            {t('deletion.losesBalance', { amount: amount(balance), currency })}
            {held > 0 && (
              <Typography variant="caption" color="textSecondary" component="p">
                {t('deletion.losesHold', { amount: amount(held), currency })}
              </Typography>
            )}
            <Typography variant="caption" color="textSecondary" component="p">
              {t('deletion.refundFirst')}
            </Typography>
          </li>
        )}
        {tasks > 0 && <li>{t('deletion.losesTasks', { count: tasks })}</li>}
        <li>{t('deletion.losesCredentials')}</li>
      </Box>
      {t('deletion.keeps')}
    </Box>
  );
}
