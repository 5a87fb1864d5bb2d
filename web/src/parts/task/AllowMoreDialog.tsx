import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBilling } from '../../shared/api/billing.ts';
import type { Task } from '../../shared/api/types.ts';
import { type LifeLimit, useLifeLimit } from '../../shared/format/useLifeLimit.ts';
import { useToday } from '../../shared/hooks/useToday.ts';
import { amount, unbroken } from '../../shared/i18n/format.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Dialog } from '../../shared/ui/Dialog.tsx';
import { Stack } from '../../shared/ui/Layout.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { ChangeConsent } from '../criteria/ChangeConsent.tsx';
import { configureErrorText } from '../criteria/errorText.ts';
import { formProblems, limits } from '../criteria/searchForm.ts';
import { useSaveCriteria } from '../criteria/useSaveCriteria.ts';
import { FingerprintsLine } from './FingerprintsLine.tsx';
import { TermList } from './TermList.tsx';
import { useDeadline } from './useDeadline.ts';

interface Props {
  task: Task;
  /** Called with the changed task, to start it. */
  onAllowed: (task: Task) => Promise<void>;
  onConditions: () => void;
  onClose: () => void;
}

/**
 * Returns the limit that permits one more reschedule, even if the limit is now lower than the
 * number already used.
 */
export const oneMore = ({ reschedules_used, schedule_config: { search_params } }: Task) =>
  Math.max(search_params.max_reschedules, reschedules_used) + 1;

/** Returns a text about the cost of starting now, or null if the server charges nothing. */
function usePrice({ price }: Task): string | null {
  const { t } = useTranslation();
  const billing = useBilling();
  if (!billing) return null;
  const { currency } = price;
  // A task is charged only once, however often it books.
  if (price.captured_at) return t('more.priceIncluded');
  if (price.on_hold > 0) return t('more.priceHeld', { amount: amount(price.on_hold), currency });
  return price.total > 0 ? t('more.priceAgain', { amount: amount(price.total), currency }) : t('more.priceNothing');
}

/**
 * Returns the text about a consent that the next reschedule needs, or may need: it is one of a
 * limit for life, or certainly or possibly the last one.
 */
function consentText(attemptsLeft: number | null, lifeLimit: LifeLimit) {
  if (typeof lifeLimit === 'number') return { key: 'editor.lifeText', required: true } as const;
  if (attemptsLeft === 1) return { key: 'more.last', required: true } as const;
  return attemptsLeft === null ? ({ key: 'more.lastUnknown', required: false } as const) : null;
}

/** Returns a text about how many reschedules the official site still permits, and until when. */
function useOfficial(task: Task): string {
  const { t } = useTranslation();
  const deadline = useDeadline(task);
  if (task.attempts_left === null) return t('more.officialUnknown');
  const left = t('more.officialLeft', { count: task.attempts_left });
  return deadline ? t('more.officialUntil', { left, when: deadline }) : left;
}

/**
 * Renders the dialog for a search that ended because all permitted reschedules are used. The user
 * permits one more, and the search continues.
 */
export function AllowMoreDialog({ task, onAllowed, onConditions, onClose }: Props) {
  const { t } = useTranslation();
  const deadline = useDeadline(task);
  const [starting, setStarting] = useState(false);
  const criteria = useSaveCriteria(
    task,
    (saved) => {
      setStarting(true);
      void onAllowed(saved).finally(onClose);
    },
    { maxReschedules: oneMore(task) },
  );
  const price = usePrice(task);
  const official = useOfficial(task);
  const today = useToday(task.country_code, task.appointments[0]?.facility);
  const { form } = criteria;
  const present = task.appointments[0]?.appointment_date ?? '';
  const late = task.change_deadline !== null && Date.parse(task.change_deadline) <= Date.now();
  const most = form.maxReschedules > limits.maxReschedules.max;
  const lifeLimit = useLifeLimit(task.country_code);
  const consent = consentText(task.attempts_left, lifeLimit);
  const agreed = !consent?.required || form.lastAttemptUntil !== null;
  const problems = formProblems(form, today, criteria.began);
  // Without the country it is not known to what the user would consent.
  const possible = lifeLimit !== undefined && !late && !most && agreed && problems.length === 0 && !criteria.elsewhere;
  const allowed = task.schedule_config.search_params.max_reschedules;
  return (
    <Dialog
      open
      size="medium"
      onClose={onClose}
      title={t('more.title')}
      locked={starting}
      actions={
        <>
          <Button variant="ghost" onClick={onConditions} disabled={criteria.busy || starting}>
            {t('more.conditions')}
          </Button>
          <Button disabled={!possible} loading={criteria.busy || starting} onClick={() => criteria.save()}>
            {t('more.allow')}
          </Button>
        </>
      }
    >
      <Stack>
        <div>
          <Text variant="small">{t('more.text', { date: unbroken(present) })}</Text>
          <FingerprintsLine fingerprints={task.appointments[0]?.fingerprints} />
        </div>
        <TermList
          pairs="single"
          rows={[
            { term: t('more.used'), value: t('more.usedOf', { used: task.reschedules_used, allowed }) },
            { term: t('more.official'), value: official },
            ...(price === null ? [] : [{ term: t('more.price'), value: price }]),
          ]}
        />
        {consent && lifeLimit !== undefined && !late && (
          <ChangeConsent
            form={form}
            today={today}
            label={t(lifeLimit === null ? 'editor.lastAttempt' : 'editor.lifeConsent')}
            hint={t(consent.key, { count: lifeLimit ?? 1 })}
            onChange={criteria.setForm}
          />
        )}
        {late && <Alert tone="warning">{t('more.deadline', { when: deadline })}</Alert>}
        {most && <Alert tone="warning">{t('more.most', { count: limits.maxReschedules.max })}</Alert>}
        {!most &&
          problems.map((problem) => (
            <Alert key={problem} tone="warning">
              {t(problem)}
            </Alert>
          ))}
        {criteria.elsewhere && (
          <Alert tone="warning" live="alert">
            {t('more.elsewhere')}
          </Alert>
        )}
        {criteria.error && <Alert tone="error">{t(configureErrorText(criteria.error, 'editor.saveFailed'))}</Alert>}
      </Stack>
    </Dialog>
  );
}
