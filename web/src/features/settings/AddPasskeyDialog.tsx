import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as bounds from '../../shared/api/bounds.ts';
import { answer, client } from '../../shared/api/client.ts';
import { createPasskey } from '../../shared/browser/passkey.ts';
import { useSubmission } from '../../shared/forms/useSubmission.ts';
import { TextField } from '../../shared/ui/TextField.tsx';
import { toast } from '../../shared/ui/toasts.ts';
import { FormDialog } from './FormDialog.tsx';

/** Systems whose name is a good first name for a passkey. */
const SYSTEMS = ['iPhone', 'iPad', 'Android', 'Windows', 'Mac', 'Linux'];

/** Returns the name of this device's system, or an empty text. */
const deviceName = () => SYSTEMS.find((name) => navigator.userAgent.includes(name)) ?? '';

/** Renders the dialog that asks for a name and adds a passkey of this browser. */
export function AddPasskeyDialog({ onAdded, onClose }: { onAdded: () => void; onClose: () => void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(deviceName);
  const { submit, sending, error } = useSubmission(async (name: string) => {
    const { options } = await answer(client.POST('/user/passkeys/options'));
    const credential = await createPasskey(options);
    await answer(client.POST('/user/passkeys', { body: { name, credential } }));
    toast.success(t('passkeys.added', { name }));
    onAdded();
    onClose();
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const name = typed.trim();
    if (name) return submit(name);
  };
  return (
    <FormDialog
      title={t('passkeys.add')}
      send={t('passkeys.create')}
      sending={sending}
      error={error}
      fallback="passkeys.failed"
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <TextField
        label={t('passkeys.name')}
        hint={t('passkeys.nameHint')}
        value={typed}
        required
        maxLength={bounds.NewPasskeyInput.name.maxLength}
        disabled={sending}
        onChange={(event) => setTyped(event.target.value)}
      />
    </FormDialog>
  );
}
