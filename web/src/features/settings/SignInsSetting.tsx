import { useMutation, useQuery } from '@tanstack/react-query';
import { Activity, Check, Laptop, type LucideIcon, Smartphone, Tablet } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, client } from '../../shared/api/client.ts';
import { hasCode } from '../../shared/api/errors.ts';
import { JUST_READ_MS, queryClient } from '../../shared/api/queries.ts';
import type { SignIn } from '../../shared/api/types.ts';
import { errorText } from '../../shared/format/errorText.ts';
import { useAgo } from '../../shared/hooks/useAgo.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { Badge } from '../../shared/ui/Badge.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Pieces } from '../../shared/ui/Pieces.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { toast } from '../../shared/ui/toasts.ts';
import { catchFocus } from './catchFocus.ts';
import { ConfirmDialog } from './lazyQuestions.ts';
import { settingsQueries } from './queries.ts';
import { Loaded, Row, Section } from './Section.tsx';
import styles from './settings.module.css';

const icons: Record<SignIn['client']['kind'], LucideIcon> = {
  phone: Smartphone,
  tablet: Tablet,
  computer: Laptop,
  other: Activity,
};

/** Number of other sessions that are visible at first. */
const FEW = 3;

const SINCE = {
  password: 'signIns.since',
  google: 'signIns.sinceGoogle',
  mail_link: 'signIns.sinceLink',
  passkey: 'signIns.sincePasskey',
} as const satisfies Record<SignIn['method'], TextKey>;

const reload = () =>
  queryClient.invalidateQueries({ queryKey: settingsQueries.signIns().queryKey }).then(() => catchFocus('sign-ins'));

/** Renders the sessions of the user, with buttons that end one or all others. */
export function SignInsSetting() {
  const { t } = useTranslation();
  const query = useQuery({ ...settingsQueries.signIns(), staleTime: JUST_READ_MS });
  return (
    <Section id="sign-ins" icon={Laptop} title={t('signIns.title')} text={t('signIns.text')}>
      <Loaded query={query} rows={3}>
        {(signIns) => <SignIns signIns={signIns} />}
      </Loaded>
    </Section>
  );
}

function SignIns({ signIns }: { signIns: SignIn[] }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const [all, setAll] = useState(false);
  const others = signIns.filter((one) => !one.current);
  const endOthers = useMutation({
    mutationFn: () => answer(client.POST('/auth/logout-all', { body: { keep_current: true } })),
    onSuccess: ({ ended }) => {
      setAsking(false);
      toast.success(t('signIns.endedOthers', { count: ended }));
    },
    onSettled: reload,
  });
  const shown = [...signIns.filter((one) => one.current), ...(all ? others : others.slice(0, FEW))];
  return (
    <>
      {others.length > 0 ? (
        <Button variant="secondary" size="small" className={styles.own} onClick={() => setAsking(true)}>
          {t('signIns.endOthers')}
        </Button>
      ) : (
        <Text variant="small" color="secondary">
          {t('signIns.only')}
        </Text>
      )}
      <ul className={styles.list}>
        {shown.map((signIn) => (
          <li key={signIn.id}>
            <SignInRow signIn={signIn} />
          </li>
        ))}
      </ul>
      {others.length > FEW && (
        <Button variant="text" size="small" aria-expanded={all} className={styles.more} onClick={() => setAll(!all)}>
          {all ? t('signIns.showFewer') : t('signIns.showAll', { count: signIns.length })}
        </Button>
      )}
      {asking && (
        <ConfirmDialog
          title={t('signIns.endOthers')}
          confirm={t('signIns.end')}
          busy={endOthers.isPending}
          error={endOthers.error}
          fallback="signIns.endFailed"
          onConfirm={() => endOthers.mutate()}
          onClose={() => {
            endOthers.reset();
            setAsking(false);
          }}
          onMissing={() => setAsking(false)}
        >
          <span>{t('signIns.endOthersText', { count: others.length })}</span>
        </ConfirmDialog>
      )}
    </>
  );
}

function SignInRow({ signIn }: { signIn: SignIn }) {
  const { t } = useTranslation();
  const ago = useAgo();
  const { browser, os, kind } = signIn.client;
  const name = browser && os ? t('signIns.on', { browser, os }) : browser || os || t('signIns.unknown');
  const end = useMutation({
    mutationFn: () => answer(client.DELETE('/user/sessions/{id}', { params: { path: { id: signIn.id } } })),
    onSuccess: () => toast.success(t('signIns.ended', { what: name })),
    // The session has already ended, which counts as a success.
    onError: (error) => !hasCode(error, 'NOT_FOUND') && toast.error(t(errorText(error, 'signIns.endFailed'))),
    onSettled: reload,
  });
  const since = SINCE[signIn.method];
  return (
    <Row
      actions={
        signIn.current ? (
          <Badge tone="ok" icon={Check}>
            {t('signIns.current')}
          </Badge>
        ) : (
          <Button
            variant="text"
            size="small"
            aria-label={t('signIns.endWhat', { what: name })}
            loading={end.isPending}
            onClick={() => end.mutate()}
          >
            {t('signIns.end')}
          </Button>
        )
      }
    >
      <div className={styles.device}>
        <Icon of={icons[kind] ?? Activity} className={styles.deviceIcon} />
        <div className={styles.deviceWords}>
          <Text variant="strong">{name}</Text>
          <Text variant="small" color="secondary">
            <Pieces of={[t('signIns.used', { when: ago(signIn.last_used_at) }), t(since, { when: ago(signIn.created_at) })]} />
          </Text>
          <Text variant="caption" color="tertiary">
            <Pieces of={[t(`signIns.${kind}`), t('signIns.network', { network: signIn.network })]} />
          </Text>
        </div>
      </div>
    </Row>
  );
}
