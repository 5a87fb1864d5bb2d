import { useMutation } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyRow } from '../../parts/balance/CopyRow.tsx';
import { answer, client } from '../../shared/api/client.ts';
import { ApiError, hasCode, STEP_UP_DECLINED } from '../../shared/api/errors.ts';
import type { NewSecondFactor } from '../../shared/api/types.ts';
import { bareCode } from '../../shared/forms/schemas.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { Dialog } from '../../shared/ui/Dialog.tsx';
import { Stack } from '../../shared/ui/Layout.tsx';
import { Problem } from '../../shared/ui/Problem.tsx';
import { Skeleton } from '../../shared/ui/Skeleton.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { TextField } from '../../shared/ui/TextField.tsx';
import { toast } from '../../shared/ui/toasts.ts';
import { RecoveryCodesDialog } from './RecoveryCodes.tsx';
import styles from './settings.module.css';

interface Props {
  onEnabled: () => void;
  onClose: () => void;
}

const codeWrong = (error: unknown) => error instanceof ApiError && error.code === 'VALIDATION_FAILED';

/**
 * Renders the dialog that sets up the second factor: the key with its QR code, the first code, then
 * the recovery codes.
 */
export function SecondFactorDialog({ onEnabled, onClose }: Props) {
  const { t } = useTranslation();
  const [code, setCode] = useState('');
  const [format, setFormat] = useState<TextKey | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const begin = useMutation({
    mutationFn: () => answer(client.POST('/user/totp')),
    onError: (error) => hasCode(error, STEP_UP_DECLINED) && onClose(),
  });
  const confirm = useMutation({
    mutationFn: (code: string) => answer(client.POST('/user/totp/confirm', { body: { code } })),
    onSuccess: () => {
      toast.success(t('second.turnedOn'));
      onEnabled();
    },
  });
  const { mutate } = begin;
  const begun = useRef(false);
  useEffect(() => {
    // Each request creates a new key, so it is sent once per dialog. React may run this effect
    // twice.
    if (begun.current) return;
    begun.current = true;
    mutate();
  }, [mutate]);
  const factor = begin.data;
  useEffect(() => {
    if (factor) field.current?.focus();
  }, [factor]);
  if (confirm.data) return <RecoveryCodesDialog codes={confirm.data.recovery_codes} onClose={onClose} />;
  const over = hasCode(confirm.error, 'ILLEGAL_TRANSITION');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const bare = bareCode(code);
    if (/^\d{6}$/.test(bare)) confirm.mutate(bare);
    else setFormat('second.codeFormat');
  };
  const again = () => {
    confirm.reset();
    begin.reset();
    setCode('');
    setFormat(null);
    mutate();
  };
  const problem = format ?? (codeWrong(confirm.error) ? 'second.codeWrong' : null);
  const isShownElsewhere = over || codeWrong(confirm.error) || hasCode(confirm.error, STEP_UP_DECLINED);
  const actions = (
    <>
      <Button variant="ghost" disabled={confirm.isPending} onClick={onClose}>
        {t('settings.cancel')}
      </Button>
      {(over || begin.isError) && <Button onClick={again}>{t('problem.retry')}</Button>}
      {factor && !over && (
        <Button type="submit" loading={confirm.isPending}>
          {t('second.turnOn')}
        </Button>
      )}
    </>
  );
  return (
    <Dialog open onClose={onClose} locked={confirm.isPending} title={t('second.setUpTitle')} onSubmit={submit} actions={actions}>
      {factor ? (
        <Stack>
          <Key factor={factor} />
          {over && <Alert tone="error">{t('second.expired')}</Alert>}
          {!isShownElsewhere && <Problem error={confirm.error} fallback="second.confirmFailed" />}
          <TextField
            ref={field}
            code
            label={t('second.enterCode')}
            autoComplete="one-time-code"
            inputMode="numeric"
            maxLength={9}
            disabled={confirm.isPending || over}
            value={code}
            error={problem ? t(problem) : undefined}
            onChange={(event) => {
              setCode(event.target.value);
              setFormat(null);
            }}
          />
        </Stack>
      ) : (
        <Beginning error={begin.error} />
      )}
    </Dialog>
  );
}

/** Renders the key as a QR code, as text, and as a link that opens an authenticator app. */
function Key({ factor }: { factor: NewSecondFactor }) {
  const { t } = useTranslation();
  return (
    <>
      <Text variant="small" color="secondary">
        {t('second.scan')}
      </Text>
      <img
        alt={t('second.qr')}
        src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(factor.qr_svg)}`}
        className={styles.picture}
      />
      <div>
        <Text variant="label">{t('second.secret')}</Text>
        <CopyRow icon={Lock} label={factor.secret.replace(/(.{4})(?=.)/g, '$1 ')} value={factor.secret} />
        <ButtonLink href={factor.otpauth_url} variant="text" size="small" className={styles.openApp}>
          {t('second.openApp')}
        </ButtonLink>
      </div>
    </>
  );
}

function Beginning({ error }: { error: unknown }) {
  const { t } = useTranslation();
  if (error) return <Problem error={error} fallback="second.startFailed" />;
  return (
    <Stack>
      <Text variant="small" color="secondary" role="status">
        {t('settings.loading')}
      </Text>
      <Skeleton kind="block" className={styles.pictureRoom} />
      <Skeleton kind="control" />
    </Stack>
  );
}
