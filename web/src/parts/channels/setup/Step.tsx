import { Info, SquareArrowOutUpRight } from 'lucide-react';
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChannelKind } from '../../../shared/api/channels.ts';
import { Checkbox } from '../../../shared/ui/Checkbox.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { Stack } from '../../../shared/ui/Layout.tsx';
import { Text } from '../../../shared/ui/Text.tsx';
import { groupOf } from '../kinds.ts';
import styles from './channels.module.css';
import { guides } from './guides.ts';

/** Delay after which the dialog has moved the focus, because the previous step was removed. */
const SETTLED_MS = 100;

interface StepProps {
  /** Accessible name, which screen readers announce when the step appears. */
  label: string;
  children: ReactNode;
  actions: ReactNode;
  onSubmit?: () => void;
}

/**
 * Renders one step of the setup: its content, and buttons at the bottom. It takes the focus when it
 * appears.
 */
export function Step({ label, children, actions, onSubmit }: StepProps) {
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const timer = setTimeout(() => {
      const field = body.current?.querySelector<HTMLElement>('input:not([type=checkbox])');
      (field ?? body.current)?.focus({ preventScroll: true });
    }, SETTLED_MS);
    return () => clearTimeout(timer);
  }, []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit?.();
  };
  return (
    <form method="post" noValidate onSubmit={submit} className={styles.step}>
      <div ref={body} role="group" aria-label={label} tabIndex={-1} className={styles.stepBody}>
        <Stack>{children}</Stack>
      </div>
      <div className={styles.stepActions}>{actions}</div>
    </form>
  );
}

/** Renders the numbered instructions for a kind of channel, with a link to the provider's site. */
export function GuideSteps({ kind }: { kind: ChannelKind }) {
  const { t } = useTranslation();
  const { steps, site } = guides[kind];
  if (steps.length === 0) return null;
  return (
    <div>
      <ol className={styles.guide}>
        {steps.map((step) => (
          <li key={step}>{t(step) as string}</li>
        ))}
      </ol>
      {site && (
        <a href={`https://${site}`} target="_blank" rel="noreferrer" className={styles.site}>
          {site}
          <Icon of={SquareArrowOutUpRight} size={14} />
        </a>
      )}
    </div>
  );
}

/** Renders notes that the user should read before the setup. */
export function GuideNotes({ kind }: { kind: ChannelKind }) {
  const { t } = useTranslation();
  return guides[kind].notes?.map((note) => (
    <p key={note} className={styles.note}>
      <Icon of={Info} size={16} />
      <span>{t(note) as string}</span>
    </p>
  ));
}

interface ConsentProps {
  kind: ChannelKind;
  agreed: boolean;
  /** True if the user tried to continue without the consent. */
  missing: boolean;
  onChange: (agreed: boolean) => void;
}

/**
 * Renders the consent: which company receives which data, in which country. Without the consent no
 * data is sent.
 */
export function Consent({ kind, agreed, missing, onChange }: ConsentProps) {
  const { t } = useTranslation();
  const sent = kind === 'sms' ? 'reach.sent.sms' : groupOf[kind] === 'group' ? 'reach.sent.group' : 'reach.sent.all';
  return (
    <div className={styles.consent}>
      <dl>
        <div>
          <dt>{t('reach.company')}</dt>
          <dd>{t(`reach.by.${kind}`)}</dd>
        </div>
        <div>
          <dt>{t('reach.what')}</dt>
          <dd>{t(sent)}</dd>
        </div>
      </dl>
      <Checkbox
        label={t('reach.agree')}
        checked={agreed}
        error={missing && !agreed ? t('reach.agreeMissing') : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      <Text variant="caption" color="tertiary">
        {t('reach.takeBack')}
      </Text>
    </div>
  );
}
