import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { openEmbedder } from '../src/assistant/models/embed.ts';
import { readConfig } from '../src/config.ts';
import type { RepositoryIndex } from '../src/memory/repository-index.ts';
import { embedPassages } from '../src/memory/vectors/embed-passages.ts';
import type { QueryEmbedding } from '../src/memory/vectors/passage-similarity.ts';
import { createVectorCache } from '../src/memory/vectors/vector-cache.ts';

/** Vectors in memory at once: those of one large project. */
const MAX_BYTES = 2 ** 32;

/**
 * Creates a function that embeds a text with the model of `EMBEDDING_MODEL`, after all passages of the index. Vectors are
 * stored in `folder`, one file per repository, so that every content is sent once. Throws when no model is configured.
 */
export function createQueryEmbedder(
  folder: string,
): (text: string, repo: string, index: RepositoryIndex) => Promise<QueryEmbedding> {
  const { embedder: settings } = readConfig();
  if (!settings) throw new Error('Set EMBEDDING_MODEL, as for the server.');
  const embedder = openEmbedder(settings);
  const vectorCache = createVectorCache({ maxBytes: MAX_BYTES, maxStaleMs: 0 });
  return async (text, repo, { code }) => {
    const name = createHash('sha256').update(`${embedder.name}\n${repo}`).digest('hex').slice(0, 16);
    const path = join(folder, name, 'vectors');
    const embed = (texts: string[]) => embedder.embed(texts);
    await embedPassages({ repo, code: code!, path, embed, keepAll: true });
    const [vector] = await embedder.embed([text]);
    const stored = await vectorCache.open(path);
    return { ...stored!, query: vector! };
  };
}
