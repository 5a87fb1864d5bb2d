import { describe, expect, it } from 'vitest';
import { loginSchema, registerSchema } from './schemas.ts';

const problems = (form: { email: string; password: string; confirmPassword: string }) => {
  const result = registerSchema.safeParse(form);
  return result.success ? [] : result.error.issues.map((issue) => `${String(issue.path[0])}:${issue.message}`);
};

describe('registration', () => {
  it('asks for everything when the form is empty', () => {
    expect(problems({ email: '', password: '', confirmPassword: '' })).toEqual([
      'email:auth.emailRequired',
      'password:auth.passwordRequired',
      'confirmPassword:auth.confirmRequired',
    ]);
  });

  it('refuses what is not an address', () => {
    expect(problems({ email: 'lin', password: 'Sunrise#2026', confirmPassword: 'Sunrise#2026' })).toEqual([
      'email:auth.emailInvalid',
    ]);
  });

  it('wants eight characters before it speaks of classes', () => {
    expect(problems({ email: 'lin@example.com', password: 'Ab1#', confirmPassword: 'Ab1#' })).toEqual([
      'password:auth.passwordShort',
    ]);
    expect(problems({ email: 'lin@example.com', password: 'abcdefgh', confirmPassword: 'abcdefgh' })).toEqual([
      'password:auth.passwordClasses',
    ]);
  });

  it('wants the same password twice', () => {
    expect(problems({ email: 'lin@example.com', password: 'Sunrise#2026', confirmPassword: 'Sunrise#2027' })).toEqual([
      'confirmPassword:auth.confirmMismatch',
    ]);
    expect(problems({ email: 'lin@example.com', password: 'Sunrise#2026', confirmPassword: 'Sunrise#2026' })).toEqual([]);
  });
});

describe('sign-in', () => {
  it('needs an address and at least eight characters', () => {
    expect(loginSchema.safeParse({ username: 'lin@example.com', password: '1234567', rememberMe: false }).success).toBe(false);
    expect(loginSchema.safeParse({ username: 'lin@example.com', password: '12345678', rememberMe: false }).success).toBe(true);
  });
});
