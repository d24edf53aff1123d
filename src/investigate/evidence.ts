import type { ErrorKind, Evidence } from '#contract/debug.ts';
import type { Hunk } from '#contract/projects.ts';
import { createSentence } from '#contract/sentence.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { AccusedCommits } from './accused-commits.ts';
import type { ChangedLine } from './changed/find-changed-line.ts';
import type { VerifiedPatch } from './fixes/find-patch.ts';
import type { Precedent } from './fixes/find-precedents.ts';
import type { IntroducingCommit } from './history/introducing-commit.ts';
import type { LocatedPlace } from './locate/locate.ts';
import type { MessageOrigin } from './locate/message-origin.ts';
import type { PlacedFrame } from './locate/place-frames.ts';

interface Findings extends Pick<AccusedCommits, 'accused' | 'related'> {
  kind: ErrorKind;
  frames: PlacedFrame[];
  origins: MessageOrigin[];
  places: LocatedPlace[];
  precedents: Precedent[];
  introduction: IntroducingCommit | null;
  changed: ChangedLine | null;
  patch: VerifiedPatch | null;
}

const MAX_QUOTED_FRAMES = 5;
const MAX_QUOTED_HUNK_LINES = 12;

/** Numbers the findings as `e1`, `e2`, … in the order of the answer, each with a quote at a commit. */
export function collectEvidence(
  findings: Findings,
  index: RepositoryIndex,
): { evidence: Evidence[]; evidenceOf: Map<object, string> } {
  const evidence: Evidence[] = [];
  const evidenceOf = new Map<object, string>();
  const add = (finding: object, item: Omit<Evidence, 'id'>) => {
    const id = `e${evidence.length + 1}`;
    evidence.push({ id, ...item });
    evidenceOf.set(finding, id);
  };
  const { revision, commits } = index;

  for (const frame of findings.frames.slice(0, MAX_QUOTED_FRAMES)) {
    const { start, end } = frame.range ?? { start: frame.line, end: frame.line };
    const lines: [number, number] | undefined = start === null || end === null ? undefined : [start, end];
    add(frame, {
      kind: 'frame',
      path: frame.path,
      lines,
      commit: revision,
      quote: frame.quote,
      why: whyFrame(frame),
    });
  }
  for (const origin of findings.origins) {
    const { path, lines, quote } = origin;
    const why = createSentence('debug.why.origin', { path, percent: Math.round(100 * origin.share) });
    add(origin, { kind: 'origin', path, lines, commit: revision, quote, why });
  }
  for (const place of findings.places) {
    const { path, start, end, quote, why } = place;
    add(place, { kind: 'place', path, lines: [start, end], commit: revision, quote, why });
  }
  for (const [kind, list] of [
    ['suspect', findings.accused],
    ['related', findings.related],
    ['precedent', explainsHistory(findings.kind) ? findings.precedents : []],
  ] as const) {
    for (const finding of list) {
      const { commit, path, hunk, why } = finding;
      const quote = hunk ? quoteHunk(hunk) : commits.subject(commit);
      const lines: [number, number] | undefined = hunk ? hunkLines(hunk) : undefined;
      add(finding, { kind, path: path ?? undefined, lines, commit: commits.oid(commit), quote, why });
    }
  }
  const { introduction, changed, patch } = findings;
  if (changed) {
    const { path, commit, hunk, line, how } = changed;
    const why = createSentence(`debug.why.line_${how}`, { path, line });
    const quote = quoteHunk(hunk);
    add(changed, {
      kind: 'changed_since',
      path,
      lines: hunkLines(hunk),
      commit: commits.oid(commit),
      quote,
      why,
    });
  }
  if (introduction) {
    const quote = commits.subject(introduction.commit);
    add(introduction, {
      kind: 'introduced',
      path: introduction.path,
      commit: commits.oid(introduction.commit),
      quote,
      why: introduction.why,
    });
  }
  if (patch)
    add(patch, { kind: 'patch', path: patch.path, commit: revision, quote: patch.text, why: patch.why });
  return { evidence, evidenceOf };
}

/** True where earlier fixes are evidence: they say nothing about a guard, an environment or another program. */
export function explainsHistory(kind: ErrorKind): boolean {
  return kind === 'regression' || kind === 'usage';
}

function whyFrame({ frame, path, line, hasMoved: moved, depth, range }: PlacedFrame) {
  if (line === null)
    return createSentence(depth < 0 ? 'debug.why.named_file' : 'debug.why.frame_file', { path });
  if (range) {
    const params = { symbol: frame.symbol ?? path, path, printed: frame.line ?? range.start };
    return createSentence('debug.why.frame_in_function', { ...params, from: range.start, to: range.end });
  }
  if (moved) return createSentence('debug.why.frame_moved', { path, line, printed: frame.line ?? line });
  return frame.symbol
    ? createSentence('debug.why.frame_in', { symbol: frame.symbol, line, path })
    : createSentence('debug.why.frame', { line, path });
}

/** Lines of a hunk in the commit's own version of the file. */
function hunkLines({ new_start, new_lines }: Hunk): [number, number] {
  const start = Math.max(1, new_start);
  return [start, Math.max(start, new_start + new_lines - 1)];
}

/** Changed lines of a hunk with their signs. */
function quoteHunk(hunk: Hunk): string {
  return hunk.lines
    .filter((line) => line.kind !== 'context')
    .slice(0, MAX_QUOTED_HUNK_LINES)
    .map((line) => `${line.kind === 'add' ? '+' : '-'}${line.text}`)
    .join('\n');
}
