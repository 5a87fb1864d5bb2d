import { describe, expect, it } from 'vitest';
import { LONGEST } from './passwordStrength.ts';
import { appCodeSchema, loginSchema, recoveryCodeSchema, registerSchema, resetSchema } from './schemas.ts';

const problems = (form: { email: string; password: string; confirmPassword: string }) => {
  const result = registerSchema.safeParse(form);
  return result.success ? [] : result.error.issues.map((issue) => `${String(issue.path[0])}:${issue.message}`);
};

describe('registration', () => {
  // spec: 5.1.01, 5.1.03, 5.1.06
  it('requires every field of an empty form', () => {
    expect(problems({ email: '', password: '', confirmPassword: '' })).toEqual([
      'email:auth.emailRequired',
      'password:auth.passwordRequired',
      'confirmPassword:auth.confirmRequired',
    ]);
  });

  // spec: 5.1.02, 5.1.14
  it('refuses an invalid address', () => {
    expect(problems({ email: 'lin', password: 'Sunrise#2026', confirmPassword: 'Sunrise#2026' })).toEqual([
      'email:auth.emailInvalid',
    ]);
  });

  // spec: 5.1.04, 5.1.05
  it('requires eight characters before it mentions classes', () => {
    expect(problems({ email: 'lin@example.com', password: 'Ab1#', confirmPassword: 'Ab1#' })).toEqual([
      'password:auth.passwordShort',
    ]);
    expect(problems({ email: 'lin@example.com', password: 'abcdefgh', confirmPassword: 'abcdefgh' })).toEqual([
      'password:auth.passwordClasses',
    ]);
  });

  // spec: 5.1.07, 5.1.15
  it('requires the same password twice', () => {
    expect(problems({ email: 'lin@example.com', password: 'Sunrise#2026', confirmPassword: 'Sunrise#2027' })).toEqual([
      'confirmPassword:auth.confirmMismatch',
    ]);
    expect(problems({ email: 'lin@example.com', password: 'Sunrise#2026', confirmPassword: 'Sunrise#2026' })).toEqual([]);
  });
});

describe('sign-in', () => {
  // spec: 5.1.12
  it('requires an address and at least eight characters', () => {
    expect(loginSchema.safeParse({ username: 'lin@example.com', password: '1234567', rememberMe: false }).success).toBe(false);
    expect(loginSchema.safeParse({ username: 'lin@example.com', password: '12345678', rememberMe: false }).success).toBe(true);
  });
});

describe('unusual passwords', () => {
  const both = (password: string) => ({ email: 'lin@example.com', password, confirmPassword: password });

  // spec: 10.7.17
  it('are counted in characters, as the server does', () => {
    expect(problems(both('Aa1!🌅🌅🌅🌅'))).toEqual([]);
    expect(problems(both('Aa1!🌅🌅🌅'))).toEqual(['password:auth.passwordShort']);
    expect(problems(both(`Aa1!${'a'.repeat(LONGEST - 4)}`))).toEqual([]);
    expect(problems(both(`Aa1!${'a'.repeat(LONGEST - 3)}`))).toEqual(['password:auth.passwordLong']);
  });

  it('do not count Chinese characters as special characters', () => {
    expect(problems(both('Sunrise2早签'))).toEqual(['password:auth.passwordClasses']);
    expect(problems(both('Sunrise2早签！'))).toEqual([]);
  });

  // spec: 5.1.15
  it('need no special character after a reset', () => {
    expect(resetSchema.safeParse({ password: 'Sunrise2', confirmPassword: 'Sunrise2' }).success).toBe(true);
    expect(resetSchema.safeParse({ password: 'sunrise2', confirmPassword: 'sunrise2' }).success).toBe(false);
    expect(resetSchema.safeParse({ password: 'Sunrise2', confirmPassword: '' }).success).toBe(false);
  });
});

describe('codes of the second step', () => {
  it('may contain spaces, and are distinguished by their format', () => {
    expect(appCodeSchema.safeParse({ code: '123 456' }).success).toBe(true);
    expect(appCodeSchema.safeParse({ code: '12345' }).success).toBe(false);
    expect(recoveryCodeSchema.safeParse({ code: 'ab2cd-3ef4g ' }).success).toBe(true);
    expect(recoveryCodeSchema.safeParse({ code: '123456' }).success).toBe(false);
  });
});
