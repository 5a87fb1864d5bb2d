import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel, Channels, ChannelTarget } from '../../../shared/api/channels.ts';
import { regionName } from '../../../shared/format/countryName.ts';
import { useLanguage } from '../../../shared/i18n/useLanguage.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import { CopyButton } from '../../../shared/ui/CopyButton.tsx';
import { TextField } from '../../../shared/ui/TextField.tsx';
import { ChannelProblem } from './ChannelProblem.tsx';
import { addChannel } from './calls.ts';
import { Consent, GuideNotes, GuideSteps, Step } from './Step.tsx';
import {
  type CheckedField,
  fieldsOf,
  firstValues,
  mayBeEmpty,
  parseTarget,
  type TargetField,
  type Typed,
  type TypedKind,
} from './targets.ts';

interface Props {
  kind: TypedKind;
  all: Channels;
  onAdded: (channel: Channel) => void;
  onBack?: () => void;
}

/** Fields whose value the user copies to the provider. */
const copied = new Set<TargetField>(['ntfy_topic', 'hook_secret']);

/** Renders the step with a form, for channels whose target the user types or pastes. */
export function FormStep({ kind, all, onAdded, onBack }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  const name = t(`channels.kind.${kind}`);
  const [values, setValues] = useState<Typed>(() => firstValues(kind));
  const [agreed, setAgreed] = useState(false);
  const [wrong, setWrong] = useState<readonly CheckedField[] | null>(null);
  const add = useMutation({
    mutationFn: (target: ChannelTarget) => addChannel(target, language),
    onSuccess: onAdded,
  });
  const submit = () => {
    const parsed = parseTarget(kind, values);
    setWrong(parsed.wrong ?? []);
    if (parsed.target && agreed) add.mutate(parsed.target);
  };
  const wrongTexts = (field: TargetField) => {
    const found = wrong?.find((one) => one === field);
    return found && t(`reach.wrong.${found}`);
  };
  // The operator may have written a country incorrectly.
  const countryOf = (code: string) => regionName(code, language) || code;
  const countries = all.sms_countries.map(countryOf).join(language === 'zh' ? '、' : ', ');
  return (
    <Step
      label={t('reach.addKind', { name })}
      onSubmit={submit}
      actions={
        <>
          {onBack && (
            <Button variant="ghost" disabled={add.isPending} onClick={onBack}>
              {t('reach.back')}
            </Button>
          )}
          <Button type="submit" loading={add.isPending}>
            {t('reach.sendCode')}
          </Button>
        </>
      }
    >
      <GuideSteps kind={kind} />
      {fieldsOf[kind].map((field) => (
        <TextField
          key={field}
          label={mayBeEmpty.has(field) ? t('reach.optional', { field: t(`reach.field.${field}`) }) : t(`reach.field.${field}`)}
          hint={field === 'phone' ? t('reach.hint.phone', { countries }) : t(`reach.hint.${field}`)}
          error={wrongTexts(field)}
          type={field === 'phone' ? 'tel' : 'text'}
          inputMode={field === 'phone' ? 'tel' : undefined}
          autoComplete={field === 'phone' ? 'tel' : 'off'}
          autoCapitalize="none"
          spellCheck={false}
          disabled={add.isPending}
          value={values[field] ?? ''}
          after={copied.has(field) ? <CopyButton label={t('reach.copy')} text={values[field] ?? ''} /> : undefined}
          onChange={(event) => {
            setValues({ ...values, [field]: event.target.value });
            setWrong(wrong?.filter((one) => one !== field) ?? null);
          }}
        />
      ))}
      <GuideNotes kind={kind} />
      <Consent kind={kind} agreed={agreed} missing={wrong !== null} onChange={setAgreed} />
      <ChannelProblem error={add.error} fallback="reach.addFailed" kind={kind} />
    </Step>
  );
}
