import { ArrowRight, Clock } from 'lucide-react';
import { type RefObject, useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { PlainHttpNote } from '../../parts/portalAccount/PlainHttpNote.tsx';
import { hasCode } from '../../shared/api/errors.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Card } from '../../shared/ui/Card.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { PasswordField } from '../../shared/ui/PasswordField.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { TextField } from '../../shared/ui/TextField.tsx';
import { CountryFields } from './CountryFields.tsx';
import { KnownAccount, TakenDialog, VerifyOverlay } from './lazyParts.ts';
import { focusCountry } from './openCountry.ts';
import { type PortalForm, usePortalForm } from './portalForm.ts';
import { SafeNote } from './SafeNote.tsx';
import styles from './StepPortal.module.css';
import { useVerify } from './useVerify.ts';
import { VerifyProblem } from './VerifyProblem.tsx';
import type { CachedVerification } from './verifyCache.ts';
import { WizardBar } from './WizardBar.tsx';
import type { WizardDraft } from './wizardDraft.ts';

interface Props {
  draft: WizardDraft;
  /** Code of the open country that is used, or null while the countries are unknown. */
  country: string | null;
  /** Data of this portal account that is less than 30 minutes old, or null. */
  cached: CachedVerification | null;
  expired: boolean;
  /** Keeps the typed password in memory, for a refresh in step 2. */
  password: RefObject<string>;
  onChange: (part: Partial<WizardDraft>) => void;
  onVerified: () => void;
}

/** Another account has other groups, so the previous choice is deleted. */
const fresh = { selected: null, configured: [] };

/**
 * Renders step 1: the sign-in at the portal. If data less than 30 minutes old is cached, the user
 * can skip it.
 */
export function StepPortal({ draft, country, cached, expired, password, onChange, onVerified }: Props) {
  const { t } = useTranslation();
  const verify = useVerify(draft.userId, onVerified);
  const { visaType } = draft;
  const { form, incomplete, markRejected } = usePortalForm(draft.username);
  const { errors } = form.formState;
  const errorAt = (field: keyof PortalForm) => errors[field]?.message && t(errors[field].message as TextKey);
  // Another country has other cities, and a consent there means other reschedules.
  const changeCountry = (code: string) => {
    if (code === draft.countryCode) return;
    onChange({
      countryCode: code,
      form: draft.form && { ...draft.form, cities: [], fingerprints: null, lastAttemptUntil: null },
      ...fresh,
    });
  };
  const start = form.handleSubmit((typed) => {
    // The field shows that the countries are loading, or that they could not be loaded.
    if (!country) return focusCountry();
    password.current = typed.portalPassword;
    const login = { username: typed.portalUsername, password: typed.portalPassword };
    if (cached) onVerified();
    else {
      changeCountry(country);
      verify.start({ ...login, countryCode: country, visaType }, false);
    }
  });
  const otherAccount = () => {
    verify.leave();
    form.reset({ portalUsername: '', portalPassword: '' });
    onChange({ username: '', ...fresh });
  };
  const taken = hasCode(verify.error, 'SCHEDULE_ALREADY_EXISTS') ? verify.error : null;
  const rejected = hasCode(verify.error, 'PORTAL_CREDENTIALS_REJECTED');
  const mark = useEffectEvent(markRejected);
  useEffect(() => {
    if (!rejected) return;
    // Runs after the overlay has closed and returned the focus.
    const timer = setTimeout(mark);
    return () => clearTimeout(timer);
  }, [rejected]);
  return (
    <Card>
      {verify.busy && <VerifyOverlay progressId={verify.progressId} onCancel={verify.leave} />}
      {taken && <TakenDialog error={taken} onClose={verify.leave} onOtherAccount={otherAccount} />}
      <form noValidate onSubmit={start}>
        <div className={styles.fields}>
          <Text as="h2" variant="h4">
            {t('portal.title')}
          </Text>
          {expired && (
            <Alert tone="info" icon={Clock} live="status">
              {t('portal.expired')}
            </Alert>
          )}
          {cached && country && <KnownAccount readAtMs={cached.readAtMs} onContinue={onVerified} />}
          {verify.error && !taken && (
            <VerifyProblem error={verify.error} title={t('verify.failed')} onRetry={() => void start()} />
          )}
          {incomplete && (
            <Alert tone="warning" live="alert">
              {t('portal.complete')}
            </Alert>
          )}
          <TextField
            label={t('portal.username')}
            hint={t('portal.usernameHint')}
            error={errorAt('portalUsername')}
            autoComplete="off"
            // Prevents phones from capitalizing the login name. A wrong name would waste the only
            // attempt.
            inputMode="email"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            {...form.register('portalUsername', { onChange: (event) => onChange({ username: event.target.value, ...fresh }) })}
          />
          <PasswordField
            label={t('portal.password')}
            error={errorAt('portalPassword')}
            autoComplete="off"
            after={
              <div className={styles.safe}>
                <PlainHttpNote />
                <SafeNote />
              </div>
            }
            {...form.register('portalPassword')}
          />
          <CountryFields
            countryCode={draft.countryCode}
            chosen={country}
            visaType={visaType}
            onCountry={changeCountry}
            onVisaType={(type) => onChange({ visaType: type, ...fresh })}
          />
        </div>
        <WizardBar>
          <Button type="submit" end={<Icon of={ArrowRight} size={18} />} loading={verify.busy}>
            {t('portal.verify')}
          </Button>
        </WizardBar>
      </form>
    </Card>
  );
}
