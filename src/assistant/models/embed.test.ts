import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { toyVector } from '#memory/vectors/testing.ts';
import { type EmbedderSettings, openEmbedder } from './embed.ts';
import type { OutboundCall } from './port.ts';
import { startTestEmbedder, type TestEmbedder } from './testing-embedder.ts';

let provider: TestEmbedder;

beforeAll(async () => {
  provider = await startTestEmbedder();
});
afterAll(() => provider.close());
beforeEach(() => {
  provider.behave('answer');
  provider.calls.length = 0;
});

/** Generous enough for a busy machine. */
const TIMEOUTS = { connectMs: 10_000, firstByteMs: 10_000, idleMs: 10_000, totalMs: 30_000 };

function open(overrides: Partial<EmbedderSettings> = {}, timeouts = TIMEOUTS) {
  const settings = { provider: 'openai', name: 'toy', baseUrl: provider.baseUrl, apiKey: 'k' } as const;
  return openEmbedder({ ...settings, ...overrides }, timeouts);
}

test.each(['openai', 'ollama', 'openai-compatible', 'google'] as const)(
  '%s returns a vector for every text',
  async (name) => {
    const texts = ['the price of an order', 'an invoice', 'a refund'];
    const vectors = await open({ provider: name }).embed(texts);
    expect(vectors).toEqual(texts.map((text) => toyVector(text)));
    expect(provider.calls.map((call) => call.texts)).toEqual([texts]);
  },
);

test('a single text uses the single call of Google, and no key is sent without one', async () => {
  expect(await open({ provider: 'google' }).embed(['price'])).toEqual([toyVector('price')]);
  await open({ provider: 'ollama', apiKey: null }).embed(['price']);
  await open().embed(['price']);
  expect(provider.calls.map(({ authorization }) => authorization)).toEqual([
    undefined,
    undefined,
    'Bearer k',
  ]);
});

test('obvious secrets are redacted before a call', async () => {
  await open().embed(['const key = "AKIAABCDEFGHIJKLMNOP";']);
  expect(provider.calls[0]!.texts).toEqual(['const key = "[redacted]";']);
});

test('calls to a busy or failing provider are retried after the time it requests', async () => {
  provider.behave(
    { status: 429, headers: { 'retry-after': '0' } },
    { status: 503, headers: { 'retry-after': '0' } },
    'answer',
  );
  expect(await open().embed(['price'])).toEqual([toyVector('price')]);
  expect(provider.calls.length).toBe(3);
});

test('too long a wait, or no attempts left, rejects as rate limited', async () => {
  provider.behave({ status: 429, headers: { 'retry-after': '3600' } });
  await expect(open().embed(['price'])).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 3600 });
  provider.behave({ status: 429, headers: { 'retry-after': '0' } });
  await expect(open().embed(['price'], { retries: 0 })).rejects.toMatchObject({ code: 'rate_limited' });
  expect(provider.calls.length).toBe(2);
});

test.each([
  [{ status: 401 }, 'model_key_rejected', /EMBEDDING_API_KEY/],
  [{ status: 404 }, 'model_not_found', /Check EMBEDDING_MODEL\./],
  [
    { status: 429, body: '{"error":{"message":"insufficient_quota"}}' },
    'model_quota_exceeded',
    /embedding model is used up/,
  ],
  [{ status: 400 }, 'text_rejected', /refused a text/],
  [{ status: 413 }, 'text_rejected', /refused a text/],
  [{ raw: '{"data":[]}' }, 'dimension_mismatch', /one vector for each text/],
  [{ raw: '{"data":[{"embedding":[]}]}' }, 'dimension_mismatch', /one vector for each text/],
  [{ raw: 'no JSON' }, 'model_failed', /embedding model failed/],
] as const)('%j rejects at once with a reason', async (behaviour, reason, words) => {
  provider.behave(behaviour);
  await expect(open().embed(['price'])).rejects.toMatchObject({
    code: 'unavailable',
    reason,
    message: expect.stringMatching(words),
  });
  expect(provider.calls.length).toBe(1);
});

test('a silent provider times out, and an aborted request stops', async () => {
  provider.behave('hang');
  await expect(open({}, { ...TIMEOUTS, firstByteMs: 200 }).embed(['price'])).rejects.toMatchObject({
    reason: 'model_timed_out',
  });
  const stop = new AbortController();
  const pending = open().embed(['price'], { signal: stop.signal });
  setTimeout(() => stop.abort(), 50);
  await expect(pending).rejects.toMatchObject({ reason: 'stopped' });
});

test('every call is reported, failed ones included', async () => {
  const calls: OutboundCall[] = [];
  provider.behave({ status: 503, headers: { 'retry-after': '0' } }, 'answer');
  await open().embed(['price'], { onCall: (call) => calls.push(call) });
  expect(calls.map(({ status }) => status)).toEqual([503, 200]);
  expect(calls.every(({ host, sent }) => provider.baseUrl.includes(host) && sent > 0)).toBe(true);
});
