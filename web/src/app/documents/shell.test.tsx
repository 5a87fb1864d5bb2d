import { readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';

const shell = new Function('document', readFileSync('src/app/documents/shell.js', 'utf8'));

function open(address: string) {
  history.replaceState(null, '', address);
  const script = document.createElement('script');
  shell(new Proxy(document, { get: (of, name) => (name === 'currentScript' ? script : Reflect.get(of, name, of)) }));
  return location.pathname + location.search;
}

it('removes payment parameters from the address at once', () => {
  const back = '/balance/payment?payment_intent=pi_1&payment_intent_client_secret=pi_1_secret&redirect_status=failed';
  expect(open(back)).toBe('/balance/payment?payment_intent=pi_1');
  expect(open('/balance?tab=card')).toBe('/balance?tab=card');
});

it('marks the address of a later step, so that the skeleton does not show the first step', () => {
  const marked = (address: string) => {
    delete document.documentElement.dataset.step;
    open(address);
    return 'step' in document.documentElement.dataset;
  };
  expect(['/schedule/wizard?step=2', '/schedule/wizard?step=9'].map(marked)).toEqual([true, true]);
  expect(['/schedule/wizard', '/schedule/wizard?step=1&expired=1', '/settings'].map(marked)).toEqual([false, false, false]);
});

it('requests the balance only if the browser has stored that billing is on', () => {
  const asked = (billing: string | null) => {
    const calls: string[] = [];
    vi.stubGlobal('fetch', async (url: string) => {
      calls.push(url);
      return new Response('{}');
    });
    history.replaceState(null, '', '/dashboard');
    for (const [name, value] of Object.entries({ refresh: '{}', access: 'a', turn: JSON.stringify({ at: Date.now() }) }))
      localStorage.setItem(`sooner.${name}`, value);
    if (billing) localStorage.setItem('sooner.billing', billing);
    const script = document.createElement('script');
    Object.assign(script.dataset, { members: '', first: '/status /users/credit' });
    shell({ documentElement: document.documentElement, currentScript: script, querySelectorAll: () => [] });
    localStorage.clear();
    return calls;
  };
  expect(asked('on')).toEqual(['/api/v1/status', '/api/v1/users/credit']);
  expect(asked('off')).toEqual(['/api/v1/status']);
  expect(asked(null)).toEqual(['/api/v1/status']);
  window.early = undefined;
});
