import type { MovementKind } from '../../shared/api/money.ts';

/** Every kind of movement, in the order of the filter. */
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

/** Returns the kind of movement that the address names, if it is valid. */
export function readKind(text: string | null): MovementKind | undefined {
  return MOVEMENT_KINDS.find((kind) => kind === text);
}
