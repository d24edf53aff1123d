import type { Sentence } from '#contract/common.ts';
import type { FileDiff, Hunk } from '#contract/projects.ts';
import { createSentence } from '#contract/sentence.ts';
import { isFormattingOnly, writePatch } from '#evolution/hunk-text.ts';
import { checkPatch } from '#git/apply.ts';
import { hasSameRuntimeTokensInProcess, hasSyntaxErrorsInProcess } from '#memory/chunk/parser-processes.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { LocatedError } from '../locate/locate.ts';
import type { SourceReader } from '../locate/source-reader.ts';
import type { RankedSuspect } from '../suspects/rank-suspects.ts';
import type { Precedent } from './find-precedents.ts';

/** A patch that applies to the indexed commit and leaves the file parsable. */
export interface VerifiedPatch {
  kind: 'restore' | 'revert';
  /** The commit whose change is restored or reverted. */
  commit: number;
  path: string;
  text: string;
  why: Sentence;
}

/** Larger patches cannot be reviewed at a glance. */
const MAX_CHANGED_LINES = 40;
const MAX_PROPOSALS_PER_KIND = 2;
/** Maximum distance in lines between a reverted change and a failing line. */
const MAX_DISTANCE = 3;
/** Suspects with a lower probability are not reverted. */
const MIN_SUSPECT_SCORE = 0.3;

interface PatchInput {
  repo: string;
  index: RepositoryIndex;
  precedents: Precedent[];
  suspects: RankedSuspect[];
  diffs: Map<string, FileDiff[]>;
  sources: SourceReader;
  located: LocatedError;
  signal?: AbortSignal;
}

interface PatchProposal {
  kind: 'restore' | 'revert';
  commit: number;
  path: string;
  hunks: Hunk[];
}

/**
 * The first valid proposal: an earlier fix that is no longer in the code, restored, or else the suspect's change,
 * reverted. It must pass `git apply --check` at the indexed commit, parse, and change more than types and comments.
 */
export async function findPatch(input: PatchInput): Promise<VerifiedPatch | null> {
  for (const proposal of [...(await proposeRestores(input)), ...proposeReverts(input)]) {
    const patch = (await isApplicable(proposal, input)) ? await verifyProposal(proposal, input) : null;
    if (patch) return patch;
  }
  return null;
}

/**
 * True when the file contains the lines that the patch expects, which spares running git, and a revert would touch a
 * failing line: a change elsewhere in the file is unlikely to be the cause.
 */
async function isApplicable(
  { kind, path, hunks }: PatchProposal,
  { sources, located }: PatchInput,
): Promise<boolean> {
  const lines = (await sources.lines(path)) ?? [];
  const addedKind = kind === 'revert' ? 'delete' : 'add';
  const failing = located.places.filter((place) => place.path === path).map(({ focus }) => focus - 1);
  return hunks.every((hunk) => {
    const expected = hunk.lines.filter((line) => line.kind !== addedKind).map((line) => line.text);
    const start = lines.findIndex((_, from) =>
      expected.every((text, offset) => lines[from + offset] === text),
    );
    if (start === -1) return false;
    return (
      kind === 'restore' ||
      changedLineIndexes(hunk, start).some((at) =>
        failing.some((line) => Math.abs(line - at) <= MAX_DISTANCE),
      )
    );
  });
}

/** Indexes of a hunk's changed lines in a file that has its new side at `start`; of a deletion, the line after it. */
function changedLineIndexes(hunk: Hunk, start: number): number[] {
  let line = start;
  return hunk.lines.flatMap(({ kind }) => {
    const at = kind === 'context' ? [] : [line];
    if (kind !== 'delete') line += 1;
    return at;
  });
}

async function verifyProposal(
  { kind, commit, path, hunks }: PatchProposal,
  input: PatchInput,
): Promise<VerifiedPatch | null> {
  const text = writePatch(path, hunks, { reverse: kind === 'revert' });
  const result = await checkPatch(input.repo, input.index.revision, text);
  if (!result.applies) return null;
  const { signal } = input;
  const broken = await Promise.all(
    result.files.map((file) => hasSyntaxErrorsInProcess(file.path, file.content, { signal })),
  );
  if (broken.includes(true)) return null;
  const before = (await input.sources.lines(path))?.join('\n') ?? '';
  const after = result.files[0]?.content ?? '';
  if (isFormattingOnly(hunks) || (await hasSameRuntimeTokensInProcess(path, before, after, { signal })))
    return null;
  const hash = input.index.commits.oid(commit).slice(0, 7);
  return { kind, commit, path, text, why: createSentence(`debug.why.patch_${kind}`, { hash }) };
}

/** Proposes to restore fixes whose added lines are no longer in the file. */
async function proposeRestores({ precedents, sources }: PatchInput): Promise<PatchProposal[]> {
  const proposals: PatchProposal[] = [];
  for (const { commit, path, hunk } of precedents.slice(0, MAX_PROPOSALS_PER_KIND)) {
    if (!path || !hunk || !isSmall(hunk) || needsQuoting(path)) continue;
    const present = new Set((await sources.lines(path))?.map((line) => line.trim()));
    const added = hunk.lines.filter((line) => line.kind === 'add' && line.text.trim() !== '');
    if (added.length > 0 && added.some((line) => !present.has(line.text.trim()))) {
      proposals.push({ kind: 'restore', commit, path, hunks: [hunk] });
    }
  }
  return proposals;
}

/** Proposes to revert suspects that deleted or replaced lines: reverting pure additions would lose features. */
function proposeReverts({ suspects }: PatchInput): PatchProposal[] {
  return suspects
    .slice(0, MAX_PROPOSALS_PER_KIND)
    .filter(
      ({ score, hunk }) => score >= MIN_SUSPECT_SCORE && hunk?.lines.some((line) => line.kind === 'delete'),
    )
    .filter(({ path, hunk }) => path !== null && !needsQuoting(path) && isSmall(hunk!))
    .map(({ commit, path, hunk }) => ({ kind: 'revert', commit, path: path!, hunks: [hunk!] }));
}

function isSmall(hunk: Hunk): boolean {
  return hunk.lines.filter((line) => line.kind !== 'context').length <= MAX_CHANGED_LINES;
}

/** True for paths that git quotes in patches, which are too rare to support. */
function needsQuoting(path: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: git quotes control characters
  return /["\\\x00-\x1f\x7f]/.test(path);
}
