import { terms } from '../tokens.ts';

/** Numbers of a toy vector. */
export const TOY_DIMENSIONS = 200;

/** Words that mean the same to the toy model. */
const SYNONYMS = new Map([
  ['precio', 'price'],
  ['rebaja', 'discount'],
]);

/** For tests: what a text means to a model that hashes words, and knows two of another language. */
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
