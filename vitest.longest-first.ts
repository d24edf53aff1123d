import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Returns a sequencer that starts the named files first, in this order, so that none of them goes on alone at the end. */
export function longestFirst(names: readonly string[]) {
  const rank = ({ moduleId }: TestSpecification) => {
    const at = names.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
    return at < 0 ? names.length : at;
  };
  return class LongestFirst extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
    }
  };
}
