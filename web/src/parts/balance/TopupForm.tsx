import { useMutation } from '@tanstack/react-query';
import { CircleCheck, CircleX } from 'lucide-react';
import { type FormEvent, lazy, Suspense, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, client, idempotent } from '../../shared/api/client.ts';
import { refreshMoney } from '../../shared/api/queries.ts';
import type { TopupResult } from '../../shared/api/types.ts';
import { randomKey } from '../../shared/browser/randomKey.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { classes } from '../../shared/ui/classes.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Problem } from '../../shared/ui/Problem.tsx';
import { Spinner } from '../../shared/ui/Spinner.tsx';
import { TextField } from '../../shared/ui/TextField.tsx';
import { topupErrorText } from './errorText.ts';
import styles from './TopupForm.module.css';
import type { Driven } from './topUp.ts';
import { CODE_LENGTH, cleanCode, groupCode } from './topupCode.ts';
import { type CodeState, useCodeCheck } from './useCodeCheck.ts';
import { useWaitTexts } from './useWaitTexts.ts';

const TopupDoneDialog = lazy(async () => ({ default: (await import('./TopupDoneDialog.tsx')).TopupDoneDialog }));

const hints: Record<CodeState, TextKey> = {
  empty: 'topup.hint',
  short: 'topup.missing',
  checking: 'topup.checking',
  valid: 'topup.valid',
  invalid: 'problem.codeUnknown',
  unsure: 'topup.checkFailed',
  throttled: 'problem.tooMany',
};

function Sign({ state }: { state: CodeState }) {
  if (state === 'checking') return <Spinner />;
  if (state === 'valid') return <Icon of={CircleCheck} />;
  return state === 'invalid' ? <Icon of={CircleX} /> : null;
}

interface Props {
  /**
   * Called with the available balance after a top-up, once the user has closed the confirmation.
   */
  onCredited?: (balanceAfter: number) => void;
  /**
   * Called with the state of the code in the field. A page uses it to prevent continuing with an
   * unused code.
   */
  onState?: (state: CodeState) => void;
  /** Interface for a page whose own button redeems the code. */
  driven?: Pick<Driven, 'ref' | 'onEnter'>;
}

/**
 * Renders the form for a top-up code. The code is grouped by four, checked while the user types,
 * and credited on submit.
 */
export function TopupForm({ onCredited, onState, driven }: Props) {
  const { t } = useTranslation();
  const [code, setCode] = useState('');
  const [tooShort, setTooShort] = useState(false);
  const [done, setDone] = useState<TopupResult | null>(null);
  const key = useRef({ code: '', key: '' });
  // Two presses within one frame see the same state. This ref prevents a second request.
  const spending = useRef(false);
  const { state, until } = useCodeCheck(code);
  const wait = useWaitTexts(until);
  useEffect(() => onState?.(state), [onState, state]);
  const use = useMutation({
    networkMode: 'always',
    mutationFn: (value: string) => {
      if (key.current.code !== value) key.current = { code: value, key: randomKey() };
      return answer(client.POST('/topup/use', { body: { code: value }, params: idempotent(key.current.key) }));
    },
    onSuccess: (result) => {
      setCode('');
      if (!driven) setDone(result);
      refreshMoney();
    },
  });
  const spend = async () => {
    setTooShort(code.length < CODE_LENGTH);
    if (code.length < CODE_LENGTH || state === 'invalid' || spending.current) return null;
    spending.current = true;
    const credited = await use.mutateAsync(code).catch(() => null);
    spending.current = false;
    return credited?.balance_after ?? null;
  };
  useImperativeHandle(driven?.ref, () => ({ run: spend, forget: use.reset }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (driven) driven.onEnter();
    else void spend();
  };
  const wrong =
    state === 'invalid' ? t('problem.codeUnknown') : tooShort && code.length < CODE_LENGTH ? t('topup.enterValid') : undefined;
  const blocked = state === 'invalid' || (state === 'throttled' && wait !== null) || use.isPending;
  const hint =
    state === 'throttled' && wait
      ? t('problem.tooManyWait', { wait })
      : `${t(hints[state], { count: CODE_LENGTH - code.length })}${state === 'unsure' ? ` ${t('topup.unsure')}` : ''}`;
  return (
    <form method="post" noValidate onSubmit={submit} className={styles.form}>
      <TextField
        label={t('topup.label')}
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="none"
        value={groupCode(code)}
        placeholder="3f9a c204 7b1e 88d0"
        disabled={use.isPending}
        onChange={(event) => {
          setCode(cleanCode(event.target.value));
          use.reset();
        }}
        error={wrong}
        hint={
          <span role="status" className={classes(state === 'valid' && styles.valid)}>
            {hint}
          </span>
        }
        end={
          <span className={classes(styles.sign, state === 'invalid' && styles.invalid)}>
            <Sign state={state} />
          </span>
        }
        className={styles.code}
      />
      <Problem error={use.error} fallback="problem.generic" texts={topupErrorText} />
      {!driven && (
        <Button type="submit" wide loading={use.isPending} disabled={blocked}>
          {t('topup.button')}
        </Button>
      )}
      {done && (
        <Suspense fallback={null}>
          <TopupDoneDialog
            result={done}
            onClose={() => {
              setDone(null);
              onCredited?.(done.balance_after);
            }}
          />
        </Suspense>
      )}
    </form>
  );
}
