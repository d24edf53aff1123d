import { readFileSync } from 'node:fs';
import type { Citation } from '../src/assistant/answer/citations.ts';
import type { Intent } from '../src/assistant/chat/understand/reading.ts';

/**
 * Contents of a correct answer. A citation is a hash, a path or `path:line`, which a cited range of lines must include.
 * All of `cites` and `says`, one of `…_any`, and `least` of `…_some` are required; one of `cites_early` is among the first
 * places or commits that are cited.
 */
interface Expectation {
  cites?: string[];
  cites_any?: string[];
  cites_some?: { least: number; of: string[] };
  cites_early?: string[];
  says?: string[];
  says_any?: string[];
  says_some?: { least: number; of: string[] };
}

/** A question in one wording. */
export interface Question {
  id: string;
  repository: string;
  revision: string;
  /** Kind of the question; empty in sets that name none. */
  kind: string;
  /** Name of the wording: its writer's role or its language. */
  wording: string;
  text: string;
  /** Null when the repository cannot answer it: a correct answer declines. */
  expect: Expectation | null;
}

/** Intent of each kind of fact. */
export const INTENT_OF_KIND: Readonly<Record<string, Intent>> = {
  where_defined: 'definition',
  callers: 'callers',
  what_does: 'explanation',
  who: 'who',
  when_introduced: 'introduced',
  when_removed: 'removed',
  why: 'why',
  what_commit_did: 'commit',
  changes_between: 'changes',
  fixed_or_added_in_range: 'fixed_in_range',
  co_change: 'co_change',
  hotspots: 'hotspots',
  how_fixed_before: 'earlier_fixes',
  tried_before: 'attempts',
  tests: 'tests',
  feature_files: 'feature_files',
  dependency_use: 'dependency_use',
  config_default: 'configuration',
  how_to: 'how_to',
  overview: 'overview',
};

/** A line of `questions/*.jsonl`: a fact with its wordings, or one question. */
interface Line {
  id?: string;
  repository: string;
  revision: string;
  kind?: string;
  question?: string;
  questions?: Record<string, string>;
  expect?: Expectation;
}

/** Reads a set of `questions/`. */
export function readQuestions(set: string): Question[] {
  const file = new URL(`./questions/${set}.jsonl`, import.meta.url);
  const lines: Line[] = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return lines.flatMap(
    ({ id, repository, revision, kind = '', question, questions, expect = null }, number) =>
      Object.entries(questions ?? { '': question! }).map(([wording, text]) => {
        return { id: id ?? `${set}-${number + 1}`, repository, revision, kind, wording, text, expect };
      }),
  );
}

/** Missing parts of an answer as text; null when it is correct. */
export function findMissing(expect: Expectation, answer: string, citations: Citation[]): string | null {
  const isCited = (expected: string) => citations.some((citation) => isExpectedCitation(citation, expected));
  const early = earlyCitations(citations);
  const isEarly = (expected: string) => early.some((citation) => isExpectedCitation(citation, expected));
  const isSaid = (text: string) => answer.toLowerCase().includes(text.toLowerCase());
  return (
    missingParts('cites', [expect.cites, expect.cites_any, expect.cites_some], isCited) ??
    missingParts('cites early', [[], expect.cites_early], isEarly) ??
    missingParts('says', [expect.says, expect.says_any, expect.says_some], isSaid)
  );
}

/** Places, and commits, that a person looks at before giving up. */
const EARLY_CITATIONS = 3;

/** The first places and the first commits that an answer cites, each once. */
function earlyCitations(citations: Citation[]): Citation[] {
  const unique = [...new Map(citations.map((citation) => [JSON.stringify(citation), citation])).values()];
  const kinds = Map.groupBy(unique, ({ kind }) => kind);
  return [...kinds.values()].flatMap((group) => group.slice(0, EARLY_CITATIONS));
}

function missingParts(
  verb: string,
  [all = [], any = [], some]: [string[]?, string[]?, { least: number; of: string[] }?],
  has: (expected: string) => boolean,
): string | null {
  const lacking = all.filter((expected) => !has(expected));
  if (lacking.length > 0) return `${verb} not ${lacking.join(', ')}`;
  if (any.length > 0 && !any.some(has)) return `${verb} none of ${any.join(', ')}`;
  const found = some?.of.filter(has).length ?? 0;
  return some && found < some.least ? `${verb} ${found} of ${some.least} from ${some.of.join(', ')}` : null;
}

function isExpectedCitation(citation: Citation, expected: string): boolean {
  if (citation.kind === 'commit') return expected.startsWith(citation.hash);
  if (citation.kind === 'issue') return expected === `#${citation.number}`;
  const [path, line] = expected.split(':');
  if (citation.path !== path) return false;
  return line === undefined || (citation.from <= Number(line) && Number(line) <= citation.to);
}
