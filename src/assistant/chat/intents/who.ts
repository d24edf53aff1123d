import { isBot } from '#evolution/authors.ts';
import { answerText, moreItem } from '../../answer/answer-text.ts';
import { escapeMarkdown, formatCommit } from '../../answer/markdown.ts';
import { quoteMessageBody } from '../../answer/quote-body.ts';
import { formatOrigin } from '../../tools/code-origin.ts';
import { commitsTouching } from '../../tools/file-commits.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { type Author, type Authorship, measureAuthorship } from '../history/authorship.ts';
import { findIntroductions } from '../history/find-introduction.ts';
import { datedSentence, formatBackground, formatCandidates, subjectName } from '../history/format-history.ts';
import { historyTopic } from '../history/history-topic.ts';
import { findLastChange } from '../history/last-change.ts';
import { findMainRange } from '../history/main-range.ts';
import { readPeople } from '../history/people.ts';
import { findWhoSubject, type WhoSubject } from '../history/who-subject.ts';
import type { Reading } from '../understand/reading.ts';
import { topicWords } from '../understand/topic-words.ts';
import type { IntentAnswer } from './intent.ts';

const MAX_AUTHORS = 5;
const MAX_CANDIDATES = 2;
const CLOSE_SHARE = 0.85;
const MIN_SCORE = 0.15;
const LAST =
  /\b(?:last|latest|most recent(?:ly)?|newest|recently)\b|(?<!\p{L})(?:últim[oa]s?|reciente(?:mente)?|derni(?:er|ère)s?|récemment|zuletzt|letzte[nrs]?|letzten|kürzlich)(?!\p{L})/iu;
const FIRST =
  /\b(?:first|original(?:ly)?|initial(?:ly)?|introduc\w*|came up with|creat\w*|start\w*|began|contribut\w*|add(?:ed|s)?|invent\w*|brought|author of the (?:flag|option|commit|change))\b|(?<!\p{L})(?:primer[oa]?|original\w*|añadi\w*|cre[óo]|aport[óo]|introdu\w*|premi(?:er|ère)|au départ|à l['’]origine|au début|al principio|inicialmente|anfangs|am anfang|ajout\w*|créé\w*|apport\w*|zuerst|erste[nrs]?|ursprünglich\w*|hinzugefügt|eingeführt|beigesteuert)(?!\p{L})/iu;
const MAIN =
  /\b(?:main(?:ly)?|most(?:ly)?|majority|responsible|knows?|knowledgeable|expert|review\w*|ask|ping|maintain\w*|owner|owns|current|today|present|now|contributors?)\b|(?<!\p{L})(?:principal\w*|mayor\w*|responsable|actual|sabe|conoce|revis\w*|pregunt\w*|mieux|adresser|actuelle?|hauptsächlich|großteil|kennt|heutige\w*|verantwortlich|fragen)(?!\p{L})/iu;

/** Tells who changed something last, who added it, or who knows it best; of the project without a subject. */
export async function answerWho(reading: Reading, context: ToolContext): Promise<IntentAnswer | null> {
  const mode = modeOf(reading.question);
  if (mode === 'first') {
    const answer = await answerFirst(reading, context);
    if (answer) return answer;
  }
  const subject = await findWhoSubject(reading, context);
  if (!subject) return reading.mentions.length > 0 || hasTopic(reading) ? null : answerProject(context);
  return mode === 'last' ? await answerLast(subject, reading, context) : await answerMain(subject, context);
}

function modeOf(question: string): 'first' | 'last' | 'main' {
  if (MAIN.test(question) && !FIRST.test(question) && !/\blast\b/i.test(question)) return 'main';
  if (LAST.test(question)) return 'last';
  return FIRST.test(question) ? 'first' : 'main';
}

function hasTopic(reading: Reading): boolean {
  return topicWords(historyTopic(reading)).some(({ weight }) => weight === 1);
}

/** First commit of a file that the question names, with the file that it was split off. */
async function answerFirstOfFile(reading: Reading, context: ToolContext): Promise<IntentAnswer | null> {
  const range = findMainRange(reading, context);
  const first = range && range.lines === null ? commitsTouching(range.path, context).at(-1) : undefined;
  if (!range || first === undefined) return null;
  const { name, path, score } = range;
  const parts = [
    datedSentence('who.first_change', first, { name }, context),
    await formatOrigin(path, context),
    ...(await formatBackground(first, reading, context)),
  ];
  return {
    text: parts.filter((part) => part !== '').join('\n\n'),
    evidence: score,
    understood: { key: 'who_added', params: { name } },
  };
}

async function answerFirst(reading: Reading, context: ToolContext): Promise<IntentAnswer | null> {
  const ofFile = await answerFirstOfFile(reading, context);
  if (ofFile) return ofFile;
  const [best, ...others] = await findIntroductions(reading, context);
  if (!best || best.score < MIN_SCORE) return null;
  const name = subjectName(reading);
  const close = others.filter(({ score }) => score >= best.score * CLOSE_SHARE).map(({ commit }) => commit);
  const parts = [
    datedSentence('who.first_change', best.commit, { name }, context),
    ...(await formatBackground(best.commit, reading, context)),
    best.path === null || best.text !== null ? '' : await formatOrigin(best.path, context),
    ...formatCandidates(close.slice(0, MAX_CANDIDATES), context),
  ];
  return {
    text: parts.filter((part) => part !== '').join('\n\n'),
    evidence: best.score,
    understood: { key: 'who_added', params: { name } },
  };
}

async function answerLast(
  subject: WhoSubject,
  reading: Reading,
  context: ToolContext,
): Promise<IntentAnswer | null> {
  const { commit, skipped } = await findLastChange(subject, context);
  if (commit === null) return null;
  const { name, score } = subject;
  const parts = [
    datedSentence('who.last_change', commit, { name }, context),
    ...(await formatBackground(commit, reading, context)),
    skipped === null
      ? ''
      : answerText(context, 'who.skipped', { commit: formatCommit(context.index, skipped) }),
  ];
  return {
    text: parts.filter((part) => part !== '').join('\n\n'),
    evidence: score,
    understood: { key: 'who_last', params: { name } },
  };
}

async function answerMain(subject: WhoSubject, context: ToolContext): Promise<IntentAnswer | null> {
  const { name, score } = subject;
  const authorship = await measureAuthorship(subject, context);
  const [first] = authorship.authors;
  if (!first) return null;
  const parts = [
    answerText(context, 'who.knows', { author: escapeMarkdown(first.name), name }),
    formatAuthors(authorship.authors, context),
    ...(await formatCommits(authorship, subject, context)),
    ...formatSkipped(authorship, context),
  ];
  return {
    text: parts.filter((part) => part !== '').join('\n\n'),
    evidence: score,
    understood: { key: 'who', params: { name } },
  };
}

/** The commit of most of the first author's lines with its reason, the first, and the last one. */
async function formatCommits(
  { authors, mainCommit, commits }: Authorship,
  { name, paths, lines }: WhoSubject,
  context: ToolContext,
): Promise<string[]> {
  const { index } = context;
  const parts: string[] = [];
  if (mainCommit !== null && authors[0]) {
    const body = quoteMessageBody(index.commits.message(mainCommit));
    const params = { author: escapeMarkdown(authors[0].name), commit: formatCommit(index, mainCommit) };
    parts.push(`${answerText(context, 'who.main_commit', params)}${body === '' ? '' : `\n\n${body}`}`);
  }
  const touching = lines ? commits : commitsTouching(paths[0]!, context);
  const first = touching.at(-1);
  if (first !== undefined && lines === null && paths.length === 1)
    parts.push(datedSentence('who.first_change', first, { name }, context));
  const { commit: last } = await findLastChange({ paths, lines }, context);
  if (last !== null && last !== first) parts.push(datedSentence('who.last_change', last, { name }, context));
  return parts;
}

function formatSkipped({ skipped, bots }: Authorship, context: ToolContext): string[] {
  const parts: string[] = [];
  if (skipped !== null)
    parts.push(answerText(context, 'who.skipped', { commit: formatCommit(context.index, skipped) }));
  if (bots.length > 0)
    parts.push(answerText(context, 'who.bots', { names: bots.map(escapeMarkdown).join(', ') }));
  return parts;
}

function formatAuthors(authors: Author[], context: ToolContext): string {
  const items = authors.slice(0, MAX_AUTHORS).map(({ name, lines, commits }) => {
    const count = answerText(context, 'commits', { count: commits });
    const own =
      lines === 0
        ? count
        : answerText(context, 'who.lines_and_commits', {
            lines: answerText(context, 'lines', { count: lines }),
            commits: count,
          });
    return `- **${escapeMarkdown(name)}**: ${own}`;
  });
  return [...items, ...moreItem(context, authors.length - items.length)].join('\n');
}

/** Authors of the whole project by their commits. */
async function answerProject(context: ToolContext): Promise<IntentAnswer | null> {
  const { index } = context;
  const { count } = index.commits;
  if (count === 0) return null;
  const people = await readPeople(context);
  const counts = new Map<string, Author>();
  for (let commit = 0; commit < count; commit++) {
    const name = people.authorOf(commit);
    const author = counts.get(name) ?? { name, lines: 0, commits: 0, share: 0 };
    counts.set(name, author);
    author.commits++;
  }
  const ranked = [...counts.values()].sort((a, b) => b.commits - a.commits);
  const bots = ranked.filter(({ name }) => isBot(name)).map(({ name }) => name);
  const text = [
    answerText(context, 'who.project', { count }),
    formatAuthors(
      ranked.filter(({ name }) => !isBot(name)),
      context,
    ),
    answerText(context, 'who.newest_commit', { commit: formatCommit(index, 0) }),
    ...formatSkipped(
      { authors: [], bots: bots.slice(0, MAX_AUTHORS), skipped: null, mainCommit: null, commits: [] },
      context,
    ),
  ].join('\n\n');
  const name = answerText(context, 'changes.project');
  return { text, evidence: 0.9, understood: { key: 'who', params: { name } } };
}
