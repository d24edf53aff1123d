import { toyVector } from '#memory/vectors/testing.ts';
import { readJson, startTestServer } from './testing-server.ts';

/** Behavior of the provider on one call; the last one is repeated. */
type EmbedderBehaviour =
  | 'answer'
  /** Vectors of a different length. */
  | { dimensions: number }
  | { status: number; body?: string; headers?: Record<string, string> }
  | 'hang'
  | { raw: string };

/** A call that the provider received. */
interface EmbedderCall {
  path: string;
  authorization: string | undefined;
  texts: string[];
}

/** Embedding model on loopback that hashes words and implements the protocols of OpenAI and Google. */
export interface TestEmbedder {
  baseUrl: string;
  calls: EmbedderCall[];
  behave(...behaviours: EmbedderBehaviour[]): void;
  close(): Promise<void>;
}

/** Starts a provider that answers every call by default. */
export async function startTestEmbedder(): Promise<TestEmbedder> {
  let behaviours: EmbedderBehaviour[] = ['answer'];
  const calls: EmbedderCall[] = [];
  const server = await startTestServer(async (request, reply) => {
    const body = await readJson(request);
    const path = request.url ?? '';
    const texts = textsOf(body);
    calls.push({ path, authorization: request.headers.authorization, texts });
    const behaviour = behaviours.length > 1 ? behaviours.shift()! : behaviours[0]!;
    if (behaviour === 'hang') return;
    const isAnswer = behaviour === 'answer' || 'dimensions' in behaviour;
    const status = isAnswer || 'raw' in behaviour ? 200 : behaviour.status;
    const headers = typeof behaviour === 'object' && 'headers' in behaviour ? behaviour.headers : {};
    reply.writeHead(status, { 'content-type': 'application/json', ...headers });
    if (!isAnswer) {
      const raw = 'raw' in behaviour ? behaviour.raw : behaviour.body;
      return void reply.end(raw ?? '{"error":{"message":"scripted","type":"scripted"}}');
    }
    const dimensions = behaviour === 'answer' ? undefined : behaviour.dimensions;
    const vectors = texts.map((text) => Array.from(toyVector(text, dimensions)));
    reply.end(JSON.stringify(path.includes(':') ? google(vectors, path) : openAi(vectors)));
  });
  return {
    ...server,
    calls,
    behave: (...given) => {
      behaviours = given;
    },
  };
}

/** Body of an embedding request in the protocol of Google. */
interface GoogleRequest {
  content: { parts: { text: string }[] };
}

function textsOf(body: { input: string[] } | { requests: GoogleRequest[] } | GoogleRequest): string[] {
  if ('input' in body) return body.input;
  const requests = 'requests' in body ? body.requests : [body];
  return requests.map((request) => request.content.parts[0]!.text);
}

function openAi(vectors: number[][]) {
  const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }));
  return { object: 'list', data, model: 'toy', usage: { prompt_tokens: 1, total_tokens: 1 } };
}

function google(vectors: number[][], path: string) {
  const embeddings = vectors.map((values) => ({ values }));
  return path.endsWith(':batchEmbedContents') ? { embeddings } : { embedding: embeddings[0] };
}
