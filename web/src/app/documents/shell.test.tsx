import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const shell = new Function('document', readFileSync('src/app/documents/shell.js', 'utf8'));

function open(address: string) {
  history.replaceState(null, '', address);
  const script = document.createElement('script');
  shell(new Proxy(document, { get: (of, name) => (name === 'currentScript' ? script : Reflect.get(of, name, of)) }));
  return location.pathname + location.search;
}

it('takes what would pay a payment out of the address at once', () => {
  const back = '/balance/payment?payment_intent=pi_1&payment_intent_client_secret=pi_1_secret&redirect_status=failed';
  expect(open(back)).toBe('/balance/payment?payment_intent=pi_1');
  expect(open('/balance?tab=card')).toBe('/balance?tab=card');
});

it('marks the address of what begins with a later step, so that the outline does not say the first', () => {
  const marked = (address: string) => {
    delete document.documentElement.dataset.step;
    open(address);
    return 'step' in document.documentElement.dataset;
  };
  expect(['/schedule/wizard?step=2', '/schedule/wizard?step=9'].map(marked)).toEqual([true, true]);
  expect(['/schedule/wizard', '/schedule/wizard?step=1&expired=1', '/settings'].map(marked)).toEqual([false, false, false]);
});
