import type { Sentence } from '#contract/common.ts';
import type { Hunk } from '#contract/projects.ts';
import type { Investigation } from '#investigate/investigate.ts';
import { isForeign } from '#investigate/kind/match-project.ts';
import { formatMessage, isMessageKey } from '#locales/format-message.ts';
import type { Language } from '#locales/languages.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { answerText } from '../answer/answer-text.ts';
import { citeCommit, citeLines } from '../answer/citations.ts';
import {
  escapeMarkdown,
  fencedBlock,
  formatCommit,
  formatFixOutcome,
  inlineCode,
} from '../answer/markdown.ts';
import { describeCause, formatFrame } from './describe-cause.ts';
import { suspectHunk } from './hunk-at-line.ts';

const MAX_PLACES = 3;
const MAX_RELATED = 2;
const MAX_PRECEDENTS = 2;
const MAX_HUNK_LINES = 24;
/** An investigation with the language and the time of its answer. */
export interface SolutionContext {
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
  const sections = [rootCauseSection(context), ...evidenceSections(context), fixSection(context)];
  return sections.filter((section) => section !== '').join('\n\n');
}

function rootCauseSection(context: SolutionContext): string {
  const { investigation, index } = context;
  const { places, origins } = investigation;
  const title = `### ${answerText(context, 'debug.root_cause')}`;
  const cause = describeCause(investigation, index);
  if (!cause) {
    const { match } = investigation;
    const key =
      investigation.kind === 'foreign'
        ? 'debug.not_here'
        : places.length > 0 && !isForeign(match)
          ? 'debug.no_cause_but_places'
          : 'debug.no_cause';
    return `${title}\n\n${answerText(context, key)}`;
  }
  const findings = investigation.changed
    ? [investigation.changed]
    : /\.(?:caller_failed|\w+_unclear)$/.test(cause.code)
      ? []
      : [places[0], origins[0], investigation.accused[0]];
  const headline = `${formatReason(cause, context)} ${citeEvidence(context, findings)}`.trim();
  return [
    ...[title, headline, ...changeParagraphs(context)],
    ...[...guardParagraphs(context), ...environmentParagraphs(context)],
  ].join('\n\n');
}

/** The newer commit's change around the failing line. */
function changeParagraphs({ investigation, index }: SolutionContext): string[] {
  const { changed } = investigation;
  if (!changed) return [];
  return [`${formatCommit(index, changed.commit)}:`, fencedBlock('diff', hunkText(changed.hunk))];
}

/** The guard's code, the call that led to it, and the commit that last changed it. */
function guardParagraphs(context: SolutionContext): string[] {
  const { investigation, index } = context;
  const { kind, guard, guardCommit, revision } = investigation;
  if (!guard || kind !== 'guard') return [];
  const { path, start, end, quote, caller } = guard;
  const place = citeLines({ path, from: start, to: end, commit: revision }, index.commits);
  const sentences: string[] = [];
  if (caller) {
    const params = { caller: inlineCode(formatFrame(caller)) };
    const code = caller.frame.text;
    sentences.push(
      code
        ? answerText(context, 'debug.called_from_code', { ...params, code: inlineCode(code) })
        : answerText(context, 'debug.called_from', params),
    );
  }
  if (guardCommit !== null)
    sentences.push(answerText(context, 'debug.guard_commit', { commit: formatCommit(index, guardCommit) }));
  return [`${place}:`, fencedBlock('', quote), sentences.join(' ')].filter((text) => text !== '');
}

/** Facts of the environment beside what the project requires. */
function environmentParagraphs(context: SolutionContext): string[] {
  const { kind, environment } = context.investigation;
  const facts = kind === 'environment' ? environment.facts : [];
  const items = facts.map(({ fact, found, required, source }) => {
    const params = { fact: answerText(context, `debug.fact.${fact}`), found: inlineCode(found) };
    if (required === null) return `- ${answerText(context, 'debug.fact_found', params)}`;
    const requirement = { required: inlineCode(required), source: inlineCode(source ?? '') };
    return `- ${answerText(context, 'debug.fact_required', { ...params, ...requirement })}`;
  });
  return items.length > 0 ? [items.join('\n')] : [];
}

/** Evidence by the kind of the error: history is shown for defects only. */
function evidenceSections(context: SolutionContext): string[] {
  const { kind, match } = context.investigation;
  if (kind === 'regression')
    return [
      placesSection(context),
      suspectSection(context),
      relatedSection(context),
      precedentsSection(context),
    ];
  const hasPlaces = kind === 'usage' || (kind === 'vague' && !isForeign(match));
  return hasPlaces ? [placesSection(context)] : [];
}

/** The recommended fix: a patch, or the next step, which refers to the evidence above it. */
function fixSection(context: SolutionContext): string {
  const { patch } = context.investigation;
  const next = patch ? '' : nextStep(context);
  if (next !== '') return `### ${answerText(context, 'debug.recommended_fix')}\n\n${next}`;
  return patchSection(context);
}

function nextStep(context: SolutionContext): string {
  const { investigation, index } = context;
  const { kind, caller, environment, changed } = investigation;
  if (changed) return answerText(context, 'debug.fix_update', { commit: cite(changed.commit, index) });
  if (kind === 'guard') return answerText(context, 'debug.fix_call');
  if (kind === 'environment') {
    const required = environment.outdated?.required;
    return required
      ? answerText(context, 'debug.fix_runtime', { required: inlineCode(required) })
      : answerText(context, 'debug.fix_environment');
  }
  if (kind === 'usage') {
    const { callingFrame, failedAt } = caller;
    if (failedAt)
      return answerText(context, 'debug.fix_outside', { place: inlineCode(formatFrame(failedAt)) });
    return callingFrame
      ? answerText(context, 'debug.fix_caller', { caller: inlineCode(formatFrame(callingFrame)) })
      : answerText(context, 'debug.fix_caller_unknown');
  }
  const [suspect] = investigation.accused;
  return suspect ? answerText(context, 'debug.review_suspect', { commit: cite(suspect.commit, index) }) : '';
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
  const [first, ...others] = investigation.accused;
  if (!first) return '';
  const reason = formatReason(first.why, context);
  const lines = [`${formatCommit(index, first.commit)}. ${reason} ${citeEvidence(context, [first])}`];
  // A patch that reverts the hunk shows the same lines.
  const hunk = suspectHunk(first);
  if (hunk && investigation.patch?.commit !== first.commit)
    lines.push('', fencedBlock('diff', hunkText(hunk)));
  const rest = others.slice(0, 2).map((other) => formatCommit(index, other.commit));
  if (rest.length > 0) {
    lines.push('', answerText(context, 'debug.less_likely', { commits: rest.join('; ') }));
  }
  return `### ${answerText(context, 'debug.suspect')}\n\n${lines.join('\n')}`;
}

/** Commits that changed the place, stated as facts: none of them is accused. */
function relatedSection(context: SolutionContext): string {
  const { investigation, index } = context;
  const items = investigation.related.slice(0, MAX_RELATED).map((one) => {
    const reason = formatReason(one.why, context);
    return `- ${formatCommit(index, one.commit)}. ${reason} ${citeEvidence(context, [one])}`;
  });
  return items.length > 0 ? `### ${answerText(context, 'debug.related')}\n\n${items.join('\n')}` : '';
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

/** Lines of a hunk as in a patch, from shortly before the first change. */
export function hunkText(hunk: Hunk): string {
  const signs = { context: ' ', add: '+', delete: '-' };
  const lines = hunk.lines.map((line) => `${signs[line.kind]}${line.text}`);
  const first = Math.max(0, lines.findIndex((line) => !line.startsWith(' ')) - 3);
  return lines.slice(first, first + MAX_HUNK_LINES).join('\n');
}
