import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { If } from '../../shared/api/facts.tsx';
import { useMethods } from '../../shared/api/methods.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Notice } from '../../shared/legacy/Notice.tsx';
import { Problem } from '../../shared/legacy/Problem.tsx';
import { GoogleMark } from './GoogleMark.tsx';
import { inWeChat } from './googleSignIn.ts';
import { useGoogle } from './useGoogle.ts';

interface Props {
  /** Whether the form stands below it or above. */
  side?: 'above' | 'below';
  disabled: boolean;
  /** Read at the moment of leaving: the checkbox's state. */
  rememberMe: () => boolean;
}

const never = () => () => undefined;

/** The way in by Google, with a line between it and the form; nothing where the server does not offer it. */
export function GoogleButton(props: Props) {
  const methods = useMethods();
  return (
    <If fact="google" otherwise={methods?.google === true}>
      <Way {...props} />
    </If>
  );
}

function Way({ side = 'above', disabled, rememberMe }: Props) {
  const { t } = useTranslation();
  const { go, leaving, error } = useGoogle(useLanguage());
  // A document that was rendered ahead does not know which browser it is read in.
  const wechat = useSyncExternalStore(never, inWeChat, () => false);
  const divider = (
    <Box
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1.5,
        fontSize: 13,
        color: 'text.tertiary',
        '&::before, &::after': { content: '""', flex: 1, height: '1px', bgcolor: 'divider' },
      }}
    >
      {t(side === 'above' ? 'auth.orEmail' : 'auth.or')}
    </Box>
  );
  return (
    <Box sx={{ display: 'grid', gap: 2, mb: side === 'above' ? 2 : 0, mt: side === 'above' ? 0 : 2 }}>
      {side === 'below' && divider}
      <Problem error={error} fallback="auth.googleFailed" />
      {wechat ? (
        <Notice tone="quiet">{t('auth.googleWeChat')}</Notice>
      ) : (
        <Button
          variant="outlined"
          fullWidth
          disabled={disabled || leaving}
          loading={leaving}
          loadingPosition="start"
          startIcon={<GoogleMark />}
          onClick={() => go({ purpose: 'sign_in', rememberMe: rememberMe(), returnTo: null })}
          sx={{ minHeight: 48 }}
        >
          {leaving ? t('auth.googleLeaving') : t('auth.google')}
        </Button>
      )}
      {side === 'above' && divider}
    </Box>
  );
}
