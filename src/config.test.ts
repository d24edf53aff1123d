import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DEFAULT_RATE_LIMITS } from '#contract/rate-limits.ts';
import type { Setting } from './config/setting.ts';
import { readConfig, settings } from './config.ts';

test('every setting has a default', () => {
  const config = readConfig({});
  expect(config).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    publicUrl: null,
    trustProxy: false,
    databaseUrl: null,
    role: 'all',
    secretKey: null,
    publicInstance: false,
  });
  expect(config.dataDir).toBe(`${process.cwd()}/data`);
  expect(config.git).toMatchObject({ maxRepoMb: 5120, maxEntries: 500_000, maxFileBytes: 1024 * 1024 });
  expect(config.git.maxIndexMb).toBe(3072);
});

test('lists, numbers and URLs are parsed', () => {
  const config = readConfig({
    PORT: '8080',
    TRUST_PROXY: '10.0.0.1, 10.0.0.2',
    ALLOWED_HOSTS: 'inner, .example.org, bücher.example',
    MAX_BUFFERED_MB: '128',
    PUBLIC_URL: 'https://hindsight.example.org/',
    GIT_ALLOWED_PRIVATE_HOSTS: 'git.local:8443,',
    SIGNUP: '',
  });
  expect(config.port).toBe(8080);
  expect(config.trustProxy).toEqual(['10.0.0.1', '10.0.0.2']);
  expect(config.allowedHosts).toEqual(['inner', '.example.org', 'bücher.example']);
  expect(config.maxBufferedBytes).toBe(128 * 2 ** 20);
  expect(config.publicUrl).toBe('https://hindsight.example.org');
  expect(config.git.allowedPrivateHosts).toEqual(['git.local:8443']);
  expect(config.signup).toBe('open');
});

test.each([
  [{ PORT: '70000' }, 'PORT must be a whole number from 0 to 65535.'],
  [{ PORT: '80a' }, 'PORT must be a whole number from 0 to 65535.'],
  [{ ROLE: 'boss' }, 'ROLE must be one of all, server, worker.'],
  [{ PUBLIC_URL: 'hindsight' }, 'PUBLIC_URL must be an address such as https://hindsight.example.org.'],
  [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL must begin with postgres://.'],
  [{ CORS_ORIGINS: 'https://a.example,b' }, 'CORS_ORIGINS must be an address such as'],
])('%o is refused with the name of the variable and what it must be', (env, words) => {
  expect(() => readConfig(env)).toThrow(words);
});

test('accounts have a storage quota on a public instance unless a setting overrides it', () => {
  expect(readConfig({}).userQuotaMb).toBe(0);
  expect(readConfig({ PUBLIC_INSTANCE: '1' }).userQuotaMb).toBe(2048);
  expect(readConfig({ PUBLIC_INSTANCE: '1', USER_QUOTA_MB: '0' }).userQuotaMb).toBe(0);
  expect(readConfig({ USER_QUOTA_MB: '7', GIT_CONCURRENCY: '2' })).toMatchObject({
    userQuotaMb: 7,
    git: { concurrency: 2 },
  });
});

test('a rate limit is a number of uses within a number of seconds', () => {
  const { limits } = readConfig({ RATE_LIMIT_LOGIN_PER_IP: '5/10' });
  expect(limits).toEqual({ ...DEFAULT_RATE_LIMITS, loginPerIp: { max: 5, seconds: 10 } });
  for (const wrong of ['5', '0/10', '5/', 'none', '5/10s']) {
    expect(() => readConfig({ RATE_LIMIT_LOGIN_PER_IP: wrong })).toThrow(
      'RATE_LIMIT_LOGIN_PER_IP must be how often and within how many seconds, such as 30/60.',
    );
  }
});

test('the former names of rate limits are read, and the present ones win', () => {
  const former = { RATE_LIMIT_LOGIN_PER_ADDRESS: '5/10', RATE_LIMIT_REGISTER_TRIES_PER_ADDRESS: '6/10' };
  expect(readConfig(former).limits).toMatchObject({
    loginPerIp: { max: 5, seconds: 10 },
    registerAttemptsPerIp: { max: 6, seconds: 10 },
  });
  const { limits } = readConfig({ ...former, RATE_LIMIT_LOGIN_PER_IP: '7/10' });
  expect(limits.loginPerIp.max).toBe(7);
});

test('all invalid variables are reported at once', () => {
  expect(() => readConfig({ PORT: 'x', SIGNUP: 'maybe' })).toThrow(/PORT .*\nSIGNUP /);
});

test('emails are written to files unless a mail server and a sender are set', () => {
  expect(readConfig({}).mail.smtpUrl).toBeNull();
  const mail = { SMTP_URL: 'smtps://user:word@mail.example', MAIL_FROM: 'a@example.org' };
  expect(readConfig(mail).mail).toEqual({ smtpUrl: mail.SMTP_URL, from: mail.MAIL_FROM });
  expect(() => readConfig({ SMTP_URL: mail.SMTP_URL })).toThrow(/^MAIL_FROM must be set with SMTP_URL/);
  expect(() => readConfig({ SMTP_URL: 'mail.example' })).toThrow(/^SMTP_URL must begin with smtp/);
});

test('replicas require a shared database', () => {
  expect(() => readConfig({ ROLE: 'worker' })).toThrow(/DATABASE_URL must be set when ROLE is worker/);
});

test('payments require the id and the secret of the key', () => {
  expect(readConfig({}).razorpay).toBeNull();
  expect(() => readConfig({ RAZORPAY_KEY_ID: 'rzp_test_1' })).toThrow('RAZORPAY_KEY_SECRET must be set too');
  expect(() => readConfig({ RAZORPAY_KEY_SECRET: 'x' })).toThrow('RAZORPAY_KEY_ID must be set too');
  expect(readConfig({ RAZORPAY_KEY_ID: 'rzp_test_1', RAZORPAY_KEY_SECRET: 'x' }).razorpay).toEqual({
    keyId: 'rzp_test_1',
    keySecret: 'x',
    webhookSecret: null,
    apiUrl: 'https://api.razorpay.com',
    checkoutUrl: 'https://checkout.razorpay.com/v1/checkout.js',
  });
});

test('a model has a provider, and the base URL of the provider unless one is set', () => {
  expect(readConfig({}).model).toBe(null);
  expect(readConfig({ MODEL: 'anthropic:claude', MODEL_API_KEY: 'k' }).model).toEqual({
    provider: 'anthropic',
    name: 'claude',
    baseUrl: 'https://api.anthropic.com/v1',
    apiKey: 'k',
  });
  const own = readConfig({ MODEL: 'openai-compatible:org/m:7b', MODEL_BASE_URL: 'http://10.0.0.2:8000/v1/' });
  expect(own.model).toMatchObject({ name: 'org/m:7b', baseUrl: 'http://10.0.0.2:8000/v1', apiKey: null });
});

test('an embedding model has its own base URL and API key', () => {
  expect(readConfig({ MODEL: 'ollama:m' }).embedder).toBe(null);
  const env = {
    EMBEDDING_MODEL: 'openai:text-embedding-3-small',
    EMBEDDING_API_KEY: 'k',
    MODEL_API_KEY: 'other',
  };
  expect(readConfig(env).embedder).toEqual({
    provider: 'openai',
    name: 'text-embedding-3-small',
    baseUrl: 'https://api.openai.com/v1',
    apiKey: 'k',
  });
  const own = readConfig({
    EMBEDDING_MODEL: 'openai-compatible:m',
    EMBEDDING_BASE_URL: 'http://10.0.0.2/v1/',
  });
  expect(own.embedder?.baseUrl).toBe('http://10.0.0.2/v1');
});

test.each([
  [{ EMBEDDING_MODEL: 'anthropic:claude' }, /^EMBEDDING_MODEL must be provider:model/],
  [{ EMBEDDING_MODEL: 'openai:m', MODEL_API_KEY: 'k' }, /^EMBEDDING_API_KEY must be set/],
  [{ EMBEDDING_MODEL: 'openai-compatible:m' }, /^EMBEDDING_BASE_URL must be set/],
  [{ MODEL: 'gpt' }, /^MODEL must be provider:model/],
  [{ MODEL: 'openai:gpt' }, /^MODEL_API_KEY must be set/],
  [
    { OBJECT_STORE_URL: 'https://key:secret@s3.example.org/b' },
    /^OBJECT_STORE_URL must be the URL of a bucket/,
  ],
  [{ OBJECT_STORE_URL: 'https://s3.example.org/b/c' }, /^OBJECT_STORE_URL must be the URL of a bucket/],
  [{ OBJECT_STORE_URL: 'file:///' }, /^OBJECT_STORE_URL must be the URL of a bucket/],
  [{ OBJECT_STORE_URL: 'https://s3.example.org/b' }, /^OBJECT_STORE_ACCESS_KEY must be set/],
  [
    { OBJECT_STORE_URL: 'file:///mnt/b', ROLE: 'worker', DATABASE_URL: 'postgres://db.example.org/h' },
    /^SECRET_KEY must be set when ROLE is worker/,
  ],
  [{ MODEL: 'openai-compatible:m' }, /^MODEL_BASE_URL must be set/],
  [{ MODEL: 'ollama:m', MODEL_BASE_URL: 'localhost' }, /^MODEL_BASE_URL must be the address/],
])('%j is refused with what the variable must be', (env, words) => {
  expect(() => readConfig(env)).toThrow(words);
});

test('the documentation describes every setting as declared, and no other', () => {
  const text = readFileSync(new URL('../docs/configure.md', import.meta.url), 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith('| `'));
  const expected = Object.entries(settings).map(([name, setting]) => documentationRow(name, setting));
  expect(rows.toSorted()).toEqual(expected.toSorted());
});

/** The row of a setting in the tables of `docs/configure.md`. */
function documentationRow(name: string, { shownDefault, doc }: Setting): string {
  return `| \`${name}\` | ${shownDefault}${shownDefault === '' ? '' : ' '}| ${doc} |`;
}
