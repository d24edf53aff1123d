import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { openEmbedder } from '../src/assistant/models/embed.ts';
import { readConfig } from '../src/config.ts';
import type { RepositoryIndex } from '../src/memory/repository-index.ts';
import { embedPassages } from '../src/memory/vectors/embed-passages.ts';
import type { QueryEmbedding } from '../src/memory/vectors/passage-similarity.ts';
import { createVectorCache } from '../src/memory/vectors/vector-cache.ts';

/** Vectors that are kept in memory: those of one large project. */
const MAX_BYTES = 2 ** 32;

/**
 * What texts mean to the model that `EMBEDDING_MODEL` and its companions name, beside the passages of a memory. All of these are
 * embedded first; vectors are kept in `folder`, a file a repository, so that every content is sent once for all instances.
 * Throws when no model is named.
 */
export function meaningsIn(
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
