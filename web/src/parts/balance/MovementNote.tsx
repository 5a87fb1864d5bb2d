import { useTranslation } from 'react-i18next';
import type { Movement } from '../../shared/api/money.ts';
import { maskName } from '../../shared/format/mask.ts';
import { MASKED_AMOUNT } from '../../shared/format/maskedAmount.ts';
import { useHiddenApplicants } from '../../shared/hooks/useHiddenApplicants.ts';
import { amount, joined } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Pieces } from '../../shared/ui/Pieces.tsx';
import { kindTexts, nameTexts, reasonOfNote, signed } from './movements.ts';

/**
 * Renders the kind of a movement, with its task or code. Names are masked if the user has hidden
 * them on the task's card.
 */
export function MovementName({ movement }: { movement: Movement }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const [hidden] = useHiddenApplicants(movement.task?.id ?? '');
  const people = movement.task?.label.split(', ') ?? [];
  return (
    <Pieces
      of={[
        // Movements without a task, such as top-ups, have no applicants.
        [t(nameTexts(movement)), movement.code_tail && t('ledger.tail', { tail: movement.code_tail })].filter(Boolean).join(' '),
        people.length > 0 && joined(hidden ? people.map(maskName) : people, language),
      ]}
    />
  );
}

/**
 * Renders the amount of a movement. It is masked if the user has hidden the price on the task's
 * card.
 */
export function MovementAmount({ movement }: { movement: Movement }) {
  const [hidden] = useHiddenApplicants(movement.task?.id ?? '');
  return hidden ? MASKED_AMOUNT : signed(movement.amount, amount);
}

/**
 * Renders the explanation of a movement, with its reason if there is one. `when` is its time as
 * text.
 */
export function MovementNote({ movement, when }: { movement: Movement; when?: string }) {
  const { t } = useTranslation();
  const why = reasonOfNote(movement.note);
  const [hidden] = useHiddenApplicants(movement.task?.id ?? '');
  // A charge does not change the available balance, because the hold has already reduced it.
  // Therefore the explanation shows the change of the hold.
  const values = { amount: hidden ? MASKED_AMOUNT : amount(Math.abs(movement.held_change)) };
  return <Pieces of={[when, t(kindTexts(movement.kind).note, values), why && t(why), movement.description]} />;
}
