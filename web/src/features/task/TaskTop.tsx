import { ArrowLeft, Eye, EyeOff, Pencil } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { capability, capabilityWhile } from '../../parts/task/capabilities.ts';
import { MoveButton } from '../../parts/task/MoveButton.tsx';
import { useOpenQuestion } from '../../parts/task/pendingApproval.ts';
import { applicantNames, type SideTone, statusView } from '../../parts/task/taskView.ts';
import type { TaskMove } from '../../parts/task/useTaskMove.ts';
import type { Task } from '../../shared/api/types.ts';
import { maskName } from '../../shared/format/mask.ts';
import { visaClass } from '../../shared/format/visaClass.ts';
import { joined } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { paths } from '../../shared/routing/paths.ts';
import { Badge } from '../../shared/ui/Badge.tsx';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { classes } from '../../shared/ui/classes.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { IconButton } from '../../shared/ui/IconButton.tsx';
import { LiveDot } from '../../shared/ui/LiveDot.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { Tooltip } from '../../shared/ui/Tooltip.tsx';
import styles from './TaskTop.module.css';

const tones: Record<SideTone, 'ok' | 'info' | 'quiet' | 'warning' | 'error'> = {
  on: 'ok',
  proc: 'info',
  off: 'quiet',
  done: 'ok',
  ask: 'warning',
  err: 'error',
};

/** Renders the link back to all tasks. */
export function BackLink() {
  const { t } = useTranslation();
  return (
    <ButtonLink
      render={<Link to={paths.dashboard} />}
      variant="text"
      size="small"
      start={<Icon of={ArrowLeft} size={16} />}
      className={styles.back}
    >
      {t('detail.back')}
    </ButtonLink>
  );
}

interface Props {
  task: Task;
  hidden: boolean;
  move: TaskMove;
  onHide: () => void;
  onEdit: () => void;
}

/** Renders the head of the page: the applicants, the state and the actions of a task. */
export function TaskTop({ task, hidden, move, onHide, onEdit }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  useOpenQuestion(task);
  const status = statusView(task);
  const names = applicantNames(task.appointments);
  const shown = names.length > 0 ? names : [task.portal_schedule_id];
  const first = task.appointments[0];
  const reasonId = useId();
  const canEdit = capabilityWhile(move.busy, task, 'edit').allowed;
  // During a countdown no reason is shown, because an additional line would move the page.
  const reasons = [...new Set([capability(task, 'edit').why, move.can.why])].filter((why) => why !== null);
  const eye = hidden ? t('task.show') : t('task.hide');
  return (
    <div className={styles.top}>
      <div className={styles.who}>
        <Text as="h1" variant="h2">
          {joined(hidden ? shown.map(maskName) : shown, language)}
        </Text>
        <div className={styles.facts}>
          <Badge tone={tones[status.tone]} icon={status.icon ?? undefined}>
            {status.icon === null && <LiveDot />}
            {t(status.label)}
          </Badge>
          {first?.visa_class && <span>{visaClass(first.visa_class, language)}</span>}
          <span>{t('unit.applicants', { count: task.price.applicants_count || names.length || 1 })}</span>
          {first?.is_tcn_yes && <span>{t('unit.thirdCountry')}</span>}
          <span>{t('detail.number', { number: task.portal_schedule_id })}</span>
        </div>
      </div>
      <div className={classes(styles.actions, move.busy && styles.busy)}>
        <Button
          variant="secondary"
          size="small"
          disabled={!canEdit}
          aria-describedby={reasons.length > 0 ? reasonId : undefined}
          onClick={onEdit}
          start={<Icon of={Pencil} size={16} />}
          className={styles.edit}
        >
          {t('detail.edit')}
        </Button>
        <div className={styles.move}>
          <MoveButton move={move} reasonId={reasonId} />
        </div>
        <Tooltip text={eye}>
          <IconButton label={eye} aria-pressed={hidden} onClick={onHide} className={styles.eye}>
            <Icon of={hidden ? EyeOff : Eye} />
          </IconButton>
        </Tooltip>
      </div>
      {reasons.length > 0 && (
        <Text id={reasonId} variant="caption" color="secondary" className={styles.reasons}>
          {reasons.map((why) => t(why)).join(' ')}
        </Text>
      )}
    </div>
  );
}
