import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { account } from '../../shared/api/account.ts';
import { hasCode } from '../../shared/api/errors.ts';
import { queries, queryClient } from '../../shared/api/queries.ts';
import type { SignIn } from '../../shared/api/types.ts';
import { errorWords } from '../../shared/format/errorWords.ts';
import { useAgo } from '../../shared/hooks/useAgo.ts';
import { ConfirmDialog } from '../../shared/legacy/ConfirmDialog.tsx';
import { Icon } from '../../shared/legacy/Icon.tsx';
import type { IconName } from '../../shared/legacy/iconPaths.tsx';
import { Tag } from '../../shared/legacy/Tag.tsx';
import { toast } from '../../shared/ui/toasts.ts';
import { catchFocus } from './catchFocus.ts';
import { Loaded, Row, Section } from './Section.tsx';

const icons: Record<SignIn['client']['kind'], IconName> = {
  phone: 'phone',
  tablet: 'tablet',
  computer: 'computer',
  other: 'activity',
};

const reload = () => queryClient.invalidateQueries({ queryKey: queries.signIns().queryKey }).then(() => catchFocus('sign-ins'));

/** Where someone is signed in; one of them or all others can be ended. */
export function SignInsSetting() {
  const { t } = useTranslation();
  const query = useQuery({ ...queries.signIns(), refetchOnMount: 'always' });
  return (
    <Section id="sign-ins" icon="computer" title={t('signIns.title')} text={t('signIns.text')}>
      <Loaded query={query} rows={3}>
        {(signIns) => <SignIns signIns={signIns} />}
      </Loaded>
    </Section>
  );
}

function SignIns({ signIns }: { signIns: SignIn[] }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const others = signIns.filter((one) => !one.current);
  const endOthers = useMutation({
    mutationFn: account.endOthers,
    onSuccess: ({ ended }) => {
      setAsking(false);
      toast.success(t('signIns.endedOthers', { count: ended }));
    },
    onSettled: reload,
  });
  const ordered = [...signIns.filter((one) => one.current), ...others];
  return (
    <>
      <Box component="ul" sx={{ display: 'grid', gap: 2, '& > li + li': { borderTop: 1, borderColor: 'divider', pt: 2 } }}>
        {ordered.map((signIn) => (
          <li key={signIn.id}>
            <SignInRow signIn={signIn} />
          </li>
        ))}
      </Box>
      {others.length > 0 ? (
        <Button variant="outlined" size="small" sx={{ justifySelf: 'start' }} onClick={() => setAsking(true)}>
          {t('signIns.endOthers')}
        </Button>
      ) : (
        <Typography variant="body2" color="textSecondary">
          {t('signIns.only')}
        </Typography>
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
    mutationFn: () => account.endSignIn(signIn.id),
    onSuccess: () => toast.success(t('signIns.ended', { what: name })),
    // Gone already is what was wanted.
    onError: (error) => !hasCode(error, 'NOT_FOUND') && toast.error(t(errorWords(error, 'signIns.endFailed'))),
    onSettled: reload,
  });
  const since = signIn.method === 'google' ? 'signIns.sinceGoogle' : 'signIns.since';
  return (
    <Row
      minWidth={220}
      actions={
        signIn.current ? (
          <Tag tone="ok" icon="check">
            {t('signIns.current')}
          </Tag>
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
      <Box sx={{ display: 'flex', gap: 1.5 }}>
        <Box sx={{ color: 'text.secondary', pt: '2px' }}>
          <Icon name={icons[kind] ?? 'activity'} />
        </Box>
        <Box sx={{ minWidth: 0 }}>
          <Typography sx={{ fontSize: 15, fontWeight: 600 }}>{name}</Typography>
          <Typography variant="body2" color="textSecondary">
            <Piece>{t('signIns.used', { when: ago(signIn.last_used_at) })}</Piece> ·{' '}
            <Piece>{t(since, { when: ago(signIn.created_at) })}</Piece>
          </Typography>
          <Typography variant="caption" color="textTertiary" component="p">
            {t(`signIns.${kind}`)} · {t('signIns.network', { network: signIn.network })}
          </Typography>
        </Box>
      </Box>
    </Row>
  );
}

/** A part of a line that goes to the next one whole where it can. */
function Piece({ children }: { children: ReactNode }) {
  return (
    <Box component="span" sx={{ display: 'inline-block' }}>
      {children}
    </Box>
  );
}
