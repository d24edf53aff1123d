import { answerText, moreItem } from '../../answer/answer-text.ts';
import { fencedBlock, inlineCode } from '../../answer/markdown.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { citePlace } from '../evidence/cite.ts';
import { type DefinitionPlace, placesOfDefinitions } from '../evidence/definition-lines.ts';
import { findSubjects, type SymbolSubject } from '../evidence/subject.ts';
import type { Reading } from '../understand/reading.ts';
import type { IntentAnswer } from './intent.ts';

const MAX_SHOWN_LINES = 20;
const MAX_OTHERS = 7;
/** Other candidates are shown down to this share of the best score; more of them where the best one is a guess. */
const MIN_SHARE = { sure: 0.75, guess: 0.55 };
const MAX_CANDIDATES = { sure: 4, guess: 7 };
const SURE = 0.75;

/** Shows the definition that the question names or describes, and the next best ones. */
export async function answerDefinition(reading: Reading, context: ToolContext): Promise<IntentAnswer | null> {
  if (!context.index.code) return null;
  const subjects = findSubjects(reading, context);
  const [best] = subjects;
  if (!best) return null;
  const places = await placesOfDefinitions(best, context);
  if (places.length === 0) return null;
  const certainty = best.isExplicit && best.score >= SURE ? 'sure' : 'guess';
  const close = subjects.slice(1).filter((subject) => isClose(subject, best, MIN_SHARE[certainty]));
  const candidates = await placesOfCandidates(close.slice(0, MAX_CANDIDATES[certainty]), context);
  const known = new Set(places.map(keyOf));
  const text = await formatPlaces(
    places,
    candidates.filter((place) => !known.has(keyOf(place))),
    context,
  );
  const name = inlineCode(places[0]!.symbol);
  return { text, evidence: Math.min(1, best.score), understood: { key: 'definition', params: { name } } };
}

function isClose(subject: SymbolSubject, best: SymbolSubject, share: number): boolean {
  return subject.score >= share * best.score || (subject.rank ?? 0) >= share * (best.rank ?? Infinity);
}

const keyOf = ({ path, line }: DefinitionPlace) => `${path}:${line}`;

async function placesOfCandidates(
  subjects: readonly SymbolSubject[],
  context: ToolContext,
): Promise<DefinitionPlace[]> {
  const found = await Promise.all(subjects.map((subject) => placesOfDefinitions(subject, context)));
  return found.flatMap((places) => places.slice(0, 1));
}

async function formatPlaces(
  [first, ...others]: DefinitionPlace[],
  candidates: readonly DefinitionPlace[],
  context: ToolContext,
): Promise<string> {
  const { path, line, from, to, language, symbol } = first!;
  const rows = ((await context.sources.lines(path)) ?? []).slice(from - 1, to);
  // Long comments above are cut, so that the header is always shown.
  const start = Math.max(0, Math.min(line - from - MAX_SHOWN_LINES / 2, rows.length - MAX_SHOWN_LINES));
  const shown = rows.slice(start, start + MAX_SHOWN_LINES);
  const code = [...(start > 0 ? ['…'] : []), ...shown, ...(start + shown.length < rows.length ? ['…'] : [])];
  const place = citePlace(path, line, to, context);
  const parts = [
    answerText(context, 'definition.place', { name: inlineCode(symbol), place }),
    fencedBlock(language, code.join('\n')),
  ];
  if (others.length > 0) parts.push(answerText(context, 'definition.others'), listPlaces(others, context));
  if (candidates.length > 0)
    parts.push(answerText(context, 'definition.candidates'), listPlaces(candidates, context));
  return parts.join('\n\n');
}

function listPlaces(places: readonly DefinitionPlace[], context: ToolContext): string {
  const items = places.slice(0, MAX_OTHERS).map(({ symbol, path, line, to }) => {
    const params = { symbol: inlineCode(symbol), place: citePlace(path, line, to, context) };
    return `- ${answerText(context, 'symbol_in_place', params)}`;
  });
  return [...items, ...moreItem(context, places.length - items.length)].join('\n');
}
