export type PasswordStrength = 'short' | 'weak' | 'fair' | 'strong';

const FAIR_BITS = 45;
const STRONG_BITS = 65;

/**
 * Estimates the entropy of a password; a character that repeats or continues the one before it (`aaa`, `123`)
 * counts for one bit. A hint, never a rule.
 */
export function passwordStrength(password: string, minLength: number): PasswordStrength {
  if (password.length < minLength) return 'short';
  const kinds = [
    [/[a-z]/, 26],
    [/[A-Z]/, 26],
    [/\d/, 10],
    [/[^a-zA-Z\d]/, 33],
  ] as const;
  const alphabetSize = kinds.reduce((sum, [kind, size]) => sum + (kind.test(password) ? size : 0), 0);
  let bits = 0;
  for (let at = 0; at < password.length; at += 1) {
    const step = password.charCodeAt(at) - password.charCodeAt(at - 1);
    bits += Math.abs(step) <= 1 ? 1 : Math.log2(alphabetSize);
  }
  if (bits < FAIR_BITS) return 'weak';
  return bits < STRONG_BITS ? 'fair' : 'strong';
}
