import { useTranslation } from 'react-i18next';
import { FingerprintsLine } from '../../parts/task/FingerprintsLine.tsx';
import { appointmentLine } from '../../parts/task/headline.ts';
import { hasCode } from '../../shared/api/errors.ts';
import type { Question } from '../../shared/api/types.ts';
import { daysBetween } from '../../shared/format/dates.ts';
import { useAddress } from '../../shared/hooks/useAddress.ts';
import { useNow } from '../../shared/hooks/useNow.ts';
import { amount, instantClock, joined, sentences } from '../../shared/i18n/format.ts';
import type { Language } from '../../shared/i18n/language.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { paths } from '../../shared/routing/paths.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { Stack } from '../../shared/ui/Layout.tsx';
import { Link } from '../../shared/ui/Link.tsx';
import { Problem } from '../../shared/ui/Problem.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { AuthCard } from './AuthCard.tsx';
import { Busy } from './Busy.tsx';
import { useQuestion } from './useQuestion.ts';

type State = Question['state'];

/** Text and tone for each state of a question. An open question shows its buttons instead. */
const outcomes: Record<Exclude<State, 'open' | 'trying'>, { tone: 'ok' | 'warning' | 'info'; text: TextKey }> = {
  booked: { tone: 'ok', text: 'answer.booked' },
  gone: { tone: 'info', text: 'answer.gone' },
  not_booked: { tone: 'warning', text: 'answer.notBooked' },
  unknown: { tone: 'warning', text: 'answer.unknown' },
  late: { tone: 'info', text: 'answer.late' },
  edited: { tone: 'info', text: 'answer.edited' },
  moved: { tone: 'info', text: 'answer.moved' },
  paused: { tone: 'info', text: 'answer.paused' },
  declined: { tone: 'info', text: 'answer.declined' },
};

/** Returns the page's title for the state of the question. */
const titleOf = (state: State): TextKey => {
  if (state === 'booked') return 'answer.bookedTitle';
  if (state === 'unknown') return 'answer.unknownTitle';
  return state === 'trying' || state === 'open' ? 'answer.title' : 'answer.notBookedTitle';
};

/**
 * Renders /auth/answer?token=, where the user decides whether a task may book a date. Opening the
 * page changes nothing. Its buttons answer. Without a press nothing is booked.
 */
export function AnswerPage() {
  const { t } = useTranslation();
  const address = useAddress();
  const token = address?.get('token')?.trim() ?? '';
  const { question, aheadMs, failure, submit, sending, error } = useQuestion(token);
  const useless = (address !== null && !token) || hasCode(failure, 'INVALID_TOKEN');
  if (!question)
    return (
      <AuthCard title={t('answer.title')} aside="none">
        {useless && <Alert tone="error">{t('answer.invalid')}</Alert>}
        {!useless && (failure ? <Problem error={failure} fallback="answer.failed" /> : <Busy text={t('answer.looking')} />)}
      </AuthCard>
    );
  const { state } = question;
  const open = state === 'open';
  return (
    <AuthCard title={t(titleOf(state))} picture={state === 'booked' ? 'done' : undefined} aside="none">
      <Stack>
        <Change question={question} />
        <Problem error={error} fallback="answer.failed" />
        {open && (
          <Open question={question} aheadMs={aheadMs} sending={sending} onYes={() => submit('yes')} onNo={() => submit('no')} />
        )}
        {state === 'trying' && <Busy text={t('answer.trying')} />}
        {state !== 'open' && state !== 'trying' && (
          <Alert tone={outcomes[state].tone} live="status">
            {t(outcomes[state].text)}
          </Alert>
        )}
        {!open && (
          <ButtonLink wide variant="secondary" render={<Link to={paths.task(question.schedule_id)} />}>
            {t('answer.task')}
          </ButtonLink>
        )}
      </Stack>
    </AuthCard>
  );
}

const cityOf = ({ facility, facility_zh }: { facility: string; facility_zh: string }, language: Language) =>
  language === 'zh' ? facility_zh : facility;

/** Renders the present appointment and the new date. */
function Change({ question }: { question: Question }) {
  const { t, i18n } = useTranslation();
  const language = i18n.language as Language;
  const { old, new: won, initials } = question;
  const at = (slot: { date: string; time: string | null; facility: string; facility_zh: string }) =>
    appointmentLine({ appointment_date: slot.date, appointment_time: slot.time }, cityOf(slot, language), language);
  const gained = old ? daysBetween((won ?? question).date, old.date) : 0;
  return (
    <div>
      {initials.length > 0 && <Text color="secondary">{t('answer.for', { people: joined(initials, language) })}</Text>}
      <Text as="p" variant="h3">
        {at(won ?? { ...question, time: null })}
      </Text>
      <FingerprintsLine fingerprints={won?.fingerprints} />
      {gained > 0 && <Text>{t('answer.gained', { count: gained })}</Text>}
      {old && <Text color="secondary">{t(won ? 'answer.before' : 'answer.instead', { old: at(old) })}</Text>}
      <FingerprintsLine fingerprints={old?.fingerprints} />
    </div>
  );
}

interface OpenProps {
  question: Question;
  /** Difference in ms between the server's clock and the device's clock. */
  aheadMs: number;
  sending: boolean;
  onYes: () => void;
  onNo: () => void;
}

/** Renders the buttons, the cost of a booking, and the remaining time. */
function Open({ question, aheadMs, sending, onYes, onNo }: OpenProps) {
  const { t, i18n } = useTranslation();
  const language = i18n.language as Language;
  const { price, changes_left, valid_until } = question;
  const now = useNow(1_000) + aheadMs;
  const seconds = Math.max(0, Math.ceil((Date.parse(valid_until) - now) / 1_000));
  const costs = price > 0 ? t('answer.price', { amount: amount(price) }) : t('answer.free');
  const left = changes_left !== null && t('answer.changes', { count: changes_left });
  return (
    <>
      <Text variant="small" color="secondary">
        {sentences([costs, left], language)}
      </Text>
      <Button wide loading={sending} onClick={onYes}>
        {t('answer.yes')}
      </Button>
      <Button wide variant="secondary" disabled={sending} onClick={onNo}>
        {t('answer.no')}
      </Button>
      <Text variant="small">
        {t('answer.until', { wait: t('problem.waitSeconds', { count: seconds }), time: instantClock(valid_until, language) })}
      </Text>
    </>
  );
}
