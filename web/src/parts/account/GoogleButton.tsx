import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { If } from '../../shared/api/facts.tsx';
import { useMethods } from '../../shared/api/methods.ts';
import { readAddress } from '../../shared/hooks/useAddress.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { classes } from '../../shared/ui/classes.ts';
import { Stack } from '../../shared/ui/Layout.tsx';
import { Problem } from '../../shared/ui/Problem.tsx';
import { Spinner } from '../../shared/ui/Spinner.tsx';
import styles from './GoogleButton.module.css';
import { GoogleMark } from './GoogleMark.tsx';
import { inWeChat } from './googleSignIn.ts';
import { useGoogle } from './useGoogle.ts';

interface Props {
  /** Position of the form relative to the button. */
  side?: 'above' | 'below';
  disabled: boolean;
  /**
   * Returns whether the checkbox *remember me* is ticked. Called when the user presses the button.
   */
  rememberMe: () => boolean;
}

const never = () => () => undefined;

/**
 * Renders the button for signing in with Google, and a line between it and the form. Renders
 * nothing if the server does not offer it.
 */
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
  // A prerendered document does not know in which browser it opens.
  const wechat = useSyncExternalStore(never, inWeChat, () => false);
  const divider = <div className={styles.divider}>{t(side === 'above' ? 'auth.orEmail' : 'auth.or')}</div>;
  return (
    <Stack className={classes(styles.way, styles[side])}>
      {side === 'below' && divider}
      <Problem error={error} fallback="auth.googleFailed" />
      {wechat ? (
        <Alert tone="quiet">{t('auth.googleWeChat')}</Alert>
      ) : (
        <Button
          variant="secondary"
          wide
          disabled={disabled || leaving}
          start={leaving ? <Spinner /> : <GoogleMark />}
          onClick={() => go({ purpose: 'sign_in', rememberMe: rememberMe(), returnTo: readAddress().get('next') })}
          className={styles.button}
        >
          {t(leaving ? 'auth.googleLeaving' : 'auth.google')}
        </Button>
      )}
      {side === 'above' && divider}
    </Stack>
  );
}
