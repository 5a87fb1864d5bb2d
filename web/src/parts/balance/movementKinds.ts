import type { MovementKind } from '../../shared/api/money.ts';

/** Every kind of movement, in the order the filter offers them. */
export const MOVEMENT_KINDS = [
  'topup',
  'card',
  'bonus',
  'hold',
  'capture',
  'release',
  'refund',
  'dispute',
  'debt',
  'void',
  'forfeit',
  'reinstate',
  'adjust',
] as const satisfies MovementKind[];

/** A kind of the address, or none. */
export function readKind(text: string | null): MovementKind | undefined {
  return MOVEMENT_KINDS.find((kind) => kind === text);
}
