import type { PolicyPart } from './policyParts.ts';

export const refundsParts: readonly PolicyPart[] = [
  {
    id: 'held',
    title: 'refunds.heldTitle',
    text: 'refunds.heldText',
    points: ['refunds.heldDelete', 'refunds.heldOver', 'refunds.heldAlert', 'refunds.heldUnknown'],
  },
  {
    id: 'card',
    title: 'refunds.cardTitle',
    text: 'refunds.cardText',
    points: ['refunds.cardHow', 'refunds.cardWhere', 'refunds.cardFree', 'refunds.cardLeave'],
  },
  {
    id: 'never',
    title: 'refunds.neverTitle',
    text: 'refunds.neverText',
    points: ['refunds.neverCharged', 'refunds.neverCode', 'refunds.neverBonus', 'refunds.neverHeld', 'refunds.neverDisputed'],
  },
  {
    id: 'mistakes',
    title: 'refunds.mistakesTitle',
    text: 'refunds.mistakesText',
    points: ['refunds.mistakesHow', 'refunds.mistakesBank'],
  },
];
