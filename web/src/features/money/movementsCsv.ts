import type { TFunction } from 'i18next';
import { kindTexts, reasonOfNote } from '../../parts/balance/movements.ts';
import { type Movement, type MovementFilter, readMovements } from '../../shared/api/money.ts';
import { csv } from '../../shared/format/csv.ts';
import { instantParts, zoneName } from '../../shared/i18n/format.ts';
import type { Language } from '../../shared/i18n/language.ts';

const PAGE = 100;
/** Maximum number of rows in one file. */
export const MOST_ROWS = 5_000;

/**
 * Requests all movements of a filter, newest first. `cut` is true if there are more than one file
 * may contain.
 */
export async function allMovements(filter: MovementFilter): Promise<{ movements: Movement[]; cut: boolean }> {
  const movements: Movement[] = [];
  let before: string | undefined;
  do {
    const page = await readMovements(filter, PAGE, before);
    movements.push(...page.movements);
    before = page.next ?? undefined;
  } while (before && movements.length < MOST_ROWS);
  return { movements: movements.slice(0, MOST_ROWS), cut: before !== undefined || movements.length > MOST_ROWS };
}

/**
 * Formats movements as a CSV file in the page's language. Numbers have two decimals and no
 * separators, so that spreadsheets can add them.
 */
export function movementsCsv(movements: Movement[], t: TFunction, language: Language): string {
  const head = [
    t('movements.colAt', { zone: zoneName(language) }),
    t('movements.colKind'),
    t('movements.colAbout'),
    t('movements.colChange'),
    t('movements.colBalance'),
    t('movements.colHeldChange'),
    t('movements.colHeld'),
    t('movements.colCurrency'),
    t('movements.colNote'),
  ];
  const rows = movements.map((movement) => {
    const { date, time } = instantParts(movement.at);
    const why = reasonOfNote(movement.note);
    return [
      `${date} ${time}`,
      t(kindTexts(movement.kind).name),
      movement.task?.label ?? (movement.code_tail ? t('ledger.tail', { tail: movement.code_tail }) : ''),
      movement.amount.toFixed(2),
      movement.balance_after.toFixed(2),
      movement.held_change.toFixed(2),
      movement.held_after.toFixed(2),
      movement.currency,
      [why && t(why), movement.description].filter(Boolean).join(' · '),
    ];
  });
  return csv([head, ...rows]);
}
