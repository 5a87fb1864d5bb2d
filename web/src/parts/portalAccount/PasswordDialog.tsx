import { useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Dialog } from '../../shared/ui/Dialog.tsx';
import { Stack } from '../../shared/ui/Layout.tsx';
import { PasswordField } from '../../shared/ui/PasswordField.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { PlainHttpNote } from './PlainHttpNote.tsx';

interface Props {
  title: string;
  account: string;
  failure: TextKey | null;
  busy?: boolean;
  onClose: () => void;
  onSubmit: (password: string) => void;
}

/** Renders the dialog that asks for the password of a portal account. */
export function PasswordDialog({ title, account, failure, busy = false, onClose, onSubmit }: Props) {
  const { t } = useTranslation();
  const form = useForm({ defaultValues: { portalPassword: '' } });
  const empty = useWatch({ control: form.control, name: 'portalPassword' }) === '';
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      onSubmit={form.handleSubmit(({ portalPassword }) => !empty && onSubmit(portalPassword))}
      actions={
        <>
          <Button variant="ghost" onClick={onClose}>
            {t('editor.cancel')}
          </Button>
          <Button type="submit" disabled={empty} loading={busy}>
            {t('portal.verify')}
          </Button>
        </>
      }
    >
      <Stack gap={4}>
        <Text variant="small" color="secondary">
          {account}
        </Text>
        {failure && <Alert tone="error">{t(failure)}</Alert>}
        <PasswordField
          label={t('portal.password')}
          autoComplete="off"
          after={<PlainHttpNote />}
          {...form.register('portalPassword')}
        />
      </Stack>
    </Dialog>
  );
}
