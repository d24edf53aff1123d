import { terms } from '../tokens.ts';

/** Dimensions of a toy vector. */
export const TOY_DIMENSIONS = 200;

/** Words with equal embeddings in the toy model. */
const SYNONYMS = new Map([
  ['precio', 'price'],
  ['rebaja', 'discount'],
]);

/** Embedding by a toy model that hashes words, for tests. */
export function toyVector(text: string, dimensions: number = TOY_DIMENSIONS): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const term of terms(text)) {
    let hash = 2_166_136_261;
    for (const character of SYNONYMS.get(term) ?? term) {
      hash = Math.imul(hash ^ character.codePointAt(0)!, 16_777_619);
    }
    vector[(hash >>> 0) % dimensions]! += 1;
  }
  return vector;
}
