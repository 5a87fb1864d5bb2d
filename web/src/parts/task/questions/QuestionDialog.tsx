import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { queries } from '../../../shared/api/queries.ts';
import type { Question, Task } from '../../../shared/api/types.ts';
import { useCityName } from '../../../shared/format/useCityName.ts';
import { useHiddenApplicants } from '../../../shared/hooks/useHiddenApplicants.ts';
import { useNow } from '../../../shared/hooks/useNow.ts';
import { instantClock } from '../../../shared/i18n/format.ts';
import { useLanguage } from '../../../shared/i18n/useLanguage.ts';
import { paths } from '../../../shared/routing/paths.ts';
import { useStore } from '../../../shared/state/useStore.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button, ButtonLink } from '../../../shared/ui/Button.tsx';
import { Dialog } from '../../../shared/ui/Dialog.tsx';
import { Problem } from '../../../shared/ui/Problem.tsx';
import { Text, VisuallyHidden } from '../../../shared/ui/Text.tsx';
import { lapsedQuestion, lapseInLastList } from '../lapse.ts';
import { approvals } from '../pendingApproval.ts';
import { type AskedDate, isSameQuestion } from '../question.ts';
import { useAnswer } from '../useAnswer.ts';
import { AnswerRing } from './AnswerRing.tsx';
import { followed, type Outcome, refusal } from './outcome.ts';
import styles from './QuestionDialog.module.css';
import { QuestionDate, QuestionTerms } from './QuestionFacts.tsx';
import { useAnnouncement } from './useAnnouncement.ts';

/**
 * Time after opening in which presses are ignored. The dialog opens by itself, perhaps below a
 * finger that was about to press something else.
 */
const DEAF_MS = 700;

interface Props {
  task: Task;
  asked: AskedDate;
  /** True while the server reports the question as open. */
  open: boolean;
  /** Number of further questions that wait. */
  others: number;
  /** Puts the question aside. */
  onClose: () => void;
  /** Makes room for the next question. */
  onNext: () => void;
}

/** Returns a function that runs an action unless the dialog has just opened. */
function useDeafAtFirst(): (action: () => void) => () => void {
  const [openedMs] = useState(() => performance.now());
  return (action) => () => {
    if (performance.now() - openedMs >= DEAF_MS) action();
  };
}

/** Returns the newest version of a task. */
function useNewest(task: Task): Task {
  const { data } = useQuery({ ...queries.task(task.id), initialData: task });
  // The state of a question changes with the time, without a new version of its task.
  return data.version >= task.version ? data : task;
}

/** Returns the text about a question that is no longer open, or null while it is. */
function useOutcome(
  { task: newest, asked, open }: Pick<Props, 'task' | 'asked' | 'open'>,
  sending: boolean,
  state: Question['state'] | null,
): Outcome | null {
  const approval = useStore(approvals, (all) => all[newest.id]);
  const nowMs = useNow(1_000);
  if (sending) return null;
  if (isSameQuestion(asked, approval)) return followed(newest, asked, nowMs);
  if (state) return refusal(state);
  if (Date.parse(asked.until) <= nowMs) return { tone: 'info', text: 'ask.late' };
  return open ? null : { tone: 'info', text: 'ask.withdrawn' };
}

/** Renders the announcements of the remaining time for screen readers. */
function TimeLeft({ asked, leftMs }: { asked: AskedDate; leftMs: number }) {
  const { t } = useTranslation();
  const cityName = useCityName();
  const announced = useAnnouncement(leftMs);
  const at = { askedDate: asked.date, askedCity: cityName(asked.facility), count: Math.ceil((announced ?? 0) / 1_000) };
  return (
    <div role="alert">
      <VisuallyHidden>{announced !== null && t('ask.announce', at)}</VisuallyHidden>
    </div>
  );
}

/** Renders whether the date of a lapsed question was listed at the last check of its city. */
function LastList({ task }: { task: Task }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const lapse = lapsedQuestion(task);
  const last = lapse && lapseInLastList(task, lapse);
  return last && <>{t(last.listed ? 'ask.stillListed' : 'ask.notListed', { time: instantClock(last.at, language) })}</>;
}

/**
 * Renders an open question on the whole screen of a phone, and as a large dialog elsewhere. Only a
 * press on *Yes* or *No* answers it. The focus starts on the text, so that keys that were meant for
 * the page answer nothing.
 */
export function QuestionDialog(props: Props) {
  const { asked, others, onClose, onNext } = props;
  const task = useNewest(props.task);
  const { t } = useTranslation();
  const language = useLanguage();
  const [hidden] = useHiddenApplicants(task.id);
  const { sending, approve, bookNow, decline } = useAnswer(task, asked);
  const [state, setState] = useState<Question['state'] | null>(null);
  const [error, setError] = useState<unknown>(null);
  const facts = useRef<HTMLDivElement>(null);
  const ifAwake = useDeafAtFirst();
  const outcome = useOutcome({ ...props, task }, sending, state);
  const leftMs = Date.parse(asked.until) - useNow(1_000);
  const late = outcome?.text === 'ask.late';
  const send = (approval: () => Promise<Question['state']>) => {
    setError(null);
    approval().then(setState, setError);
  };
  const no = () => {
    onClose();
    void decline();
  };
  // An open question matters more than the end of this one, unless the user waits for that end.
  const moves = others > 0 && outcome !== null && (state === null || outcome.busy === true);
  useEffect(() => {
    if (moves) onNext();
  }, [moves, onNext]);
  const answers = (
    <div className={styles.answers}>
      <Button variant="secondary" size="large" disabled={sending} onClick={ifAwake(no)}>
        {t('ask.no')}
      </Button>
      <Button size="large" loading={sending} onClick={ifAwake(() => send(approve))}>
        {t('ask.yes')}
      </Button>
      <Button variant="text" disabled={sending} onClick={ifAwake(onClose)} className={styles.later}>
        {t('ask.later')}
      </Button>
    </div>
  );
  const ends = (
    <div className={styles.answers}>
      <ButtonLink variant="secondary" size="large" render={<Link to={paths.task(task.id)} onClick={onClose} />}>
        {t('ask.task')}
      </ButtonLink>
      {late && lapsedQuestion(task)?.listed_at ? (
        <Button size="large" onClick={() => send(bookNow)}>
          {t('condition.bookNow')}
        </Button>
      ) : (
        <Button size="large" onClick={onClose}>
          {t('ask.close')}
        </Button>
      )}
    </div>
  );
  return (
    <Dialog
      open
      onClose={ifAwake(onClose)}
      locked={sending}
      title={t(outcome ? 'ask.over' : 'ask.title')}
      size="medium"
      fullOnPhone
      initialFocus={facts}
      actions={outcome ? ends : answers}
    >
      <div className={styles.root}>
        <div ref={facts} tabIndex={-1} className={styles.facts}>
          <QuestionDate task={task} asked={asked} hidden={hidden} />
          {!outcome && (
            <div className={styles.clock}>
              <AnswerRing leftMs={leftMs} />
              <Text variant="caption" color="secondary">
                {t('ask.until', { time: instantClock(asked.until, language) })}
              </Text>
            </div>
          )}
        </div>
        {outcome ? (
          <Alert tone={outcome.tone} live="status">
            {t(outcome.text)} {late && <LastList task={task} />}
          </Alert>
        ) : (
          <>
            <TimeLeft asked={asked} leftMs={leftMs} />
            <QuestionTerms task={task} hidden={hidden} />
          </>
        )}
        <Problem error={error} fallback="condition.yesFailed" />
        {others > 0 && (
          <Text variant="small" color="secondary">
            {t('ask.others', { count: others })}
          </Text>
        )}
      </div>
    </Dialog>
  );
}
