import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as bounds from '../../shared/api/bounds.ts';
import { answer, client } from '../../shared/api/client.ts';
import { queries, queryClient } from '../../shared/api/queries.ts';
import { useSubmission } from '../../shared/forms/useSubmission.ts';
import { TextField } from '../../shared/ui/TextField.tsx';
import { toast } from '../../shared/ui/toasts.ts';
import { FormDialog } from './FormDialog.tsx';

/**
 * Renders the dialog that asks for a display name. Without one, the name is the part of the mail
 * address before the @.
 */
export function NameDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(name);
  const { submit, sending, error } = useSubmission(async (display_name: string) => {
    const { user } = await answer(client.PUT('/auth/profile', { body: { display_name } }));
    queryClient.setQueryData(queries.profile().queryKey, user);
    toast.success(t('account.nameSaved'));
    onClose();
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    return submit(typed);
  };
  return (
    <FormDialog
      title={t('account.changeName')}
      send={t('account.saveName')}
      sending={sending}
      error={error}
      fallback="account.nameFailed"
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <TextField
        label={t('account.name')}
        hint={t('account.nameHint')}
        autoComplete="nickname"
        value={typed}
        maxLength={bounds.ProfileChange.display_name.maxLength}
        disabled={sending}
        onChange={(event) => setTyped(event.target.value)}
      />
    </FormDialog>
  );
}
