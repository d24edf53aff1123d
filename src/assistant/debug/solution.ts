import type { Sentence } from '#contract/common.ts';
import type { Hunk } from '#contract/projects.ts';
import { createSentence } from '#contract/sentence.ts';
import type { Investigation } from '#investigate/investigate.ts';
import { formatMessage, isMessageKey } from '#locales/format-message.ts';
import type { Language } from '#locales/languages.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { answerText } from '../answer/answer-text.ts';
import { abbreviateHash, citeCommit, citeLines } from '../answer/citations.ts';
import {
  escapeMarkdown,
  fencedBlock,
  formatCommit,
  formatFixOutcome,
  inlineCode,
} from '../answer/markdown.ts';

const MAX_PLACES = 3;
const MAX_PRECEDENTS = 2;
const MAX_HUNK_LINES = 24;
/** A suspect below this probability, by the fitted weights, is listed but not named as the cause. */
const MIN_SUSPECT_SCORE = 0.25;

/** Sentence that names the cause; null when the evidence is insufficient. */
export function describeCause(
  { places, suspects, confidence }: Investigation,
  { commits }: RepositoryIndex,
): Sentence | null {
  const [place] = places;
  const [suspect] = suspects;
  if (confidence.abstained || !place) return null;
  if (!suspect || suspect.score < MIN_SUSPECT_SCORE) {
    return createSentence('debug.cause.place_only', { path: place.path });
  }
  const params = {
    path: place.path,
    line: place.focus,
    hash: abbreviateHash(commits.oid(suspect.commit), commits),
    subject: commits.subject(suspect.commit),
  };
  const isFrame = place.source === 'frame' && suspect.blame?.path === place.path;
  if (isFrame)
    return createSentence(suspect.blame?.isExactLine ? 'debug.cause.line' : 'debug.cause.near', params);
  return createSentence(place.source === 'origin' ? 'debug.cause.message' : 'debug.cause.place', params);
}

interface SolutionContext {
  investigation: Investigation;
  index: RepositoryIndex;
  language: Language;
  /** Seconds since 1970. */
  now: number;
}

/**
 * Formats an investigation as markdown without a model: the fact first, then its source, then what to do. Every citation
 * comes from the evidence; repository text is escaped so that it cannot become markup.
 */
export function formatSolution(context: SolutionContext): string {
  const sections = [
    rootCauseSection(context),
    placesSection(context),
    suspectSection(context),
    precedentsSection(context),
    patchSection(context),
  ];
  return sections.filter((section) => section !== '').join('\n\n');
}

function rootCauseSection(context: SolutionContext): string {
  const { investigation, index } = context;
  const { places, origins, suspects, patch } = investigation;
  const title = `### ${answerText(context, 'debug.root_cause')}`;
  const cause = describeCause(investigation, index);
  if (!cause) {
    const key = places.length > 0 ? 'debug.no_cause_but_places' : 'debug.no_cause';
    return `${title}\n\n${answerText(context, key)}`;
  }
  const [place] = places;
  const [suspect] = suspects;
  const isNamed = suspect !== undefined && suspect.score >= MIN_SUSPECT_SCORE;
  const source = isNamed ? cite(suspect.commit, index) : citePlace(context, place!);
  const next =
    patch !== null
      ? answerText(context, 'debug.check_patch')
      : answerText(context, 'debug.read_next', { source });
  return `${title}\n\n${formatReason(cause, context)} ${citeEvidence(context, [place, origins[0], suspect])}\n\n${next}`;
}

function placesSection(context: SolutionContext): string {
  const { investigation, index } = context;
  const items = investigation.places.slice(0, MAX_PLACES).map((place) => {
    const cited = citePlace(context, place);
    const where = place.symbol
      ? answerText(context, 'place_in_symbol', { place: cited, symbol: inlineCode(place.symbol) })
      : cited;
    return `- ${where}. ${formatReason(place.why, context)} ${citeEvidence(context, [place])}`;
  });
  for (const origin of investigation.origins.slice(0, 1)) {
    const [from, to] = origin.lines;
    const place = citeLines({ path: origin.path, from, to, commit: investigation.revision }, index.commits);
    items.push(
      `- ${answerText(context, 'debug.message_origin', { place })} ${citeEvidence(context, [origin])}`,
    );
  }
  return items.length > 0 ? `### ${answerText(context, 'debug.location')}\n\n${items.join('\n')}` : '';
}

function citePlace(
  { investigation, index }: SolutionContext,
  { file, path, start, end }: Investigation['places'][number],
): string {
  const last = index.code?.fileLines(file) ?? end;
  const lines = { path, from: start, to: Math.min(end, last), commit: investigation.revision };
  return citeLines(lines, index.commits);
}

function cite(commit: number, { commits }: RepositoryIndex): string {
  return citeCommit(commits.oid(commit), commits);
}

function suspectSection(context: SolutionContext): string {
  const { investigation, index } = context;
  const [first, ...others] = investigation.suspects;
  if (!first || investigation.confidence.abstained) return '';
  const reason = formatReason(first.why, context);
  const lines = [`${formatCommit(index, first.commit)}. ${reason} ${citeEvidence(context, [first])}`];
  if (first.hunk) lines.push('', fencedBlock('diff', hunkText(first.hunk)));
  const rest = others.slice(0, 2).map((other) => formatCommit(index, other.commit));
  if (rest.length > 0) {
    lines.push('', answerText(context, 'debug.less_likely', { commits: rest.join('; ') }));
  }
  return `### ${answerText(context, 'debug.suspect')}\n\n${lines.join('\n')}`;
}

function precedentsSection(context: SolutionContext): string {
  const { investigation, index } = context;
  const items = investigation.precedents.slice(0, MAX_PRECEDENTS).map((fix) => {
    const reason = formatReason(fix.why, context);
    const outcome = formatFixOutcome(fix.outcome, context);
    return `- ${formatCommit(index, fix.commit)}. ${reason} ${outcome} ${citeEvidence(context, [fix])}`;
  });
  return items.length > 0 ? `### ${answerText(context, 'debug.precedents')}\n\n${items.join('\n')}` : '';
}

function patchSection(context: SolutionContext): string {
  const { investigation, index } = context;
  const { patch, revision } = investigation;
  if (!patch) return '';
  const key = patch.kind === 'revert' ? 'debug.patch_revert' : 'debug.patch_restore';
  const params = { commit: cite(patch.commit, index), path: inlineCode(patch.path) };
  const applies = answerText(context, 'debug.patch_applies', {
    commit: citeCommit(revision, index.commits),
  });
  return [
    `### ${answerText(context, 'debug.recommended_fix')}`,
    `${answerText(context, key, params)} ${applies} ${citeEvidence(context, [patch])}`,
    fencedBlock('diff', patch.text.replace(/\n$/, '')),
  ].join('\n\n');
}

/** `[e1] [e4]`: the ids of the findings' evidence. */
function citeEvidence(
  { investigation: { evidenceOf } }: SolutionContext,
  findings: (object | undefined)[],
): string {
  return findings
    .flatMap((finding) => (finding && evidenceOf.has(finding) ? `[${evidenceOf.get(finding)}]` : []))
    .join(' ');
}

/** A sentence in the reader's language as markdown: repository text between backticks is code, the rest is escaped. */
function formatReason({ code, params, text }: Sentence, { index, language, now }: SolutionContext): string {
  const sentence = isMessageKey(code) ? formatMessage(language, code, params, now * 1000) : text;
  return sentence
    .split('`')
    .map((part, i) => (i % 2 === 0 ? escapeMarkdown(part) : formatRepositoryText(part, index)))
    .join('');
}

/** Code that would parse as a citation of an unknown commit stays plain text. */
function formatRepositoryText(text: string, index: RepositoryIndex): string {
  const isUnknownHash = /^[0-9a-f]{7,64}$/.test(text) && index.commits.find(text) < 0;
  return isUnknownHash ? escapeMarkdown(text) : inlineCode(text);
}

function hunkText(hunk: Hunk): string {
  const signs = { context: ' ', add: '+', delete: '-' };
  const lines = hunk.lines.map((line) => `${signs[line.kind]}${line.text}`);
  const first = Math.max(0, lines.findIndex((line) => !line.startsWith(' ')) - 3);
  return lines.slice(first, first + MAX_HUNK_LINES).join('\n');
}
