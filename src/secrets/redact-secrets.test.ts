import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { redactSecrets } from './redact-secrets.ts';

/** A generator with a seed, so that the same secrets are planted every time. */
function random(seed: number) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const from = (letters: string, length: number) =>
    Array.from({ length }, () => letters[Math.floor(next() * letters.length)]).join('');
  return { next, from };
}

const { next, from } = random(20_261_121);
const HEX = '0123456789abcdef';
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const ANY = `${UPPER}abcdefghijklmnopqrstuvwxyz`;
const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)]!;

/** Secrets with a vendor prefix, and passwords without one. */
const KINDS: Record<string, () => string> = {
  aws: () => `AKIA${from(UPPER, 16)}`,
  github: () => `${pick(['ghp_', 'gho_', 'ghs_'])}${from(ANY, 36)}`,
  githubFine: () => `github_pat_${from(ANY, 22)}_${from(ANY, 59)}`,
  gitlab: () => `glpat-${from(ANY, 20)}`,
  slack: () => `xoxb-${from('0123456789', 12)}-${from(ANY, 24)}`,
  stripe: () => `sk_live_${from(ANY, 24)}`,
  openai: () => `sk-proj-${from(ANY, 48)}`,
  anthropic: () => `sk-ant-api03-${from(ANY, 60)}`,
  google: () => `AIza${from(ANY, 35)}`,
  npm: () => `npm_${from(ANY, 36)}`,
  pypi: () => `pypi-${from(ANY, 60)}`,
  sendgrid: () => `SG.${from(ANY, 22)}.${from(ANY, 43)}`,
  huggingface: () => `hf_${from(ANY, 34)}`,
  telegram: () => `${from('123456789', 9)}:AA${from(ANY, 33)}`,
  jwt: () => `eyJ${from(ANY, 30)}.eyJ${from(ANY, 60)}.${from(ANY, 43)}`,
  razorpay: () => `rzp_live_${from(ANY, 14)}`,
  pem: () =>
    `-----BEGIN RSA PRIVATE KEY-----\n${from(ANY, 64)}\n${from(ANY, 64)}\n-----END RSA PRIVATE KEY-----`,
};
const password = () =>
  pick([
    () => from(ANY, 12),
    () => `${from(ANY.toLowerCase(), 8)}${from('0123456789', 3)}!`,
    () => from(HEX, 32),
  ])();

/** Ways in which code and settings hold a secret. */
const OPENLY: ((secret: string) => string)[] = [
  (secret) => `const client = connect("${secret}");`,
  (secret) => `  - run: deploy --with ${secret}`,
  (secret) => `# old: ${secret}`,
  (secret) => `Authorization: Bearer ${secret}`,
];
const NAMED: ((secret: string) => string)[] = [
  (secret) => `const password = '${secret}';`,
  (secret) => `"apiKey": "${secret}",`,
  (secret) => `DB_PASSWORD=${secret}`,
  (secret) => `export API_TOKEN=${secret}`,
  (secret) => `url = "postgres://app:${secret.replace(/[/@!]/g, 'x')}@db.internal:5432/shop"`,
  (secret) => `self.client_secret = "${secret}"`,
  (secret) => `client.setPassword("${secret}");`,
  (secret) => `secretKey := "${secret}"`,
  (secret) => `    access_key => '${secret}',`,
  (secret) => `ENV SECRET_KEY ${'='} ${secret}`,
];

test('at least 99 % of seeded secrets are redacted', () => {
  const missed: string[] = [];
  let planted = 0;
  const plant = (line: string, secret: string) => {
    planted += 1;
    const seen = redactSecrets(`import x\n${line}\nreturn x`);
    if (seen.includes(secret) || seen.includes(secret.split('\n')[1] ?? secret)) missed.push(line);
  };
  for (let round = 0; round < 12; round++) {
    for (const make of Object.values(KINDS)) {
      for (const write of OPENLY) {
        const secret = make();
        plant(write(secret), secret);
      }
    }
    for (const write of NAMED) {
      for (let other = 0; other < 4; other++) {
        const secret = password().replace(/[!]/g, write.toString().includes('postgres') ? 'x' : '!');
        plant(write(secret), secret);
      }
    }
  }
  expect(planted).toBeGreaterThan(1_000);
  expect(missed.length / planted, missed.slice(0, 10).join('\n')).toBeLessThanOrEqual(0.01);
});

test('ordinary code is unchanged', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/test|redact/.test(path))
    .map((path) =>
      readFileSync(join('src', path), 'utf8').replace(/[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, ''),
    );
  const lines = files.flatMap((file) => file.split('\n'));
  const changed = lines.filter((line) => redactSecrets(line) !== line);
  expect(lines.length).toBeGreaterThan(10_000);
  expect(changed.length / lines.length, changed.slice(0, 20).join('\n')).toBeLessThan(0.001);
});

test('redaction is fast on long and on adversarial text', () => {
  for (const text of [
    'password'.repeat(20_000),
    `${'a:'.repeat(50_000)}@`,
    `token${' '.repeat(100_000)}`,
    '='.repeat(200_000),
  ]) {
    expect(redactSecrets(text).length).toBeGreaterThan(0);
  }
});
