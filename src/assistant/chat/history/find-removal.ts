import { posix } from 'node:path';
import type { FileDiff } from '#contract/projects.ts';
import { isNonSource } from '#evolution/fixes.ts';
import { searchHistory } from '#search/changes/search-history.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { fileStem } from '../evidence/path-kinds.ts';
import { entitiesOf } from '../understand/entities.ts';
import type { Reading } from '../understand/reading.ts';
import { isSourceText } from '../understand/source-texts.ts';
import { findTopicCommits } from '../understand/topic-commits.ts';
import { sweepingFactor } from './commit-size.ts';
import { findGonePath, findGonePaths } from './gone-paths.ts';
import { historyTopic, namedTexts } from './history-topic.ts';
import { type TopicEvidence, TopicScorer } from './topic-scorer.ts';

/** A commit that removed what a question is about. */
export interface Removal {
  commit: number;
  /** Fit of the commit to the question, 0 to 1. */
  score: number;
  /** Paths on the topic that the commit deleted. */
  paths: string[];
  /** New path where the topic's file was only renamed. */
  renamedTo: string | null;
  /** Text on the topic whose last removal this is. */
  text: string | null;
}

interface Candidate extends Removal {
  evidence: TopicEvidence[];
  /** Deleted path that fits the topic best. */
  bestPath: TopicEvidence | null;
  isNamed: boolean;
  /** True for the deletion of a path that the question names without doubt. */
  isExact: boolean;
  /** True when all parts of a deleted file's name are words of the topic. */
  hasWholeName: boolean;
  /** Hunks with removed lines on the topic. */
  lines: number;
}

type Hunk = FileDiff['hunks'][number];

const REMOVAL_VERBS = [
  ...[
    'remove',
    'drop',
    'delete',
    'kill',
    'retire',
    'strip',
    'eliminate',
    'nuke',
    'rip',
    'purge',
    'discontinue',
  ],
  ...['replace', 'replaces', 'cleanup', 'prune', 'unsupport', 'obsolete', 'rid', 'switch', 'migrate', 'move'],
];
const REMOVAL_SUBJECT =
  /\b(?:remov\w*|drop\w*|delet\w*|kill\w*|retir\w*|strip\w*|eliminat\w*|nuke\w*|purg\w*|discontinu\w*|rid of|rip\w* out|clean\w* ?up|no longer|prune\w*|replac\w*|switch\w*|extract\w*|migrat\w*|unsupport\w*)\b/i;
const MAX_COMMITS = 40;
const MAX_TEXTS = 4;
const MAX_CHANGES = 12;
const MAX_WORD_CHANGES = 12;
const MAX_REMOVALS = 4;
/** Path strength by the part that covers the topic. */
const DELETED_PATH_STRENGTH = 0.95;
const REMOVED_LINE_STRENGTH = 0.85;
const VERB_BONUS = 1.12;
/** Fit of the deletion of a path that is named without doubt, whatever the other words. */
const EXACT_SCORE = 1.3;
const MIN_EXACT_MENTION = 0.95;
const NO_REMOVAL_FACTOR = 0.55;
const NAMED_BONUS = 1.25;
const WHOLE_NAME_BONUS = 1.15;
const RENAMED_FACTOR = 0.8;
/** The last of several removals is usually meant. */
const RECENCY_SHARE = 0.08;
/** Fit of a path below this share of the topic is accidental. */
const MIN_PATH_COVER = 0.3;

/** Finds the commits that removed what the question is about, best first. */
export async function findRemovals(reading: Reading, context: ToolContext): Promise<Removal[]> {
  const topic = historyTopic(reading);
  const scorer = new TopicScorer(topic, context);
  const candidates = new Candidates(scorer, context);
  collectPaths(reading, candidates, scorer, context);
  const { hunks, index } = context;
  for (const { commit } of findTopicCommits(topic, context, { verbs: REMOVAL_VERBS, limit: MAX_COMMITS }))
    candidates.add(commit);
  if (hunks) await collectChanges(reading, topic, candidates, context);
  return candidates
    .ranked()
    .filter(({ commit }) => index.commits.parents(commit).length < 2)
    .slice(0, MAX_REMOVALS);
}

/** Commits with what each removed of the topic. */
class Candidates {
  readonly #found = new Map<number, Candidate>();
  readonly #scorer: TopicScorer;
  readonly #context: ToolContext;

  constructor(scorer: TopicScorer, context: ToolContext) {
    this.#scorer = scorer;
    this.#context = context;
  }

  add(commit: number): Candidate {
    const known = this.#found.get(commit);
    if (known) return known;
    const created: Candidate = {
      ...{ commit, score: 0, paths: [], renamedTo: null, text: null },
      ...{ evidence: [], bestPath: null, isNamed: false, isExact: false, hasWholeName: false, lines: 0 },
    };
    this.#found.set(commit, created);
    return created;
  }

  ranked(): Removal[] {
    const all = [...this.#found.values()];
    for (const one of all) one.score = this.#score(one);
    all.sort((a, b) => b.score - a.score || a.commit - b.commit);
    for (const one of all) one.score = Math.min(1, one.score);
    return all;
  }

  #score(candidate: Candidate): number {
    return candidate.isExact ? Math.max(EXACT_SCORE, this.#fit(candidate)) : this.#fit(candidate);
  }

  #fit({ commit, evidence, bestPath, hasWholeName, isNamed, paths, lines, renamedTo }: Candidate): number {
    const { index } = this.#context;
    const covered = this.#scorer.coverCommit(commit, bestPath === null ? evidence : [...evidence, bestPath]);
    const hasVerb = REMOVAL_SUBJECT.test(index.commits.subject(commit));
    const removes = hasVerb || paths.length > 0 || lines > 0 || isNamed;
    const recency = 1 - commit / index.commits.count;
    const factor =
      (hasVerb ? VERB_BONUS : 1) *
      (isNamed ? NAMED_BONUS : hasWholeName ? WHOLE_NAME_BONUS : 1) *
      (removes ? 1 : NO_REMOVAL_FACTOR) *
      (renamedTo === null ? 1 : RENAMED_FACTOR) *
      (1 + RECENCY_SHARE * recency) *
      sweepingFactor(commit, index);
    return covered * factor;
  }
}

/** Deleted paths that the question names, or whose names fit it. */
function collectPaths(
  reading: Reading,
  candidates: Candidates,
  scorer: TopicScorer,
  context: ToolContext,
): void {
  const { index } = context;
  const named = [
    ...entitiesOf(reading.mentions, 'deleted_path').map(({ path }) => path),
    ...entitiesOf(reading.mentions, 'file').map(({ path }) => path),
    ...namedTexts(reading.question).flatMap(({ text }) => (text.includes('/') ? [text] : [])),
  ];
  const exact = new Set(
    reading.mentions.flatMap(({ entity, score }) =>
      entity.kind === 'deleted_path' && score >= MIN_EXACT_MENTION ? [entity.path] : [],
    ),
  );
  for (const path of new Set(named)) {
    const gone = findGonePath(path, index);
    if (!gone) continue;
    const candidate = candidates.add(gone.commit);
    candidate.isNamed = true;
    candidate.paths.push(path);
    candidate.renamedTo = gone.renamedTo;
    candidate.isExact = exact.has(path) && gone.renamedTo === null;
  }
  for (const gone of findGonePaths(scorer.words, index)) {
    const cover = scorer.cover([{ text: gone.path, strength: 1 }]);
    if (cover < MIN_PATH_COVER) continue;
    const candidate = candidates.add(gone.commit);
    const evidence = { text: gone.path, strength: pathStrength(gone.path, scorer) };
    const better =
      candidate.bestPath === null || scorer.cover([evidence]) > scorer.cover([candidate.bestPath]);
    if (better) candidate.bestPath = evidence;
    if (scorer.hasAllParts(fileStem(gone.path)) && !isNonSource(gone.path)) candidate.hasWholeName = true;
    if (named.some((path) => isAtPath(gone.path, path))) candidate.isNamed = true;
    if (gone.renamedTo === null) candidate.paths.push(gone.path);
    else candidate.renamedTo ??= gone.renamedTo;
  }
}

/** True for the path itself, one below it, and one that ends so. */
function isAtPath(path: string, named: string): boolean {
  return `/${path}/`.includes(`/${named.replace(/^\/+|\/+$/g, '')}/`);
}

/** Paths count by their name more than by the folders that many share. */
function pathStrength(path: string, scorer: TopicScorer): number {
  const byName = scorer.cover([{ text: posix.basename(path), strength: 1 }]);
  return byName > 0 && !isNonSource(path) ? DELETED_PATH_STRENGTH : REMOVED_LINE_STRENGTH;
}

/** Changes that removed the texts which the question names, or lines with its words. */
async function collectChanges(
  reading: Reading,
  topic: string,
  candidates: Candidates,
  context: ToolContext,
): Promise<void> {
  const { repo, index, hunks, signal } = context;
  const base = { directory: hunks!, repo, index, side: 'removed' as const, signal };
  const exact = { ...base, match: 'exact' as const, acceptsPath: isSourceText };
  const texts = [
    ...entitiesOf(reading.mentions, 'removed_name').map(({ name }) => name),
    ...namedTexts(reading.question).map(({ text }) => text),
  ];
  for (const text of [...new Set(texts)].slice(0, MAX_TEXTS)) {
    const found = await searchHistory({ ...exact, q: text, limit: MAX_CHANGES });
    const last = found.last_removed?.hash;
    for (const { hash, hunk, old_path: path } of found.changes) {
      const candidate = candidates.add(index.commits.find(hash));
      if (!hunk || !removesText(hunk, text)) continue;
      candidate.lines++;
      candidate.text ??= text;
      const strength = hash === last ? 1 : REMOVED_LINE_STRENGTH;
      candidate.evidence.push({ text: `${text}\n${removedLines(hunk)}`, strength });
      if (path) candidate.evidence.push({ text: path, strength: REMOVED_LINE_STRENGTH });
    }
  }
  if (topic.trim() === '') return;
  const found = await searchHistory({ ...base, q: topic, match: 'words', limit: MAX_WORD_CHANGES });
  for (const { hash, hunk } of found.changes) {
    if (!hunk?.lines.some(({ kind }) => kind === 'delete')) continue;
    const candidate = candidates.add(index.commits.find(hash));
    candidate.lines++;
    candidate.evidence.push({ text: removedLines(hunk), strength: REMOVED_LINE_STRENGTH });
  }
}

/** True when a hunk has the text on more removed than added lines. */
function removesText({ lines }: Hunk, text: string): boolean {
  const count = (kind: 'add' | 'delete') =>
    lines.filter((line) => line.kind === kind && line.text.includes(text)).length;
  return count('delete') > count('add');
}

function removedLines({ lines }: Hunk): string {
  const added = new Set(lines.filter(({ kind }) => kind === 'add').flatMap(({ text }) => text.split(/\W+/)));
  return lines
    .filter(({ kind }) => kind === 'delete')
    .flatMap(({ text }) => text.split(/[^\w-]+/))
    .filter((word) => !added.has(word))
    .join(' ');
}
