import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyRow } from '../../parts/balance/CopyRow.tsx';
import { account } from '../../shared/api/account.ts';
import { ApiError, hasCode, STEP_UP_DECLINED } from '../../shared/api/errors.ts';
import type { NewSecondFactor } from '../../shared/api/types.ts';
import { bareCode } from '../../shared/forms/schemas.ts';
import type { Words } from '../../shared/i18n/words.ts';
import { Field } from '../../shared/legacy/Field.tsx';
import { Notice } from '../../shared/legacy/Notice.tsx';
import { Problem } from '../../shared/legacy/Problem.tsx';
import { toast } from '../../shared/ui/toasts.ts';
import { RecoveryCodes } from './RecoveryCodes.tsx';

interface Props {
  onEnabled: () => void;
  onClose: () => void;
}

/** Sets the second factor up: picture and key, the first code, then the recovery codes. */
export function SecondFactorDialog({ onEnabled, onClose }: Props) {
  const { t } = useTranslation();
  const begin = useMutation({
    mutationFn: account.beginSecondFactor,
    onError: (error) => hasCode(error, STEP_UP_DECLINED) && onClose(),
  });
  const confirm = useMutation({
    mutationFn: account.confirmSecondFactor,
    onSuccess: () => {
      toast.success(t('second.turnedOn'));
      onEnabled();
    },
  });
  const { mutate } = begin;
  const begun = useRef(false);
  useEffect(() => {
    // Each call draws a new key: once for each opening, also where React mounts twice.
    if (begun.current) return;
    begun.current = true;
    mutate();
  }, [mutate]);
  const codes = confirm.data;
  const locked = confirm.isPending || codes !== undefined;
  const over = hasCode(confirm.error, 'ILLEGAL_TRANSITION');
  return (
    <Dialog open onClose={locked ? undefined : onClose} maxWidth="xs" fullWidth aria-labelledby="second-title">
      <DialogTitle id="second-title">{t(codes ? 'second.codesTitle' : 'second.setUpTitle')}</DialogTitle>
      {codes ? (
        <RecoveryCodes codes={codes} onClose={onClose} />
      ) : begin.data ? (
        <Confirm
          key={begin.data.secret}
          factor={begin.data}
          busy={confirm.isPending}
          error={over ? null : confirm.error}
          over={over}
          onAgain={() => {
            confirm.reset();
            begin.reset();
            mutate();
          }}
          onConfirm={(code) => confirm.mutate(code)}
          onClose={onClose}
        />
      ) : (
        <Beginning error={begin.error} onRetry={() => mutate()} onClose={onClose} />
      )}
    </Dialog>
  );
}

function Beginning({ error, onRetry, onClose }: { error: unknown; onRetry: () => void; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <>
      <DialogContent sx={{ display: 'grid', gap: 2 }}>
        {error ? (
          <Problem error={error} fallback="second.startFailed" />
        ) : (
          <>
            <Typography variant="body2" color="textSecondary" role="status">
              {t('settings.loading')}
            </Typography>
            <Skeleton variant="rounded" width={200} height={200} sx={{ justifySelf: 'center' }} aria-hidden />
            <Skeleton variant="rounded" height={44} aria-hidden />
          </>
        )}
      </DialogContent>
      <DialogActions>
        <Button variant="ghost" autoFocus onClick={onClose}>
          {t('settings.cancel')}
        </Button>
        {error !== null && <Button onClick={onRetry}>{t('problem.retry')}</Button>}
      </DialogActions>
    </>
  );
}

function codeWrong(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'VALIDATION_FAILED';
}

interface ConfirmProps {
  factor: NewSecondFactor;
  busy: boolean;
  error: unknown;
  over: boolean;
  onAgain: () => void;
  onConfirm: (code: string) => void;
  onClose: () => void;
}

function Confirm({ factor, busy, error, over, onAgain, onConfirm, onClose }: ConfirmProps) {
  const { t } = useTranslation();
  const [code, setCode] = useState('');
  const [format, setFormat] = useState<Words | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const bare = bareCode(code);
    if (/^\d{6}$/.test(bare)) onConfirm(bare);
    else setFormat('second.codeFormat');
  };
  const problem = format ?? (codeWrong(error) ? 'second.codeWrong' : null);
  const declined = hasCode(error, STEP_UP_DECLINED);
  return (
    <form noValidate onSubmit={submit}>
      <DialogContent sx={{ display: 'grid', gap: 2 }}>
        <Typography variant="body2" color="textSecondary">
          {t('second.scan')}
        </Typography>
        <Box
          component="img"
          alt={t('second.qr')}
          src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(factor.qr_svg)}`}
          sx={{ width: 200, height: 200, justifySelf: 'center', p: 1, borderRadius: '12px', bgcolor: 'common.white' }}
        />
        <div>
          <Typography sx={{ fontSize: 14, fontWeight: 600 }}>{t('second.secret')}</Typography>
          <CopyRow icon={Lock} label={factor.secret.replace(/(.{4})(?=.)/g, '$1 ')} value={factor.secret} />
          <Button href={factor.otpauth_url} variant="text" size="small" sx={{ display: { md: 'none' }, ml: -1.5 }}>
            {t('second.openApp')}
          </Button>
        </div>
        {over && <Notice tone="error">{t('second.expired')}</Notice>}
        {!declined && !codeWrong(error) && <Problem error={error} fallback="second.confirmFailed" />}
        <Field
          label={t('second.enterCode')}
          autoComplete="one-time-code"
          autoFocus
          inputProps={{ inputMode: 'numeric', maxLength: 9 }}
          disabled={busy || over}
          value={code}
          error={problem ? t(problem) : undefined}
          onChange={(event) => {
            setCode(event.target.value);
            setFormat(null);
          }}
          sx={{ '& input': { fontSize: 20, letterSpacing: '.12em', fontVariantNumeric: 'tabular-nums' } }}
        />
      </DialogContent>
      <DialogActions>
        <Button variant="ghost" disabled={busy} onClick={onClose}>
          {t('settings.cancel')}
        </Button>
        {over ? (
          <Button onClick={onAgain}>{t('problem.retry')}</Button>
        ) : (
          <Button type="submit" loading={busy}>
            {t('second.turnOn')}
          </Button>
        )}
      </DialogActions>
    </form>
  );
}
