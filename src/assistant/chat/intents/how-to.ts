import { posix } from 'node:path';
import { answerText } from '../../answer/answer-text.ts';
import { escapeMarkdown, fencedBlock, inlineCode } from '../../answer/markdown.ts';
import { quoteDocument } from '../../answer/quote-document.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { citePlace } from '../evidence/cite.ts';
import type { DocSection } from '../evidence/doc-sections.ts';
import { scopeOf } from '../evidence/scope.ts';
import { readTopicSections } from '../evidence/topic-documents.ts';
import { createTopicMatcher } from '../evidence/topic-matcher.ts';
import { rankCommands, type TaskCommand } from '../tasks/rank-commands.ts';
import { MAX_SHOWN_LINES, type RankedSection, rankSections, wholeTopic } from '../tasks/rank-sections.ts';
import { isDeveloperTask, RUN, taskKindsOf } from '../tasks/task-kinds.ts';
import { readManifestNames } from '../understand/manifests.ts';
import type { Reading } from '../understand/reading.ts';
import { topicWords } from '../understand/topic-words.ts';
import type { IntentAnswer } from './intent.ts';
import { collectMatches } from './search.ts';

/** Words of a question about a procedure that tell nothing of it. */
const ASKING_TERMS = new Set(
  'run execut command start type suit whole complet full make step process'.split(' '),
);
const MAX_SEE_ALSO = 4;
const MAX_COMMANDS = 5;
const MAX_TASK_LINES = 16;
/** Share of what is particular to a question that a command must have. */
const MIN_COMMAND_FIT = 0.5;
/** Share of the best score from which more is shown, and from which it is quoted as well. */
const SEE_ALSO_SHARE = 0.6;
const QUOTED_SHARE = 0.8;

/** Answers how something is done: commands of build files and documents, and the section that describes it. */
export async function answerHowTo(reading: Reading, context: ToolContext): Promise<IntentAnswer | null> {
  const { code } = context.index;
  if (!code) return null;
  const { question } = reading;
  const kinds = taskKindsOf(question);
  const names = kinds.map(({ name }) => name);
  const matcher = createTopicMatcher([question, ...names].join(' '), code, ASKING_TERMS);
  const sections = await readTopicSections(matcher, scopeOf(reading.mentions, question), context);
  const ranked = rankSections(sections, kinds, matcher);
  const commands = await rankCommands(ranked, { kinds, matcher, question }, context);
  const best = Math.max(ranked[0]?.score ?? 0, commands[0]?.score ?? 0);
  if (best === 0) return null;
  const specific = createTopicMatcher(await specificTopic(question, kinds, context), code);
  const fitting = commands.filter(({ name, command, lines }) => {
    return specific.match([name, command, ...lines].join('\n')) >= MIN_COMMAND_FIT;
  });
  const isOpen = kinds.length === 0 || kinds.includes(RUN);
  if (isOpen && specific.words.length > 0 && fitting.length === 0)
    return await answerProcedure(reading, context);
  const shown = isOpen && fitting.length > 0 ? fitting : commands;
  const text = [
    formatCommands(shown, context),
    await formatTask(shown[0], ranked[0]?.score ?? 0, context),
    formatSections(ranked, { sections, kinds }, context),
  ];
  const topic = escapeMarkdown(names.join(', ') || ranked[0]?.section.title || commands[0]!.command);
  return {
    text: text.filter((part) => part !== '').join('\n\n'),
    evidence: Math.min(1, best / 2) * (kinds.length > 0 ? 1 : 0.6),
    ...(kinds.some(isDeveloperTask) && { signals: { task: 1 } }),
    understood: { key: 'how_to', params: { topic } },
  };
}

/** Words of a question that say what is done, beside its kind and the project's name; empty where it is the project itself. */
async function specificTopic(
  question: string,
  kinds: ReturnType<typeof taskKindsOf>,
  context: ToolContext,
): Promise<string> {
  const { projects } = await readManifestNames(context);
  return topicWords(question)
    .filter(({ weight, variants }) => weight === 1 && !variants.some(({ term }) => ASKING_TERMS.has(term)))
    .map(({ word }) => word)
    .filter((word) => !projects.has(word) && !kinds.some(({ words }) => words.test(word)))
    .join(' ');
}

/** Answers how something particular is done, for which there is no command: what documents and code say about it. */
async function answerProcedure(reading: Reading, context: ToolContext): Promise<IntentAnswer | null> {
  const { text, title, share, signals } = await collectMatches(reading, context);
  if (text === '') return null;
  const topic = escapeMarkdown(title ?? (reading.topic || reading.question));
  return {
    text,
    evidence: share,
    signals,
    understood: { key: title === null ? 'search' : 'how_to', params: { topic } },
  };
}

function formatCommands(commands: readonly TaskCommand[], context: ToolContext): string {
  const shown = commands.slice(0, MAX_COMMANDS);
  if (shown.length === 0) return '';
  const items = shown.map(({ command, path, from, to }) => {
    const params = { command: inlineCode(command), place: citePlace(path, from, to, context) };
    return `- ${answerText(context, 'how_to.command', params)}`;
  });
  return `${answerText(context, 'how_to.commands')}\n\n${items.join('\n')}`;
}

/** Lines of the best command's definition, where the build files tell more than the documents. */
async function formatTask(
  command: TaskCommand | undefined,
  documented: number,
  context: ToolContext,
): Promise<string> {
  if (!command || command.isDocumented || command.score < QUOTED_SHARE * documented) return '';
  const { path, from, lines } = command;
  const code = context.index.code!;
  const shown = lines.slice(0, MAX_TASK_LINES);
  const block = [...shown, ...(shown.length < lines.length ? ['…'] : [])].join('\n');
  return `${citePlace(path, from, from + shown.length - 1, context)}\n\n${fencedBlock(code.fileLanguage(code.fileNumber(path)), block)}`;
}

/** The best section, that of another document which fits nearly as well, and places of further ones. */
function formatSections(
  ranked: readonly RankedSection[],
  { sections, kinds }: { sections: readonly DocSection[]; kinds: ReturnType<typeof taskKindsOf> },
  context: ToolContext,
): string {
  const [best] = ranked;
  if (!best) return '';
  const second = ranked.find(
    ({ section, score }) => section.path !== best.section.path && score >= QUOTED_SHARE * best.score,
  );
  const quoted = [best, ...(second ? [second] : [])].map(({ section }) =>
    wholeTopic(section, sections, kinds),
  );
  const lines = Math.floor(MAX_SHOWN_LINES / quoted.length);
  const isQuoted = (one: DocSection) =>
    quoted.some(({ path, from, to }) => one.path === path && from <= one.from && one.from <= to);
  const items = ranked
    .filter(({ section, score }) => score > SEE_ALSO_SHARE * best.score && !isQuoted(section))
    .slice(0, MAX_SEE_ALSO)
    .map(
      ({ section }) =>
        `- ${titleText(section)}: ${citePlace(section.path, section.from, section.to, context)}`,
    );
  const parts = quoted.map((section) => formatSection(section, lines, context));
  if (items.length > 0) parts.push(answerText(context, 'how_to.see_also'), items.join('\n'));
  return parts.join('\n\n');
}

function formatSection(section: DocSection, maxLines: number, context: ToolContext): string {
  const { path, from, lines } = section;
  const shown = lines.slice(0, maxLines);
  const place = citePlace(path, from, from + shown.length - 1, context);
  const block = quoteDocument(path, shown.length < lines.length ? [...shown, '…'] : shown);
  return `${answerText(context, 'how_to.section', { title: titleText(section), place })}\n\n${block}`;
}

function titleText({ title, path }: DocSection): string {
  return title === posix.basename(path) ? inlineCode(title) : `“${escapeMarkdown(title)}”`;
}
