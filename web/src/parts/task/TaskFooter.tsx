import { ChevronRight, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Task } from '../../shared/api/types.ts';
import { paths } from '../../shared/routing/paths.ts';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { capability, capabilityWhile } from './capabilities.ts';
import styles from './TaskFooter.module.css';
import { useDeadline } from './useDeadline.ts';

/**
 * Renders the footer of a card: the deadline for reschedules or a note about the next actions, the
 * delete button, and the link to the task's page.
 */
export function TaskFooter({ task, busy, onDelete }: { task: Task; busy: boolean; onDelete: () => void }) {
  const { t } = useTranslation();
  const remove = capabilityWhile(busy, task, 'delete');
  const deadline = useDeadline(task);
  const note = deadline
    ? t('task.deadline', { when: deadline })
    : task.success_history.length === 0
      ? t('task.historyHere')
      : null;
  const why = busy ? null : capability(task, 'delete').why;
  return (
    <div className={styles.footer}>
      <div className={styles.note}>
        {/* During a countdown only the reason is visible in place of the note, so that nothing
            moves. The header announces it. */}
        <div className={styles.line}>
          <span className={busy ? styles.away : undefined}>{note}</span>
          {busy && <span aria-hidden="true">{t('cap.countdown')}</span>}
        </div>
        {why && <Text variant="caption">{t(why)}</Text>}
      </div>
      <Button
        variant="dangerText"
        size="small"
        onClick={onDelete}
        disabled={!remove.allowed}
        start={<Icon of={Trash2} size={16} />}
      >
        {t('task.delete')}
      </Button>
      <ButtonLink
        render={<Link to={paths.task(task.id)} />}
        variant="text"
        size="small"
        end={<Icon of={ChevronRight} size={16} />}
      >
        {t('task.details')}
      </ButtonLink>
    </div>
  );
}
