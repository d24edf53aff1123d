import type { OfferedReading } from '#contract/chat.ts';
import { answerText, moreItem } from '../../answer/answer-text.ts';
import { inlineCode } from '../../answer/markdown.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { citePlace, quoteLine } from '../evidence/cite.ts';
import {
  enclosingFunction,
  findReferences,
  type Reference,
  type References,
} from '../evidence/references.ts';
import { preferScope, type Scope, scopeOf } from '../evidence/scope.ts';
import { findSubjects } from '../evidence/subject.ts';
import type { Reading } from '../understand/reading.ts';
import type { IntentAnswer } from './intent.ts';

const MAX_SHOWN = 12;
/** Shown when the question asks for all of them. */
const MAX_ALL = 200;
const ALL = /(?<!\p{L})(?:all|todas|toutes|alle)(?!\p{L})/iu;
/** Names of a question that are searched. */
const MAX_SYMBOLS = 3;
const MIN_NAMED_SCORE = 0.9;

/** Lists the references to a definition by file: source code first, imports and tests apart. */
export async function answerCallers(reading: Reading, context: ToolContext): Promise<IntentAnswer | null> {
  if (!context.index.code) return null;
  const scope = scopeOf(reading.mentions, reading.question);
  const [first, ...others] = findSubjects(reading, context);
  if (!first) return null;
  const named = others.filter(({ isExplicit, score }) => isExplicit && score >= MIN_NAMED_SCORE);
  const symbols = first.isExplicit ? [first, ...named].slice(0, MAX_SYMBOLS) : [first];
  const answers = [];
  for (const symbol of symbols) {
    const found = await findReferences(symbol, context);
    const uses = usesOf(found, scope);
    const name = inlineCode(found.definitions[0]?.symbol ?? symbol.name);
    const max = ALL.test(reading.question) ? MAX_ALL : MAX_SHOWN;
    const text = await formatReferences(name, found, { ...uses, max }, context);
    const complete = uses.source.length > max && max < MAX_ALL ? offerAll(name, uses, context) : [];
    answers.push({ name, text, complete, evidence: symbol.score * evidenceOf(uses) });
  }
  const list = new Intl.ListFormat(context.language ?? 'en', { type: 'conjunction' });
  return {
    text: answers.map(({ text }) => text).join('\n\n'),
    evidence: answers[0]!.evidence,
    ...(answers[0]!.complete[0] && { complete: answers[0]!.complete[0] }),
    understood: { key: 'callers', params: { name: list.format(answers.map(({ name }) => name)) } },
  };
}

function offerAll(name: string, { source }: Uses, context: ToolContext): OfferedReading[] {
  const references = answerText(context, 'references', { count: source.length });
  return [
    {
      text: answerText(context, 'callers.show_all', { references }),
      question: answerText(context, 'callers.ask_all', { name }),
    },
  ];
}

interface Uses {
  source: Reference[];
  other: Reference[];
  imports: Reference[];
}

/** Uses by kind of file, in the scope of the question where it has some. */
function usesOf({ references, definitions }: References, scope: Scope): Uses {
  const homes = new Set(definitions.map(({ path }) => path));
  const limits = scope.paths.some((path) => homes.has(path)) ? [] : references;
  const inScope = limits.length > 0 ? preferScope(references, scope, ({ path }) => path) : references;
  const uses = inScope.filter(({ kind }) => kind === 'use');
  return {
    source: uses.filter(({ pathKind }) => pathKind === 'source'),
    other: uses.filter(({ pathKind }) => pathKind !== 'source'),
    imports: inScope.filter(({ kind, pathKind }) => kind === 'import' && pathKind === 'source'),
  };
}

function evidenceOf({ source, other, imports }: Uses): number {
  if (source.length > 0) return source.some(({ strength }) => strength >= 2) ? 1 : 0.8;
  return other.length + imports.length > 0 ? 0.7 : 0.4;
}

async function formatReferences(
  name: string,
  { definitions, unsure, isPartial }: References,
  { source, other, imports, max }: Uses & { max: number },
  context: ToolContext,
): Promise<string> {
  const place =
    definitions[0] && citePlace(definitions[0].path, definitions[0].line, definitions[0].line, context);
  const defined = place ? answerText(context, 'callers.defined', { name, place }) : '';
  if (source.length + other.length + imports.length === 0) {
    return `${answerText(context, 'reference.none', { name })} ${defined}`.trim();
  }
  const parts = [];
  if (source.length > 0) {
    const head = answerText(context, isPartial ? 'callers.source_at_least' : 'callers.source', {
      name,
      references: answerText(context, 'references', { count: source.length }),
      files: answerText(context, 'files', { count: countFiles(source) }),
    });
    parts.push(`${head} ${defined}`.trim(), await formatByFile(source, max, context));
  } else parts.push(`${answerText(context, 'callers.no_source', { name })} ${defined}`.trim());
  const left = Math.max(4, MAX_SHOWN - Math.min(source.length, MAX_SHOWN));
  const covered = new Set(source.map(({ path }) => path));
  const alone = imports.filter(({ path }) => !covered.has(path));
  if (alone.length > 0)
    parts.push(answerText(context, 'callers.imports'), await formatByFile(alone, 4, context));
  if (other.length > 0) {
    parts.push(answerText(context, 'callers.tests'), await formatByFile(other, Math.min(left, 6), context));
  }
  if (unsure > 0)
    parts.push(
      answerText(context, 'callers.unsure', { lines: answerText(context, 'lines', { count: unsure }) }),
    );
  return parts.join('\n\n');
}

function countFiles(references: readonly Reference[]): number {
  return new Set(references.map(({ path }) => path)).size;
}

/** List with an item for every file: one line of each first, then further lines while there is room. */
async function formatByFile(
  references: readonly Reference[],
  max: number,
  context: ToolContext,
): Promise<string> {
  const groups = [...Map.groupBy(references, ({ path }) => path).values()];
  const shown = new Set<Reference>();
  for (let turn = 0; shown.size < max && groups.some((group) => turn < group.length); turn++) {
    for (const group of groups) if (group[turn] && shown.size < max) shown.add(group[turn]!);
  }
  const items: string[] = [];
  for (const group of groups) {
    for (const reference of group.filter((one) => shown.has(one)))
      items.push(await formatReference(reference, context));
  }
  return [...items, ...moreItem(context, references.length - shown.size)].join('\n');
}

async function formatReference({ path, line, text }: Reference, context: ToolContext): Promise<string> {
  const quoted = quoteLine(path, line, text, context);
  const around = await enclosingFunction(path, line, context);
  return around === null
    ? `- ${quoted}`
    : `- ${answerText(context, 'place_in_symbol', { place: quoted, symbol: inlineCode(around) })}`;
}
