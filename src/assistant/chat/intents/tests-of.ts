import { findCoupled } from '#evolution/coupling.ts';
import type { CodeTable } from '#memory/repository-index.ts';
import { parseQuery } from '#search/lexical/parse-query.ts';
import { rankPassages } from '#search/lexical/rank-documents.ts';
import { answerText, moreItem } from '../../answer/answer-text.ts';
import { escapeMarkdown, inlineCode } from '../../answer/markdown.ts';
import { commitsTouching } from '../../tools/file-commits.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { citePlace } from '../evidence/cite.ts';
import { fileStem, isTestPath } from '../evidence/path-kinds.ts';
import { matchPaths } from '../evidence/path-match.ts';
import { explicitFiles, explicitSymbols, isOnlyTested, namedSymbols } from '../evidence/subject.ts';
import { createTopicMatcher } from '../evidence/topic-matcher.ts';
import { lastPart, wholeWord } from '../understand/name-patterns.ts';
import type { Reading } from '../understand/reading.ts';
import { type TopicWord, topicWords } from '../understand/topic-words.ts';
import type { IntentAnswer } from './intent.ts';

const MAX_FILES = 6;
const MAX_CASES = 3;
const MAX_SHOWN = 12;
const MAX_PASSAGES = 1_500;
const MAX_MEASURED = 150;
const MIN_SHARE = 0.6;
/** A less certain definition does not name what is tested. */
const MIN_NAME_SCORE = 0.6;
/** Words of a question about tests that name no subject. */
const TEST_TERMS = new Set(
  'test tests spec specs case cases cover coverage exercis check verify verifi fil suit unit'.split(' '),
);

interface TestCase {
  path: string;
  /** Name of the case, or null outside definitions. */
  name: string | null;
  from: number;
  to: number;
  score: number;
}

interface TestFile {
  path: string;
  cases: TestCase[];
  score: number;
}

/** Lists the test files and cases that name the subject, describe it, or change together with it. */
export async function answerTests(reading: Reading, context: ToolContext): Promise<IntentAnswer | null> {
  const { code } = context.index;
  if (!code) return null;
  const files = await rankTestFiles(reading, context);
  const [best] = files;
  if (!best) return null;
  const chosen = files.filter(({ score }) => score >= MIN_SHARE * best.score).slice(0, MAX_FILES);
  const name = subjectName(reading, context);
  const items = formatFiles(chosen, context);
  const text = `${answerText(context, 'tests.list', { name })}\n\n${[...items, ...moreItem(context, countClose(files) - chosen.length)].join('\n')}`;
  return { text, evidence: Math.min(1, best.score), understood: { key: 'tests', params: { name } } };
}

function countClose(files: readonly TestFile[]): number {
  return files.filter(({ score }) => score >= MIN_SHARE * files[0]!.score).length;
}

function subjectName(reading: Reading, context: ToolContext): string {
  const named = namedSymbols(reading, context).find(
    ({ score, passages }) => score >= MIN_NAME_SCORE && !isOnlyTested(passages, context.index.code!),
  );
  const [symbol = named] = explicitSymbols(reading, context);
  if (symbol) return inlineCode(symbol.name);
  const [file] = explicitFiles(reading);
  if (file) return inlineCode(file.entity.path);
  return escapeMarkdown(topicName(reading.topic.trim() || reading.question).slice(0, 80));
}

/** A topic as it is; of a whole question, such as `is the login tested?`, its words about the subject. */
function topicName(topic: string): string {
  const words = topicWords(topic);
  const isOfTests = ({ variants: [own] }: TopicWord) => TEST_TERMS.has(own!.term);
  const others = words.filter((word) => !isOfTests(word));
  return others.length === 0 || others.length === words.length
    ? topic
    : others.map(({ word }) => word).join(' ');
}

/** True for tests inside a source file, as in Rust. */
function isTestPassage(passage: number, path: string, code: CodeTable): boolean {
  return isTestPath(path) || /(?:^|\.)tests?(?:\.|$)/.test(code.passageSymbol(passage) ?? '');
}

async function rankTestFiles(reading: Reading, context: ToolContext): Promise<TestFile[]> {
  const { index } = context;
  const code = index.code!;
  const matcher = createTopicMatcher(reading.question, code, TEST_TERMS);
  const names = explicitSymbols(reading, context);
  const words = names.map(({ name }) => wholeWord(lastPart(name)));
  const paths = new Map(
    matchPaths(reading.question, code, { ignored: TEST_TERMS }).map((one) => [one.path, one]),
  );
  const subjects = subjectFiles(reading, context);
  const stems = new Set(subjects.map((path) => fileStem(path).toLowerCase()));
  const coupled = coupledTests(subjects, context);
  const ranked = rankPassages(index, parseQuery(matcher.query), { limit: MAX_PASSAGES })
    .filter(({ passage, file }) => isTestPassage(passage, code.filePath(file), code))
    .slice(0, MAX_MEASURED);
  const cases: TestCase[] = [];
  for (const { passage, file } of ranked) {
    const path = code.filePath(file);
    cases.push(...(await casesInPassage(passage, path, { matcher, words }, context)));
  }
  const groups = Map.groupBy(cases, ({ path }) => path);
  for (const path of new Set([...coupled.keys(), ...namedTests(stems, code)]))
    if (!groups.has(path)) groups.set(path, []);
  return [...groups]
    .map(([path, own]): TestFile => {
      const sorted = own.toSorted((a, b) => b.score - a.score);
      const inPath = paths.get(path);
      const isNamed = stems.has(testedStem(path));
      const fit = inPath ? inPath.coverage * (0.5 + 0.5 * inPath.nameFit) : 0;
      const score =
        0.7 * (sorted[0]?.score ?? 0) + 0.3 * fit + 0.25 * Number(isNamed) + 0.15 * (coupled.get(path) ?? 0);
      return { path, cases: sorted, score };
    })
    .toSorted((a, b) => b.score - a.score || a.path.localeCompare(b.path));
}

/** Files that the question is about: those that it names, and those that define what it names. */
function subjectFiles(reading: Reading, context: ToolContext): string[] {
  const code = context.index.code!;
  const named = explicitFiles(reading).map(({ entity }) => entity.path);
  const defining = explicitSymbols(reading, context).flatMap(({ passages }) =>
    passages.slice(0, 2).map((passage) => code.filePath(code.passageFiles(passage)[0]!)),
  );
  return [...new Set([...named, ...defining])].filter((path) => !isTestPath(path)).slice(0, 4);
}

/** Name of the file that a test file is named after. */
function testedStem(path: string): string {
  return fileStem(path)
    .replace(/^tests?[_-]|[._-](?:tests?|spec)$|(?<=[a-z0-9])(?:Tests?|TestCase|Spec)$/, '')
    .toLowerCase();
}

function namedTests(stems: ReadonlySet<string>, code: CodeTable): string[] {
  if (stems.size === 0) return [];
  const found: string[] = [];
  for (let file = 0; file < code.fileCount; file++) {
    const path = code.filePath(file);
    if (isTestPath(path) && stems.has(testedStem(path))) found.push(path);
  }
  return found.slice(0, 10);
}

/** Share of the commits of the subject in which each test file changed. */
function coupledTests(subjects: readonly string[], context: ToolContext): Map<string, number> {
  const found = new Map<string, number>();
  for (const path of subjects) {
    const { of, coupled } = findCoupled(context.index, path, commitsTouching(path, context), 20);
    for (const { path: other, together } of coupled) {
      if (isTestPath(other) && together > 1) found.set(other, Math.max(found.get(other) ?? 0, together / of));
    }
  }
  return found;
}

const CASE =
  /^\s*(?:(?:async\s+)?def\s+(test\w*)|func\s+(Test\w+|Benchmark\w+|Example\w*)|(?:pub\s+)?(?:async\s+)?fn\s+(\w+)|(?:it|test|describe|context|specify|should|scenario)(?:\.\w+)*\s*\(?\s*(['"`])(.+?)\4|(?:public\s+)?(?:final\s+)?(?:void|function)\s+(\w+)\s*\(|class\s+(\w*Test\w*))/;
const MAX_CASE_LINES = 80;

/** Test cases in a passage with their fit; the passage as a whole where it has none. */
async function casesInPassage(
  passage: number,
  path: string,
  { matcher, words }: { matcher: ReturnType<typeof createTopicMatcher>; words: RegExp[] },
  { index, sources }: ToolContext,
): Promise<TestCase[]> {
  const code = index.code!;
  const { start, end } = code.passageLines(passage);
  const rows = ((await sources.lines(path)) ?? []).slice(start - 1, end);
  const starts = rows.flatMap((row, i) => {
    const found = CASE.exec(row);
    return found
      ? [{ row: i, name: found[1] ?? found[2] ?? found[3] ?? found[5] ?? found[6] ?? found[7] ?? '' }]
      : [];
  });
  const symbol = code.passageSymbol(passage);
  if (starts.length === 0) starts.push({ row: 0, name: symbol === null ? '' : lastPart(symbol) });
  return starts.map(({ row, name }, i) => {
    const last = Math.min(starts[i + 1]?.row ?? rows.length, row + MAX_CASE_LINES) - 1;
    const text = rows.slice(row, last + 1).join('\n');
    const named = words.filter((word) => word.test(text)).length / (words.length || 1);
    const fit = matcher.match(`${text} ${path}`);
    const inName = matcher.match(name);
    const score = words.length > 0 ? 0.45 * named + 0.35 * fit + 0.2 * inName : 0.75 * fit + 0.25 * inName;
    const to = Math.min(start + last, code.fileLines(code.fileNumber(path)));
    return {
      path,
      name: name === '' ? symbol : name,
      from: start + row,
      to: Math.max(start + row, to),
      score,
    };
  });
}

/** A line for each file, with its best cases below. */
function formatFiles(files: readonly TestFile[], context: ToolContext): string[] {
  const code = context.index.code!;
  let left = MAX_SHOWN;
  return files.flatMap(({ path, cases }) => {
    const best = cases
      .filter(({ score }, i) => i < MAX_CASES && score >= 0.7 * cases[0]!.score)
      .slice(0, Math.max(1, left));
    left -= best.length;
    if (best.length === 0) {
      const lines = Math.max(1, code.fileLines(code.fileNumber(path)));
      return [`- ${citePlace(path, 1, lines, context)}`];
    }
    return best.map(({ name, from, to }) => {
      const place = citePlace(path, from, to, context);
      return name === null
        ? `- ${place}`
        : `- ${answerText(context, 'symbol_in_place', { symbol: inlineCode(name), place })}`;
    });
  });
}
