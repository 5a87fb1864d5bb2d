import { useTranslation } from 'react-i18next';
import type { Movement } from '../../shared/api/money.ts';
import { kindWords, reasonOfNote } from './movements.ts';

/** What a movement was: its kind, and whose task or which code it was about. */
export function MovementName({ movement }: { movement: Movement }) {
  const { t } = useTranslation();
  return (
    <>
      {t(kindWords(movement.kind).name)}
      {movement.task && ` · ${movement.task.label}`}
      {movement.code_tail && ` ${t('ledger.tail', { tail: movement.code_tail })}`}
    </>
  );
}

/** What it means, and why where there is more to say. */
export function MovementNote({ movement }: { movement: Movement }) {
  const { t } = useTranslation();
  const why = reasonOfNote(movement.note);
  return (
    <>
      {t(kindWords(movement.kind).note)}
      {why && ` · ${t(why)}`}
      {movement.description && ` · ${movement.description}`}
    </>
  );
}
