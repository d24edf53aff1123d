import { quantize } from '../src/memory/vectors/quantized-vectors.ts';
import { randomNumbers } from './random.ts';
import { openLanceVectors } from './rivals/lancedb.ts';
import { BEST } from './rivals/rival.ts';
import { openSqliteVec } from './rivals/sqlite-vec.ts';
import { ms, type Row, type Subject } from './speed-row.ts';
import { percentile, timeEach } from './speed-timing.ts';
import { DIMENSIONS } from './vectors/dimensions.ts';

const VECTORS = 20_000;

/** The ten nearest of many random vectors of length 1, all of them compared. */
export async function vectorRows({ rounds, queries }: Subject): Promise<Row[]> {
  const random = randomNumbers(1);
  const vectors = Array.from({ length: VECTORS }, () => unitVector(random));
  const queryVectors = Array.from({ length: queries }, () => unitVector(random));
  const all = new Float32Array(VECTORS * DIMENSIONS);
  for (const [index, vector] of vectors.entries()) all.set(vector, index * DIMENSIONS);
  const quantized = quantize(all, DIMENSIONS);
  const median = async (run: (vector: Float32Array) => unknown) =>
    percentile(await timeEach(queryVectors, rounds, run), 0.5);
  const ours = await median((vector) => largest(quantized.products(vector)));
  const rows: Row[] = [];
  for (const [name, open, maxRatio] of [
    ['sqlite-vec', openSqliteVec, 0.1],
    ['LanceDB', openLanceVectors, 1],
  ] as const) {
    const rival = await open(vectors).catch(() => null);
    if (rival === null) {
      console.error(`${name} is not installed: npm ci --prefix bench`);
      continue;
    }
    const theirs = await median(rival.nearest);
    await rival.close?.();
    rows.push({
      what: 'vectors, exact, median',
      repository: `${VECTORS} × ${DIMENSIONS}`,
      ours: ms(ours),
      rival: `${name} ${ms(theirs)}`,
      ratio: ours / theirs,
      goal: `≤ ${maxRatio}`,
      met: ours / theirs <= maxRatio,
    });
  }
  return rows;
}

/** Places of the largest products. */
function largest(products: Float32Array): number[] {
  const best: number[] = [];
  for (let index = 0; index < products.length; index++) {
    if (best.length === BEST && products[index]! <= products[best.at(-1)!]!) continue;
    let place = best.length;
    while (place > 0 && products[best[place - 1]!]! < products[index]!) place--;
    best.splice(place, 0, index);
    if (best.length > BEST) best.pop();
  }
  return best;
}

function unitVector(random: () => number): Float32Array {
  const vector = Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
