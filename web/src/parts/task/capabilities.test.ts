import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { task } from '../../../mock/story.ts';
import { allTexts } from '../../../scripts/textFiles.ts';
import type { Task } from '../../shared/api/types.ts';
import { capability, capabilityWhile, offeredMove, REASONS, reasonText } from './capabilities.ts';

const serverTable = readFileSync(resolve(process.cwd(), '../crates/domain/src/task/actions.rs'), 'utf8');

describe('the permitted actions of a task', () => {
  it('have a sentence in both languages for exactly the reasons of the server', () => {
    const refusals = /pub enum ActionRefusal \{([^}]*)\}/.exec(serverTable)?.[1] ?? '';
    const snake = (name: string) => name.replace(/\B[A-Z]/g, '_$&').toLowerCase();
    const texts = [...refusals.matchAll(/^ {4}(\w+),$/gm)].map(([, name = '']) => snake(name)).sort();
    expect([...REASONS].sort()).toEqual(texts);
    for (const reason of REASONS) {
      const key = reasonText(reason);
      expect([reason, allTexts('en')[key], allTexts('zh')[key]].every(Boolean)).toBe(true);
    }
    expect(reasonText('a_word_of_tomorrow')).toBe('cap.other');
  });

  it('follow the server, and are disabled during a countdown of the card', () => {
    const one = task({ id: 'a' });
    expect(capability(one, 'stop')).toEqual({ allowed: true, why: null });
    expect(capability(one, 'start')).toEqual({ allowed: false, why: 'cap.already_running' });
    expect(capabilityWhile(true, one, 'stop')).toEqual({ allowed: false, why: 'cap.countdown' });
  });

  // spec: 4.2.11, 4.2.12, 4.2.13
  it.each([
    ['submitted', 'stop'],
    ['processing', 'stop'],
    ['active', 'stop'],
    ['stopped', 'start'],
    ['error', 'start'],
  ])('of a task that is %s include %s, and always editing', (status, move) => {
    const one = task({ id: 'a', status });
    expect([offeredMove(one), capability(one, 'edit').allowed]).toEqual([move, true]);
    expect(capability(one, move as 'start' | 'stop').allowed).toBe(true);
  });

  it('show the action that fits the state if neither is permitted', () => {
    const no = (reason: string) => ({ allowed: false, reason });
    const shut = (start: string): Task => {
      const one = task({ id: 'a' });
      return { ...one, actions: { ...one.actions, start: no(start), stop: no('booking_unconfirmed') } };
    };
    expect([offeredMove(shut('already_running')), offeredMove(shut('needs_new_password'))]).toEqual(['stop', 'start']);
  });
});
