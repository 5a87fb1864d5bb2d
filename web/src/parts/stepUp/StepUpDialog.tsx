import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { answerStepUp, type Demand } from '../../shared/api/stepUp.ts';
import { useIdentity } from '../../shared/api/useIdentity.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Field } from '../../shared/legacy/Field.tsx';
import { PasswordField } from '../../shared/ui/PasswordField.tsx';
import { Problem } from '../../shared/ui/Problem.tsx';
import { GoogleMark } from '../account/GoogleMark.tsx';
import { useGoogle } from '../account/useGoogle.ts';
import { useStepUpForm } from './useStepUpForm.ts';

const decline = () => answerStepUp(false);

/** Asks who it is before something a stolen sign-in must not do; opened by the API client, over whatever is open. */
export function StepUpDialog({ demand }: { demand: Demand }) {
  const { t } = useTranslation();
  return (
    <Dialog open onClose={decline} maxWidth="xs" fullWidth aria-labelledby="step-up-title">
      <DialogTitle id="step-up-title">{t('stepUp.title')}</DialogTitle>
      {demand.methods.includes('password') ? <ByPassword demand={demand} /> : <ByGoogle />}
    </Dialog>
  );
}

function ByPassword({ demand }: { demand: Demand }) {
  const { t } = useTranslation();
  const identity = useIdentity();
  const { typed, type, problems, codeToo, send, sending, error } = useStepUpForm(demand);
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        const missing = send();
        const name = missing.password ? 'step-up-password' : missing.code ? 'step-up-code' : null;
        if (name) form.querySelector<HTMLInputElement>(`input[name=${name}]`)?.focus();
      }}
    >
      <DialogContent sx={{ display: 'grid', gap: 2, pt: 0 }}>
        <Typography variant="body2" color="textSecondary">
          {t('stepUp.text')}
        </Typography>
        <input type="text" name="username" autoComplete="username" value={identity?.email ?? ''} readOnly hidden />
        <Problem error={error} fallback="stepUp.failed" />
        <PasswordField
          label={t('auth.password')}
          name="step-up-password"
          autoComplete="current-password"
          autoFocus
          disabled={sending}
          value={typed.password}
          error={problems.password && t(problems.password)}
          onChange={(event) => type('password')(event.target.value)}
        />
        {codeToo && (
          <Field
            label={t('stepUp.code')}
            name="step-up-code"
            autoComplete="one-time-code"
            inputProps={{ autoCapitalize: 'none', spellCheck: false, maxLength: 16 }}
            disabled={sending}
            value={typed.code}
            hint={t('stepUp.codeHint')}
            error={problems.code && t(problems.code)}
            onChange={(event) => type('code')(event.target.value)}
          />
        )}
      </DialogContent>
      <DialogActions>
        <Button variant="ghost" onClick={decline}>
          {t('settings.cancel')}
        </Button>
        <Button type="submit" loading={sending}>
          {t('stepUp.confirm')}
        </Button>
      </DialogActions>
    </Box>
  );
}

function ByGoogle() {
  const { t } = useTranslation();
  const { go, leaving, error } = useGoogle(useLanguage());
  const { pathname, search, hash } = window.location;
  return (
    <>
      <DialogContent sx={{ display: 'grid', gap: 2, pt: 0 }}>
        <Typography variant="body2" color="textSecondary">
          {t('stepUp.googleText')}
        </Typography>
        <Problem error={error} fallback="auth.googleFailed" />
      </DialogContent>
      <DialogActions>
        <Button variant="ghost" onClick={decline}>
          {t('settings.cancel')}
        </Button>
        <Button
          autoFocus
          variant="outlined"
          loading={leaving}
          loadingPosition="start"
          startIcon={<GoogleMark />}
          onClick={() => go({ purpose: 'step_up', rememberMe: false, returnTo: `${pathname}${search}${hash}` })}
        >
          {leaving ? t('auth.googleLeaving') : t('stepUp.google')}
        </Button>
      </DialogActions>
    </>
  );
}
