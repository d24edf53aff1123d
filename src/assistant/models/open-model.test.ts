import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openModel } from './open-model.ts';
import type { Model, ModelSettings, ModelTool, OutboundCall, Usage } from './port.ts';
import { startTestModel, type TestModel } from './testing-model.ts';

let provider: TestModel;
beforeAll(async () => {
  provider = await startTestModel();
});
afterAll(() => provider.close());
beforeEach(() => {
  provider.calls.length = 0;
});

/** Generous enough for a busy machine. */
const GENEROUS_TIMEOUTS = { connectMs: 10_000, firstByteMs: 10_000, idleMs: 10_000, totalMs: 30_000 };
/** Short, for tests in which no reply arrives. */
const SHORT_TIMEOUTS = { ...GENEROUS_TIMEOUTS, firstByteMs: 300, idleMs: 300 };
const PROMPT = {
  system: 'Be exact.',
  turns: [
    { role: 'user' as const, content: 'What?' },
    { role: 'assistant' as const, content: 'That.' },
    { role: 'user' as const, content: 'Why?' },
  ],
};

function open(settings: Partial<ModelSettings> = {}, timeouts = GENEROUS_TIMEOUTS): Model {
  const { baseUrl } = provider;
  return openModel(
    { provider: 'openai-compatible', name: 'small', baseUrl, apiKey: 'k1', ...settings },
    timeouts,
  );
}

async function read(model: Model, signal?: AbortSignal): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of model.write(PROMPT, { signal })) pieces.push(piece);
  return pieces;
}

test.each(['openai', 'ollama', 'openai-compatible', 'anthropic', 'google'] as const)(
  '%s streams in its own protocol',
  async (kind) => {
    provider.behave({ say: 'Because of this commit' });
    const pieces = await read(open({ provider: kind }));
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join('')).toBe('Because of this commit');
    const [{ path, headers, body } = provider.calls[0]!] = provider.calls;
    expect(JSON.stringify(body)).toContain('Be exact.');
    if (kind === 'google') {
      expect(path).toBe('/v1/models/small:streamGenerateContent?alt=sse');
      expect(headers['x-goog-api-key']).toBe('k1');
      expect(body.contents?.map(({ role }) => role)).toEqual(['user', 'model', 'user']);
      return;
    }
    expect(body.model).toBe('small');
    expect(body.messages?.at(-1)?.role).toBe('user');
    if (kind === 'anthropic') {
      expect([path, headers['x-api-key']]).toEqual(['/v1/messages', 'k1']);
    } else {
      expect([path, headers.authorization]).toEqual(['/v1/chat/completions', 'Bearer k1']);
    }
  },
);

test.each(['openai', 'anthropic', 'google'] as const)('%s: a transient failure is retried', async (kind) => {
  provider.behave(
    { status: 500 },
    { status: 429, headers: { 'retry-after': '0' } },
    { say: 'Third time lucky' },
  );
  expect((await read(open({ provider: kind }))).join('')).toBe('Third time lucky');
  expect(provider.calls).toHaveLength(3);
});

const KINDS = ['openai', 'anthropic', 'google'] as const;
const FAILURES = [
  ['429', { status: 429, headers: { 'retry-after': '0' } }, 'rate_limited', 'model_rate_limited', 3],
  [
    '429 with a long wait',
    { status: 429, headers: { 'retry-after': '60' } },
    'rate_limited',
    'model_rate_limited',
    1,
  ],
  [
    'a spent budget',
    { status: 429, body: '{"error":{"message":"insufficient_quota"}}' },
    'unavailable',
    'model_quota_exceeded',
    1,
  ],
  ['500', { status: 500 }, 'unavailable', 'model_failed', 3],
  ['529', { status: 529 }, 'unavailable', 'model_failed', 3],
  [
    'a wrong key',
    { status: 401, body: '{"error":{"message":"bad token"}}' },
    'unavailable',
    'model_key_rejected',
    1,
  ],
  ['a forbidden key', { status: 403 }, 'unavailable', 'model_key_rejected', 1],
  ['an unknown model', { status: 404 }, 'unavailable', 'model_not_found', 1],
  [
    'too long',
    { status: 400, body: '{"error":{"message":"maximum context length is 10 tokens"}}' },
    'unavailable',
    'model_context_length_exceeded',
    1,
  ],
  ['no first byte', { hang: 'before' }, 'unavailable', 'model_timed_out', 1],
  ['a stall', { hang: 'after', say: 'Half of ' }, 'unavailable', 'model_timed_out', 1],
  ['a cut', { cut: 'Half of it' }, 'unavailable', 'model_failed', 1],
  ['malformed', { raw: 'data: {nonsense\n\n' }, 'unavailable', 'model_failed', 1],
  ['too much', { raw: `data: ${'x'.repeat(5 * 2 ** 20)}\n\n` }, 'unavailable', 'model_failed', 1],
] as const;

test.each(KINDS.flatMap((kind) => FAILURES.map(([name, ...rest]) => [kind, name, ...rest] as const)))(
  '%s: %s rejects with a reason',
  async (kind, _name, behaviour, code, reason, calls) => {
    provider.behave(behaviour);
    const timeouts = 'hang' in behaviour ? SHORT_TIMEOUTS : GENEROUS_TIMEOUTS;
    const failure = await read(open({ provider: kind }, timeouts)).catch((error) => error);
    expect(failure).toMatchObject({ name: 'AppError', code, reason });
    expect(failure.message).not.toMatch(/40[13]|token/i);
    expect(provider.calls).toHaveLength(calls);
  },
);

test('a provider that refuses connections is unreachable', async () => {
  const failure = await read(open({ baseUrl: 'http://127.0.0.1:1/v1' })).catch((error) => error);
  expect(failure).toMatchObject({ code: 'unavailable', reason: 'model_unreachable' });
});

test('all attempts together have a timeout', async () => {
  provider.behave({ hang: 'before' });
  const { baseUrl } = provider;
  const settings = { provider: 'openai' as const, name: 'small', baseUrl, apiKey: null };
  const model = openModel(settings, { ...GENEROUS_TIMEOUTS, totalMs: 100 });
  await expect(read(model)).rejects.toMatchObject({ reason: 'model_timed_out' });
});

test('an abort ends the call and does not count as a failure', async () => {
  provider.behave({ hang: 'after', say: 'Half' });
  const stop = new AbortController();
  const pieces: string[] = [];
  const reading = (async () => {
    for await (const piece of open().write(PROMPT, { signal: stop.signal })) {
      pieces.push(piece);
      stop.abort();
    }
  })();
  await expect(reading).rejects.toMatchObject({ code: 'unavailable', reason: 'stopped' });
  expect(pieces).toEqual(['Half']);
});

test('five failures open the circuit breaker, and no call is made', async () => {
  provider.behave({ status: 404 });
  const model = open();
  for (let round = 0; round < 5; round++) await read(model).catch(() => {});
  provider.calls.length = 0;
  await expect(read(model)).rejects.toMatchObject({ reason: 'model_unavailable' });
  expect(provider.calls).toHaveLength(0);
});

const TOOL: ModelTool = {
  name: 'look',
  description: 'Looks somewhere.',
  schema: { type: 'object', properties: { where: { type: 'string' } } },
  run: async (input) => `saw ${JSON.stringify(input)}`,
};

async function converse(model: Model, tools = [TOOL]) {
  const steps: unknown[] = [];
  let usage: Usage = { input: null, output: null };
  const onUsage = (sum: Usage) => {
    usage = sum;
  };
  let text = '';
  const onStep = (name: string, input: unknown) => void steps.push([name, input]);
  for await (const piece of model.write(PROMPT, { tools, onStep, onUsage })) text += piece;
  return { text, steps, usage };
}

test.each(KINDS)('%s: a tool runs and its result is sent back', async (kind) => {
  provider.behave(
    { use: [{ name: 'look', input: { where: 'here' } }], say: 'Looking.' },
    { say: 'It is here.' },
  );
  const { text, steps, usage } = await converse(open({ provider: kind }));
  expect(text).toBe('Looking.\n\nIt is here.');
  expect(steps).toEqual([['look', { where: 'here' }]]);
  expect(usage).toEqual({ input: 22, output: 14, context: 18 });
  expect(JSON.stringify(provider.calls[0]?.body.tools)).toContain('Looks somewhere.');
  expect(JSON.stringify(provider.calls[1]?.body)).toContain('saw {');
});

test.each(KINDS)('%s: invalid tool calls are answered with an error text', async (kind) => {
  const invalidCalls = [
    { name: 'delete_everything', input: {} },
    { name: 'look', input: '{"where": ' },
    { name: 'look', input: '[1]' },
  ];
  provider.behave({ use: invalidCalls }, { say: 'Well.' });
  const { text, steps } = await converse(open({ provider: kind }));
  expect({ text, steps }).toEqual({ text: 'Well.', steps: [] });
  const sent = JSON.stringify(provider.calls[1]?.body);
  expect(sent).toContain('There is no tool named');
  expect(sent).toContain('not a JSON object');
});

test.each(KINDS)('%s: tool calls are limited in number of rounds', async (kind) => {
  provider.behave({ use: [{ name: 'look', input: {} }] });
  const { text, steps } = await converse(open({ provider: kind }));
  expect(text).toBe('');
  expect(steps).toHaveLength(7);
  expect(provider.calls).toHaveLength(7);
  expect(JSON.stringify(provider.calls.at(-1)?.body)).toContain('answer now');
});

test('tools are omitted for a model that rejects them, now and later', async () => {
  const refusal = { status: 400, body: '{"error":{"message":"this model does not support tools"}}' };
  provider.behave(refusal, { say: 'Plain.' }, { say: 'Again.' });
  const model = open();
  expect((await converse(model)).text).toBe('Plain.');
  expect((await converse(model)).text).toBe('Again.');
  expect(provider.calls.map(({ body }) => body.tools?.length ?? 0)).toEqual([1, 0, 0]);
});

test('every outbound call is reported, failed ones included', async () => {
  const calls: OutboundCall[] = [];
  const { baseUrl } = provider;
  const settings = { provider: 'openai' as const, name: 'small', baseUrl, apiKey: null };
  provider.behave({ status: 404 });
  const model = openModel(settings, GENEROUS_TIMEOUTS);
  const onCall = (call: OutboundCall) => void calls.push(call);
  const readAll = async (from: Model) => {
    for await (const _ of from.write(PROMPT, { onCall }));
  };
  await readAll(model).catch(() => {});
  provider.behave({ say: 'Hello' });
  await readAll(model);
  await readAll(openModel({ ...settings, baseUrl: 'http://127.0.0.1:1/v1' }, GENEROUS_TIMEOUTS)).catch(
    () => {},
  );
  const host = new URL(baseUrl).host;
  expect(calls[0]).toMatchObject({ host, status: 404, sent: expect.any(Number) });
  expect(calls[1]).toMatchObject({ host, status: 200 });
  expect(calls[1]!.sent).toBeGreaterThan(50);
  expect(calls[1]!.received).toBeGreaterThan(50);
  expect(calls.at(-1)).toMatchObject({ host: '127.0.0.1:1', status: null, received: 0 });
});

const FORMAT = {
  name: 'answer',
  schema: {
    type: 'object',
    properties: { cause: { type: 'string' } },
    required: ['cause'],
    additionalProperties: false,
  },
};

async function fill(model: Model): Promise<string> {
  let text = '';
  for await (const piece of model.write(PROMPT, { format: FORMAT })) text += piece;
  return text;
}

test.each(KINDS)('%s: the output format is sent', async (kind) => {
  provider.behave({ say: '{"cause": "this"}' });
  await fill(open({ provider: kind }));
  expect(JSON.stringify(provider.calls[0]?.body)).toContain('"cause":{"type":"string"}');
});

test('a reply that a provider returns as a tool call is parsed', async () => {
  provider.behave({ use: [{ name: 'json', input: { cause: 'this' } }] });
  expect(await fill(open({ provider: 'anthropic' }))).toBe('{"cause":"this"}');
});

test('the format is omitted for a model that rejects it, now and later', async () => {
  const refusal = { status: 400, body: '{"error":{"message":"response_format is not supported"}}' };
  provider.behave(refusal, { say: 'Cause: this' }, { say: 'Again' });
  const model = open();
  expect([await fill(model), await fill(model)]).toEqual(['Cause: this', 'Again']);
  expect(provider.calls.map(({ body }) => 'response_format' in body)).toEqual([true, false, false]);
});
