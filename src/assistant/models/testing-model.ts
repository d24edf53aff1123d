import type { IncomingMessage, ServerResponse } from 'node:http';
import { readJson, startTestServer } from './testing-server.ts';

/** Behavior of the provider on one call; the last one is repeated. */
export type Behaviour =
  | { say: string }
  /** Calls tools; `input` given as text is sent unchanged, valid JSON or not. */
  | { use: { name: string; input: object | string }[]; say?: string }
  | { status: number; body?: string; headers?: Record<string, string> }
  | { hang: 'before' | 'after'; say?: string }
  | { cut: string }
  | { raw: string };

/** A call that the provider received. */
interface ModelCall {
  path: string;
  headers: IncomingMessage['headers'];
  body: ModelRequest;
}

/** Body of a request, with the fields that tests inspect. */
interface ModelRequest {
  messages?: { role: string; content: string }[];
  contents?: { role: string }[];
  tools?: unknown[];
  [field: string]: unknown;
}

/** Language model on loopback that implements the protocols of OpenAI, Anthropic and Google. */
export interface TestModel {
  baseUrl: string;
  calls: ModelCall[];
  behave(...behaviours: Behaviour[]): void;
  /** Number of calls in progress. */
  open(): number;
  close(): Promise<void>;
}

/** Reply of the model list. */
const MODELS = JSON.stringify({ data: [{ id: 'small', context_length: 32_000 }] });

/** Starts a provider that replies `Hello` by default. */
export async function startTestModel(): Promise<TestModel> {
  let behaviours: Behaviour[] = [{ say: 'Hello' }];
  const calls: ModelCall[] = [];
  let open = 0;
  const server = await startTestServer(async (request, reply) => {
    const path = request.url ?? '';
    if (request.method === 'GET') return void reply.end(MODELS);
    calls.push({ path, headers: request.headers, body: await readJson(request) });
    open += 1;
    reply.once('close', () => {
      open -= 1;
    });
    const behaviour = behaviours.length > 1 ? behaviours.shift()! : behaviours[0]!;
    act(behaviour, protocolOf(path), reply);
  });
  return {
    ...server,
    calls,
    behave: (...given) => {
      behaviours = given;
    },
    open: () => open,
  };
}

function act(behaviour: Behaviour, protocol: Protocol, reply: ServerResponse): void {
  if ('status' in behaviour) {
    reply.writeHead(behaviour.status, { 'content-type': 'application/json', ...behaviour.headers });
    reply.end(behaviour.body ?? '{"error":{"message":"scripted","type":"scripted"}}');
    return;
  }
  if ('hang' in behaviour && behaviour.hang === 'before') return;
  reply.writeHead(200, { 'content-type': 'text/event-stream' });
  if ('raw' in behaviour) return void reply.end(behaviour.raw);
  const text = 'cut' in behaviour ? behaviour.cut : (behaviour.say ?? '');
  for (const event of protocol.begin) reply.write(event);
  for (const word of text.split(/(?<= )/)) reply.write(protocol.word(word));
  // Only data that was sent can be truncated.
  if ('cut' in behaviour) return void setTimeout(() => reply.destroy(), 50);
  if ('hang' in behaviour) return;
  if ('use' in behaviour) {
    behaviour.use.forEach(({ name, input }, index) => {
      const json = typeof input === 'string' ? input : JSON.stringify(input);
      for (const event of protocol.use(name, json, index)) reply.write(event);
    });
  }
  for (const event of 'use' in behaviour ? protocol.endWithUse : protocol.end) reply.write(event);
  reply.end();
}

function protocolOf(path: string): Protocol {
  if (path.endsWith('/messages')) return anthropic;
  return path.includes(':streamGenerateContent') ? google : openAi;
}

interface Protocol {
  begin: string[];
  word(text: string): string;
  use(name: string, input: string, index: number): string[];
  end: string[];
  endWithUse: string[];
}

const named = (type: string, rest: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;
const usage = { input_tokens: 11, output_tokens: 7 };

const endAnthropic = (stop_reason: string) => [
  named('content_block_stop', { index: 0 }),
  named('message_delta', { delta: { stop_reason }, usage }),
  named('message_stop', {}),
];

const anthropic: Protocol = {
  begin: [
    named('message_start', {
      message: {
        id: 'm1',
        type: 'message',
        role: 'assistant',
        model: 'x',
        content: [],
        stop_reason: null,
        usage,
      },
    }),
    named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  ],
  word: (text) => named('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
  use: (name, input, index) => [
    named('content_block_start', {
      index: index + 1,
      content_block: { type: 'tool_use', id: `t${index}`, name, input: {} },
    }),
    named('content_block_delta', {
      index: index + 1,
      delta: { type: 'input_json_delta', partial_json: input },
    }),
    named('content_block_stop', { index: index + 1 }),
  ],
  end: endAnthropic('end_turn'),
  endWithUse: endAnthropic('tool_use'),
};

const chunk = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'x', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

const endOpenAi = (reason: string) => [
  chunk({}, reason),
  `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'x', choices: [], usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 } })}\n\n`,
  'data: [DONE]\n\n',
];

const openAi: Protocol = {
  begin: [chunk({ role: 'assistant', content: '' })],
  word: (content) => chunk({ content }),
  use: (name, input, index) => [
    chunk({
      tool_calls: [{ index, id: `t${index}`, type: 'function', function: { name, arguments: input } }],
    }),
  ],
  end: endOpenAi('stop'),
  endWithUse: endOpenAi('tool_calls'),
};

const candidate = (parts: object[], rest: object = {}) =>
  `data: ${JSON.stringify({ candidates: [{ content: { parts, role: 'model' }, index: 0, ...rest }], usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 7, totalTokenCount: 18 } })}\n\n`;

/** Parses arguments, which are JSON in this protocol; invalid JSON is passed as a string. */
const readArguments = (input: string): unknown => {
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
};

const google: Protocol = {
  begin: [],
  word: (text) => candidate([{ text }]),
  use: (name, input) => [candidate([{ functionCall: { name, args: readArguments(input) } }])],
  end: [candidate([{ text: '' }], { finishReason: 'STOP' })],
  endWithUse: [candidate([{ text: '' }], { finishReason: 'STOP' })],
};
