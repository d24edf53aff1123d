import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import type { FileHistory } from '../lexical/workspace.ts';
import type { Signal } from './signal.ts';

const DAY = 86_400;
const HALF_LIFE_DAYS = 60;

/** Recency of the file's last change, halved every 60 days before the newest change: active code breaks more often. */
export const recency: Signal = ({ history }) => measureRecency(history);

const measureRecency = memoizeByIdentity((history: FileHistory) => {
  const newest = history.lastChange.reduce(
    (latest, time) => (Number.isNaN(time) ? latest : Math.max(latest, time)),
    Number.NEGATIVE_INFINITY,
  );
  return Float32Array.from(history.lastChange, (time) =>
    Number.isNaN(time) ? 0 : 2 ** ((time - newest) / DAY / HALF_LIFE_DAYS),
  );
});
