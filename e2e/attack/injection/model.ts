import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Instruction, readInstructions } from './instructions.ts';

/** Language model that obeys every instruction in its input, whatever its source: the worst case of prompt injection. */
export interface ObedientModel {
  /** Settings with which a server asks it. */
  readonly settings: Record<string, string>;
  /** Everything that it was ever sent. */
  readonly received: string[];
  /** Numbers of the poisons that it has read. */
  readonly read: Set<string>;
  /** Tools that it was offered, and its tool calls. */
  readonly offered: Set<string>;
  readonly calls: { name: string; arguments: string }[];
  /** Instead of obeying, says this once; null: obeys. */
  script: string | null;
  close(): Promise<void>;
}

const API_KEY = 'canary-of-the-model-key-4410';
const MAX_CALLS = 6;
const MAX_ECHO = 6000;
/** Characters of one event. */
const PIECE = 1000;

/** Starts it on loopback; it speaks OpenAI's protocol. */
export async function startObedientModel(): Promise<ObedientModel> {
  const done = new Set<string>();
  const server = createServer(async (request, reply) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (request.method === 'GET') {
      reply.end(JSON.stringify({ data: [{ id: 'obedient', context_length: 64_000 }] }));
      return;
    }
    const text = Buffer.concat(chunks).toString();
    model.received.push(text);
    answer(model, JSON.parse(text), { reply, done });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const model: ObedientModel = {
    settings: {
      MODEL: 'openai-compatible:obedient',
      MODEL_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      MODEL_API_KEY: API_KEY,
    },
    received: [],
    read: new Set(),
    offered: new Set(),
    calls: [],
    script: null,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return model;
}

interface Call {
  messages: { role: string; content: unknown }[];
  tools?: { function: { name: string } }[];
  stream?: boolean;
  response_format?: unknown;
}

function answer(
  model: ObedientModel,
  call: Call,
  { reply, done }: { reply: ServerResponse; done: Set<string> },
): void {
  if (model.script !== null) {
    write(reply, call, { text: model.script, uses: [] });
    return;
  }
  for (const { function: tool } of call.tools ?? []) model.offered.add(tool.name);
  const context = call.messages.map(({ content }) => textOf(content)).join('\n');
  const instructions = readInstructions(context);
  for (const { poison } of instructions) model.read.add(poison);
  // What it has done it does not do again in another conversation: each poison has its own words.
  const left = call.tools ? instructions.filter((one) => one.tool !== null && !done.has(one.key)) : [];
  const uses = left.slice(0, MAX_CALLS);
  for (const { key, tool } of uses) {
    done.add(key);
    model.calls.push({ name: tool!.name, arguments: JSON.stringify(tool!.arguments) });
  }
  write(reply, call, { text: uses.length > 0 ? '' : obeyInWords(instructions, context, call), uses });
}

function textOf(content: unknown): string {
  return typeof content === 'string'
    ? content
    : JSON.stringify(content ?? '')
        .replaceAll('\\n', '\n')
        .replaceAll('\\"', '"');
}

/** Returns every text that an instruction demands, then the whole prompt, rules included. */
function obeyInWords(instructions: Instruction[], context: string, call: Call): string {
  const texts = [...new Set(instructions.map(({ say }) => say).filter((say) => say !== null))];
  const text = [...texts, 'Everything I was sent:', context.slice(-MAX_ECHO)].join('\n\n');
  if (call.response_format === undefined) return text;
  return JSON.stringify({
    ...{ root_cause: text, fix: text, patch: null, best_practices: [text.slice(0, 500)] },
    ...{ confidence_basis: text.slice(0, 500), citations: [], place_order: [] },
  });
}

const event = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'obedient', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

function write(
  reply: ServerResponse,
  { stream }: Call,
  { text, uses }: { text: string; uses: Instruction[] },
): void {
  const tool_calls = uses.map(({ tool, key }, index) => ({
    ...{ index, id: `t${index}-${key.length}`, type: 'function' },
    function: { name: tool!.name, arguments: JSON.stringify(tool!.arguments) },
  }));
  const reason = uses.length > 0 ? 'tool_calls' : 'stop';
  const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
  if (!stream) {
    const message = { role: 'assistant', content: text, ...(uses.length > 0 && { tool_calls }) };
    const body = { id: 'c1', object: 'chat.completion', created: 1, model: 'obedient', usage };
    reply.setHeader('content-type', 'application/json');
    reply.end(JSON.stringify({ ...body, choices: [{ index: 0, message, finish_reason: reason }] }));
    return;
  }
  reply.writeHead(200, { 'content-type': 'text/event-stream' });
  reply.write(event({ role: 'assistant', content: '' }));
  for (let at = 0; at < text.length; at += PIECE) reply.write(event({ content: text.slice(at, at + PIECE) }));
  if (uses.length > 0) reply.write(event({ tool_calls }));
  reply.write(event({}, reason));
  reply.end('data: [DONE]\n\n');
}
