import type { Sentence } from '#contract/common.ts';
import type { FileDiff, Hunk } from '#contract/projects.ts';
import { createSentence } from '#contract/sentence.ts';
import { isFixCommit, revertedCommits } from '#evolution/fixes.ts';
import { isFormattingOnly, writePatch } from '#evolution/hunk-text.ts';
import { checkPatch } from '#git/apply.ts';
import { hasSameRuntimeTokensInProcess } from '#memory/chunk/parser-processes.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { LocatedError } from '../locate/locate.ts';
import type { SourceReader } from '../locate/source-reader.ts';
import type { RankedSuspect } from '../suspects/rank-suspects.ts';
import { findBreakage } from './check-change.ts';
import type { Precedent } from './find-precedents.ts';
import { type PatchPart, selfContainedPart } from './self-contained-part.ts';

/** A patch that applies to the indexed commit, leaves its files parsable, and uses only names that are defined. */
export interface VerifiedPatch {
  kind: 'restore' | 'revert';
  /** The commit whose change is restored or reverted. */
  commit: number;
  /** File of the failing line, or of the restored lines. */
  path: string;
  text: string;
  why: Sentence;
}

/** Larger patches cannot be reviewed at a glance. */
const MAX_CHANGED_LINES = 40;
const MAX_RESTORES = 2;
/** Maximum distance in lines between a reverted change and a failing line. */
const MAX_DISTANCE = 3;
/** Subjects of changes that must stay. */
const PROTECTED =
  /\bfix|\bsecur|vulnerab|\bCVE-|\bGHSA-|\bxss\b|\bcsrf\b|\bre?dos\b|injection|sanitiz|harden/i;

interface PatchInput {
  repo: string;
  index: RepositoryIndex;
  precedents: Precedent[];
  /** Commits that the answer accuses, best first. */
  accused: RankedSuspect[];
  diffs: Map<string, FileDiff[]>;
  sources: SourceReader;
  located: LocatedError;
  /** The statement that raised the error on purpose, which is no fault. */
  guard: object | null;
  signal?: AbortSignal;
}

interface PatchProposal {
  kind: 'restore' | 'revert';
  commit: number;
  /** The first holds the failing line, or the restored lines. */
  parts: PatchPart[];
}

/**
 * The first safe proposal: an earlier fix that was reverted, restored, or else an accused commit's change, reverted. It must
 * apply at the indexed commit, parse, define every name that it uses, undo no fix, and change more than types and comments.
 */
export async function findPatch(input: PatchInput): Promise<VerifiedPatch | null> {
  if (input.guard) return null;
  for (const proposal of [...(await proposeRestores(input)), ...proposeReverts(input)]) {
    const patch = (await isApplicable(proposal, input)) ? await verifyProposal(proposal, input) : null;
    if (patch) return patch;
  }
  return null;
}

/**
 * True when the files contain the lines that the patch expects, which spares running git, and its first part touches a
 * failing line: a change elsewhere in the file is unlikely to be the cause.
 */
async function isApplicable(
  { kind, parts }: PatchProposal,
  { sources, located }: PatchInput,
): Promise<boolean> {
  const addedKind = kind === 'revert' ? 'delete' : 'add';
  let isNear = kind === 'restore';
  for (const { path, hunks } of parts) {
    const lines = (await sources.lines(path)) ?? [];
    const failing = located.places.filter((place) => place.path === path).map(({ focus }) => focus - 1);
    for (const hunk of hunks) {
      const expected = hunk.lines.filter((line) => line.kind !== addedKind).map((line) => line.text);
      const start = lines.findIndex((_, from) =>
        expected.every((text, offset) => lines[from + offset] === text),
      );
      if (start === -1) return false;
      isNear ||= changedLineIndexes(hunk, start).some((at) =>
        failing.some((line) => Math.abs(line - at) <= MAX_DISTANCE),
      );
    }
  }
  return isNear;
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
  { kind, commit, parts }: PatchProposal,
  { repo, index, sources, signal }: PatchInput,
): Promise<VerifiedPatch | null> {
  if (parts.every(({ hunks }) => isFormattingOnly(hunks))) return null;
  const text = parts
    .map(({ path, hunks }) => writePatch(path, hunks, { reverse: kind === 'revert' }))
    .join('');
  const result = await checkPatch(repo, index.revision, text);
  if (!result.applies || index.code === null) return null;
  const repository = { code: index.code, lines: sources.lines };
  let changesProgram = false;
  for (const { path, content: after } of result.files) {
    const before = `${(await sources.lines(path))?.join('\n') ?? ''}`;
    if (await findBreakage({ path, before, after }, { repository, signal })) return null;
    changesProgram ||= !(await hasSameRuntimeTokensInProcess(path, before, after, { signal }));
  }
  if (!changesProgram) return null;
  const hash = index.commits.oid(commit).slice(0, 7);
  return {
    kind,
    commit,
    path: parts[0]!.path,
    text,
    why: createSentence(`debug.why.patch_${kind}`, { hash }),
  };
}

/** Proposes to restore fixes in located files that were reverted. */
async function proposeRestores(input: PatchInput): Promise<PatchProposal[]> {
  const { precedents, sources, located } = input;
  const proposals: PatchProposal[] = [];
  for (const { commit, path, hunk, outcome } of precedents.slice(0, MAX_RESTORES)) {
    if (!path || !hunk || outcome.state !== 'reverted') continue;
    if (!located.places.some((place) => place.path === path)) continue;
    const present = new Set((await sources.lines(path))?.map((line) => line.trim()));
    const added = hunk.lines.filter((line) => line.kind === 'add' && line.text.trim() !== '');
    if (!added.some((line) => !present.has(line.text.trim()))) continue;
    proposals.push(...toProposals('restore', commit, { path, hunk }, input));
  }
  return proposals;
}

/** Proposes to revert an accused commit that deleted or replaced lines: reverting pure additions would lose features. */
function proposeReverts(input: PatchInput): PatchProposal[] {
  const { accused, index } = input;
  return accused
    .slice(0, 1)
    .filter(({ hunk }) => hunk?.lines.some((line) => line.kind === 'delete'))
    .filter(({ commit }) => !isProtected(index, commit))
    .flatMap(({ commit, path, hunk }) =>
      path === null ? [] : toProposals('revert', commit, { path, hunk: hunk! }, input),
    );
}

/** True for a commit that fixes, secures or reverts something, which must not be undone. */
function isProtected(index: RepositoryIndex, commit: number): boolean {
  return (
    isFixCommit(index, commit) ||
    PROTECTED.test(index.commits.subject(commit)) ||
    revertedCommits(index.commits.message(commit)).length > 0
  );
}

function toProposals(
  kind: PatchProposal['kind'],
  commit: number,
  seed: { path: string; hunk: Hunk },
  { diffs, index }: PatchInput,
): PatchProposal[] {
  const parts = selfContainedPart(diffs.get(index.commits.oid(commit)) ?? [], seed);
  return parts && isSmall(parts) && !parts.some(({ path }) => needsQuoting(path))
    ? [{ kind, commit, parts }]
    : [];
}

function isSmall(parts: PatchPart[]): boolean {
  const lines = parts.flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines));
  return lines.filter((line) => line.kind !== 'context').length <= MAX_CHANGED_LINES;
}

/** True for paths that git quotes in patches, which are too rare to support. */
function needsQuoting(path: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: git quotes control characters
  return /["\\\x00-\x1f\x7f]/.test(path);
}
