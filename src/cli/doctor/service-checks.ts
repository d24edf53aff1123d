import { randomBytes } from 'node:crypto';
import { openEmbedder } from '#assistant/models/embed.ts';
import type { ModelSettings } from '#assistant/models/port.ts';
import { probeModel } from '#assistant/models/probe.ts';
import type { Config } from '#config.ts';
import { verifyMailServer } from '#mail/mailer.ts';
import { openObjectStore } from '#storage/open-store.ts';
import { type Examination, type Finding, failure, ok, warning } from './check.ts';

/** Examinations of services that the settings name. `readModel` returns the model of the settings or of an administrator. */
export function serviceChecks(config: Config, readModel: () => Promise<ModelSettings | null>): Examination[] {
  return [
    { name: 'mail', run: () => checkMail(config) },
    { name: 'model', run: async () => await checkModel(await readModel()) },
    { name: 'embeddings', run: () => checkEmbedder(config) },
    { name: 'object store', run: () => checkObjectStore(config) },
    { name: 'server', run: () => checkServer(config) },
  ];
}

async function checkMail({ mail, dataDir }: Config): Promise<Finding> {
  if (mail.smtpUrl === null)
    return warning(`No mail server: emails become files in ${dataDir}/mail`, 'Set SMTP_URL and MAIL_FROM.');
  await verifyMailServer(mail.smtpUrl);
  return ok(`The mail server accepts connections; emails come from ${mail.from}`);
}

async function checkModel(settings: ModelSettings | null): Promise<Finding> {
  if (settings === null) return ok('No language model: answers are assembled from the repository');
  const name = `${settings.provider}:${settings.name}`;
  const { error, provider_message, first_token_ms } = await probeModel(settings, () => {});
  if (error === null) return ok(`${name} answers, first token after ${first_token_ms} ms`);
  const words = provider_message ?? error.message;
  return warning(
    `${name} does not answer: ${words}`,
    'Check MODEL, MODEL_BASE_URL and MODEL_API_KEY. Until then answers are assembled without it.',
  );
}

async function checkEmbedder({ embedder }: Config): Promise<Finding> {
  if (embedder === null) return ok('No embedding model: search works without it');
  const open = openEmbedder(embedder);
  try {
    const [vector] = await open.embed(['hello'], { retries: 0 });
    return ok(`${open.name} answers with ${vector?.length} numbers`);
  } catch (error) {
    return warning(
      `${open.name} does not answer: ${(error as Error).message}`,
      'Check EMBEDDING_MODEL, EMBEDDING_BASE_URL and EMBEDDING_API_KEY.',
    );
  }
}

/** Writes, reads and deletes an object. */
async function checkObjectStore({ objectStore }: Config): Promise<Finding> {
  if (objectStore === null) return ok('No object store: DATA_DIR holds all files');
  const store = openObjectStore(objectStore);
  const key = `doctor-${randomBytes(8).toString('hex')}`;
  const content = randomBytes(1024);
  try {
    await store.put(key, content);
    const read = await store.get(key);
    if (read?.equals(content)) return ok(`${store.name} can be written and read`);
    return failure(
      `${store.name} returned another content than was written`,
      'Check the bucket and its proxy.',
    );
  } finally {
    await store.delete(key).catch(() => {});
  }
}

/** A server that does not run is no fault: the command is used before the first start as well. */
async function checkServer({ host, port }: Config): Promise<Finding> {
  const name = ['0.0.0.0', '::', ''].includes(host) ? '127.0.0.1' : host;
  const url = `http://${name.includes(':') ? `[${name}]` : name}:${port}/readyz`;
  const reply = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
  if (reply === null) return ok(`No server runs at port ${port}`);
  const isReady = reply.ok && (await reply.text()).includes('"ok":true');
  if (isReady) return ok(`The server at port ${port} is ready`);
  return warning(
    `What listens at port ${port} answers ${url} with ${reply.status}`,
    'Read its log, or choose another PORT.',
  );
}
