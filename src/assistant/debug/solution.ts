import type { Sentence } from '#contract/common.ts';
import type { Hunk } from '#contract/projects.ts';
import type { Investigation } from '#investigate/investigate.ts';
import { say } from '#investigate/sentences.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { citeCommit, citeLines, shortHash } from '../citations.ts';
import { escapeMarkdown, fencedBlock, formatCommit, formatFixOutcome, inlineCode } from '../markdown.ts';

const MAX_PLACES = 3;
const MAX_PRECEDENTS = 2;
const MAX_HUNK_LINES = 24;
/** A suspect below this probability, as the fitted weights have it, is listed, but not named as the cause. */
const MIN_SUSPECT_SCORE = 0.25;

/** The cause in one sentence, or null when the evidence is too thin to name one. */
export function describeCause(
  { places, suspects, confidence }: Investigation,
  memory: RepositoryIndex,
): Sentence | null {
  const [place] = places;
  const [suspect] = suspects;
  if (confidence.abstained || !place) return null;
  if (!suspect || suspect.score < MIN_SUSPECT_SCORE)
    return say('debug.cause.place_only', { path: place.path });
  const { commits } = memory;
  const params = {
    path: place.path,
    line: place.focus,
    hash: shortHash(commits.oid(suspect.commit)),
    subject: commits.subject(suspect.commit),
  };
  const here = place.by === 'frame' && suspect.blamed?.path === place.path;
  if (here) return say(suspect.blamed?.exact ? 'debug.cause.line' : 'debug.cause.near', params);
  return say(place.by === 'origin' ? 'debug.cause.message' : 'debug.cause.place', params);
}

/**
 * Writes an investigation up in markdown without a model: first the fact, then its source, then what to do.
 * Every citation in it comes from the evidence; the repository's words are quoted so that they can't become markup.
 */
export function formatSolution(investigation: Investigation, memory: RepositoryIndex): string {
  const writer = { ...investigation, memory };
  const sections = [
    rootCauseSection(writer),
    placesSection(writer),
    suspectSection(writer),
    precedentsSection(writer),
    patchSection(writer),
    '*No language model was used: this is the evidence of the repository, put in order.*',
  ];
  return sections.filter((section) => section !== '').join('\n\n');
}

type SolutionContext = Investigation & { memory: RepositoryIndex };

function rootCauseSection(writer: SolutionContext): string {
  const cause = describeCause(writer, writer.memory);
  if (!cause) {
    const told = writer.places.length > 0 ? ' The places below are the nearest that was found.' : '';
    return `### Root cause\n\nThe evidence is too thin to name a cause.${told}`;
  }
  const [place] = writer.places;
  const [first] = writer.suspects;
  const source = citeEvidence(
    writer,
    [place, writer.origins[0], first].filter((finding) => finding !== undefined),
  );
  const next =
    writer.patch !== null
      ? 'Check the proposed fix below.'
      : first && first.score >= MIN_SUSPECT_SCORE
        ? `Read ${citeCommit(writer.memory.commits.oid(first.commit))} next.`
        : `Read ${citePlace(writer, place!)} next.`;
  return `### Root cause\n\n${proseOf(cause, writer)} ${source}\n\n${next}`;
}

function placesSection(writer: SolutionContext): string {
  const items = writer.places.slice(0, MAX_PLACES).map((place) => {
    const symbol = place.symbol ? ` in ${inlineCode(place.symbol)}` : '';
    return `- ${citePlace(writer, place)}${symbol}. ${proseOf(place.why, writer)} ${citeEvidence(writer, [place])}`;
  });
  for (const origin of writer.origins.slice(0, 1)) {
    const at = citeLines(origin.path, origin.lines[0], origin.lines[1], writer.revision);
    items.push(`- ${at} makes the message. ${citeEvidence(writer, [origin])}`);
  }
  return items.length > 0 ? `### Where\n\n${items.join('\n')}` : '';
}

function citePlace(
  { revision, memory }: SolutionContext,
  { file, path, start, end }: Investigation['places'][number],
): string {
  const last = memory.code?.fileLines(file) ?? end;
  return citeLines(path, start, Math.min(end, last), revision);
}

function suspectSection(writer: SolutionContext): string {
  const [first, ...others] = writer.suspects;
  if (!first || writer.confidence.abstained) return '';
  const lines = [
    `${formatCommit(writer.memory, first.commit)}. ${proseOf(first.why, writer)} ${citeEvidence(writer, [first])}`,
  ];
  if (first.hunk) lines.push('', fencedBlock('diff', hunkText(first.hunk)));
  const more = others.slice(0, 2).map((other) => `${formatCommit(writer.memory, other.commit)}`);
  if (more.length > 0) lines.push('', `Less likely: ${more.join('; ')}.`);
  return `### Suspect\n\n${lines.join('\n')}`;
}

function precedentsSection(writer: SolutionContext): string {
  const items = writer.precedents
    .slice(0, MAX_PRECEDENTS)
    .map(
      (fix) =>
        `- ${formatCommit(writer.memory, fix.commit)}. ${proseOf(fix.why, writer)} ${formatFixOutcome(fix.held)} ${citeEvidence(writer, [fix])}`,
    );
  return items.length > 0 ? `### Fixed before\n\n${items.join('\n')}` : '';
}

function patchSection(writer: SolutionContext): string {
  const { patch, memory, revision } = writer;
  if (!patch) return '';
  const hash = citeCommit(memory.commits.oid(patch.commit));
  const what =
    patch.kind === 'revert'
      ? `A proposal: take back what ${hash} changed in ${inlineCode(patch.path)}.`
      : `A proposal: make the change of ${hash} in ${inlineCode(patch.path)} again; it is no longer in the code.`;
  const checked = `It applies to ${citeCommit(revision)}; whether it is right, only you can say. ${citeEvidence(writer, [patch])}`;
  return `### Recommended fix\n\n${what} ${checked}\n\n${fencedBlock('diff', patch.text.replace(/\n$/, ''))}`;
}

/** `[e1] [e4]`: the numbers of the findings. */
function citeEvidence({ evidenceOf }: SolutionContext, findings: object[]): string {
  return findings
    .flatMap((finding) => (evidenceOf.has(finding) ? `[${evidenceOf.get(finding)}]` : []))
    .join(' ');
}

/** A sentence as markdown: what stands between backticks is set as code, the rest can't become markup. */
function proseOf({ text }: Sentence, { memory }: SolutionContext): string {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 0 ? escapeMarkdown(part) : repositoryWord(part, memory)))
    .join('');
}

/** Code that would read as a citation but names nothing stays text. */
function repositoryWord(text: string, memory: RepositoryIndex): string {
  const hash = /^[0-9a-f]{7,64}$/.test(text) && memory.commits.find(text) < 0;
  return hash ? escapeMarkdown(text) : inlineCode(text);
}

function hunkText(hunk: Hunk): string {
  const signs = { context: ' ', add: '+', delete: '-' };
  const lines = hunk.lines.map((line) => `${signs[line.kind]}${line.text}`);
  const first = Math.max(0, lines.findIndex((line) => !line.startsWith(' ')) - 3);
  return lines.slice(first, first + MAX_HUNK_LINES).join('\n');
}
