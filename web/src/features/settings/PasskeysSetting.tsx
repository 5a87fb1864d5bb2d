import { useMutation, useQuery } from '@tanstack/react-query';
import { Fingerprint } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, client } from '../../shared/api/client.ts';
import { ApiError } from '../../shared/api/errors.ts';
import { queryClient } from '../../shared/api/queries.ts';
import type { Passkey, PasskeyList } from '../../shared/api/types.ts';
import { hasPasskeys } from '../../shared/browser/passkey.ts';
import { useAgo } from '../../shared/hooks/useAgo.ts';
import { instantParts } from '../../shared/i18n/format.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Stack } from '../../shared/ui/Layout.tsx';
import { Pieces } from '../../shared/ui/Pieces.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { toast } from '../../shared/ui/toasts.ts';
import { catchFocus } from './catchFocus.ts';
import { AddPasskeyDialog } from './lazyParts.ts';
import { ConfirmDialog } from './lazyQuestions.ts';
import { settingsQueries } from './queries.ts';
import { Loaded, Row, Section } from './Section.tsx';
import styles from './settings.module.css';

const reload = () => void queryClient.invalidateQueries({ queryKey: settingsQueries.passkeys().queryKey });

/** Renders the user's passkeys, with buttons to add and remove them. */
export function PasskeysSetting() {
  const { t } = useTranslation();
  const query = useQuery(settingsQueries.passkeys());
  return (
    <Section id="passkeys" icon={Fingerprint} title={t('passkeys.title')} text={t('passkeys.text')}>
      <Loaded query={query} rows={1}>
        {(list) => <Passkeys list={list} />}
      </Loaded>
    </Section>
  );
}

function Passkeys({ list: { offered, passkeys } }: { list: PasskeyList }) {
  const { t } = useTranslation();
  const [adding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<Passkey | null>(null);
  const close = () => {
    setAdding(false);
    catchFocus('passkeys');
  };
  const obstacle = !offered ? 'passkeys.notOffered' : hasPasskeys() ? null : 'passkeys.unsupported';
  return (
    <>
      {obstacle ? (
        <Alert tone="quiet">{t(obstacle)}</Alert>
      ) : (
        <Button variant="secondary" size="small" className={styles.own} onClick={() => setAdding(true)}>
          {t('passkeys.add')}
        </Button>
      )}
      {passkeys.length === 0 ? (
        <Text variant="small" color="secondary">
          {t('passkeys.none')}
        </Text>
      ) : (
        <ul className={styles.list}>
          {passkeys.map((passkey) => (
            <li key={passkey.id}>
              <PasskeyRow passkey={passkey} onRemove={() => setRemoved(passkey)} />
            </li>
          ))}
        </ul>
      )}
      {adding && <AddPasskeyDialog onAdded={reload} onClose={close} onMissing={close} />}
      {removed && <RemoveDialog passkey={removed} onClose={() => setRemoved(null)} />}
    </>
  );
}

function PasskeyRow({ passkey, onRemove }: { passkey: Passkey; onRemove: () => void }) {
  const { t } = useTranslation();
  const ago = useAgo();
  const { name, host, usable, created_at, used_at } = passkey;
  return (
    <Row
      actions={
        <Button variant="dangerText" size="small" aria-label={t('passkeys.removeWhat', { name })} onClick={onRemove}>
          {t('passkeys.remove')}
        </Button>
      }
    >
      <Stack gap={2}>
        <div>
          <Text variant="strong">{name}</Text>
          <Text variant="small" color="secondary">
            <Pieces
              of={[
                t('passkeys.addedOn', { date: instantParts(created_at).date }),
                used_at ? t('passkeys.used', { when: ago(used_at) }) : t('passkeys.unused'),
              ]}
            />
          </Text>
        </div>
        {!usable && <Alert tone="warning">{t('passkeys.moved', { host })}</Alert>}
      </Stack>
    </Row>
  );
}

function RemoveDialog({ passkey: { id, name }, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { t } = useTranslation();
  const close = () => {
    onClose();
    catchFocus('passkeys');
  };
  const remove = useMutation({
    mutationFn: () => answer(client.DELETE('/user/passkeys/{id}', { params: { path: { id } } })),
    onSuccess: () => {
      close();
      toast.success(t('passkeys.removed', { name }));
    },
    onSettled: reload,
  });
  const lastWay = remove.error instanceof ApiError && remove.error.code === 'VALIDATION_FAILED';
  return (
    <ConfirmDialog
      title={t('passkeys.removeTitle')}
      confirm={t('passkeys.remove')}
      grave
      busy={remove.isPending}
      error={lastWay ? null : remove.error}
      fallback="passkeys.removeFailed"
      onConfirm={() => remove.mutate()}
      onClose={close}
      onMissing={close}
    >
      <span>{t('passkeys.removeText', { name })}</span>
      {lastWay && <Alert tone="error">{t('passkeys.lastWay')}</Alert>}
    </ConfirmDialog>
  );
}
