import type { SourceReader } from '#investigate/locate/source-reader.ts';
import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';

type Load<Value> = () => Promise<Value>;

/** A cache by the question that lasts for one answer, whose source reader identifies it: several of its readings ask for the same. */
export function cacheOfAnswer<Value>(): (
  sources: SourceReader,
  question: string,
  load: Load<Value>,
) => Promise<Value> {
  const valuesOf = memoizeByIdentity((_sources: SourceReader) => new Map<string, Promise<Value>>());
  return (sources, question, load) => {
    const values = valuesOf(sources);
    const value = values.get(question) ?? load();
    values.set(question, value);
    return value;
  };
}
