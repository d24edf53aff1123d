import type { CodeTable } from '#memory/repository-index.ts';
import { parseQuery } from '#search/lexical/parse-query.ts';
import { rankPassages } from '#search/lexical/rank-documents.ts';
import { answerText } from '../../answer/answer-text.ts';
import { escapeMarkdown, fencedBlock, inlineCode } from '../../answer/markdown.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { citePlace, quoteLine } from '../evidence/cite.ts';
import { pathKind, SETTINGS_TEMPLATE, TRANSLATIONS } from '../evidence/path-kinds.ts';
import { readRows } from '../evidence/read-rows.ts';
import { enclosingFunction, grepWord } from '../evidence/references.ts';
import { preferScope, scopeOf } from '../evidence/scope.ts';
import { explicitFiles, namedSymbols } from '../evidence/subject.ts';
import { createTopicMatcher, type TopicMatcher } from '../evidence/topic-matcher.ts';
import { escapePattern, lastPart, wholeWord } from '../understand/name-patterns.ts';
import type { Reading } from '../understand/reading.ts';
import type { IntentAnswer } from './intent.ts';
import { formatBestExcerpt } from './search.ts';

const MAX_CODE_LINES = 5;
const MAX_DOCUMENT_LINES = 4;
const MAX_PASSAGES = 80;
const MAX_OPTIONS = 3;
const MAX_MATCHES = 300;
const CONTEXT_LINES = 3;
const MIN_SHARE = 0.7;
/** Share of a question's information from which a document is quoted. */
const MIN_EXCERPT_SCORE = 0.45;
/** Files whose values are no settings: of the looks, or of what the database was once. */
const NO_SETTINGS = /\.(?:css|scss|sass|less|styl)$|(?:^|\/)(?:old_)?migrations?\//i;
/** Words of a question about settings that name none. */
const SETTING_TERMS = new Set(
  'default defaults valu set setting settings option config configur configuration initial start unless specify anything nothing touch leav alon much larg many time often'.split(
    ' ',
  ),
);

/** Questions whose answer is a number. */
const QUANTITY =
  /(?<!\p{L})(?:how (?:many|much|long|big|large|often|deep|high|wide)|(?:up to|after) (?:what|how)|sizes?|length|limit|max(?:imum)?|min(?:imum)?|timeouts?|delay|interval|port|number of|factor|cu[aá]nt[oa]s?|puerto|tamaño|l[ií]mite|m[aá]xim[oa]|combien|taille|d[eé]lai|limite|facteur|wie (?:viele?|lange|groß|oft|hoch|tief)|größe|grenze|nach wie)(?!\p{L})/iu;
const NUMERIC_VALUE = /(?:=|:|,|\(|=>)\s*\(?-?\d[\d_.]*/;
const NUMERIC_NAME =
  /(?:max|min|limit|size|timeout|count|retries|delay|interval|port|depth|width|length|factor)/i;
const NUMERIC_CONSTANT = new RegExp(`=\\s*\\w*${NUMERIC_NAME.source}\\w*`, 'i');
const NO_NUMBER = /=\s*(?:true|false|none|null|nil|['"`]|\[|\{)/i;
const NUMBER_BONUS = { value: 0.2, constant: 0.15, other: -0.15 };

interface SettingLine {
  path: string;
  line: number;
  text: string;
  score: number;
  isDocument: boolean;
}

/** Shows the lines of the code that set a default, and those of the documents that describe it. */
export async function answerConfiguration(
  reading: Reading,
  context: ToolContext,
): Promise<IntentAnswer | null> {
  const { code } = context.index;
  if (!code) return null;
  const options = optionNames(reading, context);
  const matcher = createTopicMatcher(reading.question, code, SETTING_TERMS);
  const lines = await findLines({ reading, options, matcher }, context);
  const inCode = lines.filter(({ isDocument }) => !isDocument);
  const inDocuments = lines.filter(({ isDocument }) => isDocument);
  const [best] = inCode.length > 0 ? inCode : inDocuments;
  if (!best) return null;
  const shown = closeTo(inCode, MAX_CODE_LINES);
  const constants = await resolveConstants(shown.slice(0, 2), context);
  const name = options[0]
    ? inlineCode(options[0])
    : escapeMarkdown((reading.topic.trim() || reading.question).slice(0, 80));
  const listed = await formatLines(shown, constants, closeTo(inDocuments, MAX_DOCUMENT_LINES), context);
  const documented = await formatBestExcerpt(reading, MIN_EXCERPT_SCORE, context);
  // A name that is written out leads to its line; what is described in words, to the document that describes it.
  const parts = options[0] ? [listed, documented] : [documented, listed];
  const text = parts.filter((part) => part !== '').join('\n\n');
  const evidence = Math.min(1, Math.max(best.score, inDocuments[0]?.score ?? 0));
  return { text, evidence, understood: { key: 'configuration', params: { name } } };
}

/** Options as they are written: identifiers, flags, and quoted names of the question. */
function optionNames(reading: Reading, context: ToolContext): string[] {
  const quoted = Array.from(
    reading.question.matchAll(/(?<![\p{L}\p{N}])['"`‘“«](\w[\w .:-]{1,40}\w)['"`’”»](?![\p{L}\p{N}])/gu),
    (match) => match[1]!,
  );
  const identifiers =
    reading.question.match(
      /--[a-z][\w-]+|\b[A-Z][A-Z\d]*(?:_[A-Z\d]+)+\b|\b[a-z\d]+(?:_[a-z\d]+)+\b|\b[a-z]+(?:[A-Z][a-z\d]*)+\b/g,
    ) ?? [];
  const symbols = namedSymbols(reading, context)
    .filter(({ score }) => score >= 0.8)
    .map(({ name }) => lastPart(name));
  return [...new Set([...identifiers, ...quoted, ...symbols])].slice(0, MAX_OPTIONS);
}

interface Search {
  reading: Reading;
  options: readonly string[];
  matcher: TopicMatcher;
}

async function findLines(
  { reading, options, matcher }: Search,
  context: ToolContext,
): Promise<SettingLine[]> {
  const code = context.index.code!;
  const rowsByPath = new Map<string, Set<number>>();
  const add = (path: string, line: number) => {
    const rows = rowsByPath.get(path) ?? new Set<number>();
    rowsByPath.set(path, rows.add(line));
  };
  for (const option of options) {
    for (const { path, line } of await grepWord(option, context, MAX_MATCHES)) {
      for (let at = line; at <= line + 2; at++) add(path, at);
    }
  }
  const symbols = namedSymbols(reading, context).filter(({ score }) => score >= 0.8);
  const files = explicitFiles(reading).map(({ entity }) => code.fileNumber(entity.path));
  const passages = [
    ...symbols.flatMap((symbol) => symbol.passages.slice(0, 3)),
    ...files.filter((file) => file >= 0).flatMap((file) => passagesOf(file, code)),
    ...rankPassages(context.index, parseQuery(`${matcher.query} default`), { limit: MAX_PASSAGES }).map(
      ({ passage }) => passage,
    ),
  ];
  for (const passage of passages) {
    const { start, end } = code.passageLines(passage);
    const path = code.filePath(code.passageFiles(passage)[0]!);
    for (let line = start; line <= end; line++) add(path, line);
  }
  const scored: SettingLine[] = [];
  for (const [path, rows] of rowsByPath)
    scored.push(...(await scoreRows(path, rows, { reading, options, matcher }, context)));
  const inScope = preferScope(scored, scopeOf(reading.mentions, reading.question), ({ path }) => path);
  return inScope.toSorted((a, b) => b.score - a.score || a.path.localeCompare(b.path) || a.line - b.line);
}

function passagesOf(file: number, code: CodeTable): number[] {
  const { first, count } = code.filePassages(file);
  return Array.from({ length: Math.min(count, 200) }, (_, i) => first + i);
}

const LITERAL = String.raw`(?:-?\d|['"\`]|true\b|false\b|null\b|nil\b|none\b|None\b|True\b|False\b|\[|\{|[A-Z][A-Z\d_]{2,}\b|\w*[dD]efault\w*|time\.|Duration|new\b)`;
/** Lines that give something a value: by assignment, as a parameter's default, or by a call with a name and a value. */
const ASSIGNMENT = new RegExp(
  [
    String.raw`[\w'"\])]\s*(?::=|\?\?=|\|\|=|=>|=(?![=>]))\s*${LITERAL}`,
    String.raw`['"\w]\s*:\s*${LITERAL}`,
    String.raw`\b(?:set|define|option|default|setdefault|get|getenv|config|DEFINE\w*)\w*!?\s*\(\s*[:'"\w.\\ -]+\s*,\s*${LITERAL}`,
    String.raw`(?:\?\?|\|\||\bor\b)\s*${LITERAL}`,
    String.raw`#\s*define\s+\w+\s+\S`,
    String.raw`\.default(?:_value|Value)?\s*\(`,
  ].join('|'),
);
const STATED =
  /\bdefault(?:s|ed)?\b(?:.{0,40}?)(?:\d|['"`]|true|false|none|null|nil)|\(default|:default:|defaults? (?:to|is|value)/i;
/** Lines that raise or print something name settings without giving them a value. */
const REPORT = /^\s*(?:throw|raise|panic|assert|expect|console|log|print|return\s+(?:err|fmt))\b/i;
const MAX_ROW_LENGTH = 400;

async function scoreRows(
  path: string,
  wanted: ReadonlySet<number>,
  { reading, options, matcher }: Search,
  context: ToolContext,
): Promise<SettingLine[]> {
  if (/change(?:s|log)|history|news|whatsnew|\.lock$|-lock\.json$/i.test(path)) return [];
  if (NO_SETTINGS.test(path) || TRANSLATIONS.test(path)) return [];
  const rows = await readRows(path, { wanted, margin: CONTEXT_LINES }, context);
  const kind = pathKind(path);
  const isDocument = kind === 'document';
  const isTemplate = SETTINGS_TEMPLATE.test(path);
  const asksQuantity = QUANTITY.test(reading.question);
  const words = options.map((option) => wholeWord(option));
  const given = options.map(
    (option) =>
      new RegExp(
        `(?<![\\w$])${escapePattern(option)}['"\`\\]]*\\s*(?::[\\w\\s|.\\[\\]]+=|:=|=>|[=:,])\\s*[^=\\s]`,
      ),
  );
  const found: SettingLine[] = [];
  for (const line of wanted) {
    const text = rows[line - 1];
    if (text === undefined || text.trim() === '' || text.length > MAX_ROW_LENGTH) continue;
    const isComment = !isDocument && !isTemplate && /^\s*(?:\/\/|#(?!\s*define)|\*|\/\*|"""|--\s)/.test(text);
    const sets = !isComment && !REPORT.test(text) && ASSIGNMENT.test(text);
    const states = STATED.test(text);
    if (!sets && !states) continue;
    const around = rows.slice(Math.max(0, line - 1 - CONTEXT_LINES), line - 1 + 2).join('\n');
    const own = matcher.match(text);
    const near = matcher.match(`${around} ${path}`);
    if (near === 0) continue;
    const isExact = words.some((word) => word.test(text));
    const isNear = words.some((word) => word.test(around));
    const score =
      0.45 * own +
      0.2 * near +
      0.12 * Number(sets) +
      0.12 * Number(/default/i.test(text)) +
      0.06 * Number(states) +
      0.25 * Number(isExact) +
      0.15 * Number(sets && given.some((pattern) => pattern.test(text))) +
      0.12 * Number(isNear && !isExact);
    const factor = kind === 'source' || isDocument || isTemplate ? 1 : 0.6;
    const quantity = asksQuantity && sets ? numberBonus(text) : 0;
    found.push({ path, line, text, score: (score + quantity) * factor, isDocument });
  }
  return found;
}

function numberBonus(text: string): number {
  if (NUMERIC_VALUE.test(text)) return NUMBER_BONUS.value;
  if (NUMERIC_CONSTANT.test(text)) return NUMBER_BONUS.constant;
  return NO_NUMBER.test(text) ? NUMBER_BONUS.other : 0;
}

/** Best lines and those with nearly their score; equal ones of a file once. */
function closeTo(lines: readonly SettingLine[], max: number): SettingLine[] {
  const seen = new Set<string>();
  return lines
    .filter(({ score }) => score >= MIN_SHARE * lines[0]!.score)
    .filter(({ path, text }) => !seen.has(`${path} ${text.trim()}`) && seen.add(`${path} ${text.trim()}`))
    .slice(0, max);
}

/** Lines that define the constants which the lines assign: `255` of `limit = DEFAULT_LIMIT`. */
async function resolveConstants(lines: readonly SettingLine[], context: ToolContext): Promise<SettingLine[]> {
  const found: SettingLine[] = [];
  for (const { path, text } of lines) {
    const rows = (await context.sources.lines(path)) ?? [];
    for (const name of new Set(
      text.match(/\b(?:[A-Z][A-Z\d]*(?:_[A-Z\d]+)+|default[A-Z]\w+|k?Default[A-Z]\w+)\b/g),
    )) {
      const definition = new RegExp(
        `(?<![\\w.$'"])${name}\\b(?!['"])[^=\\n]*=(?!=)\\s*\\S|define\\s+${name}\\s`,
      );
      const row = rows.findIndex((one) => definition.test(one) && one !== text);
      if (row >= 0) found.push({ path, line: row + 1, text: rows[row]!, score: 1, isDocument: false });
    }
  }
  return found.slice(0, 3);
}

async function formatLines(
  inCode: readonly SettingLine[],
  constants: readonly SettingLine[],
  inDocuments: readonly SettingLine[],
  context: ToolContext,
): Promise<string> {
  const parts: string[] = [];
  if (inCode.length > 0) {
    const all = [
      ...new Map(
        [...inCode.slice(0, 1), ...constants, ...inCode.slice(1)].map((one) => [
          `${one.path}:${one.line}`,
          one,
        ]),
      ).values(),
    ];
    const items: string[] = [];
    for (const one of all) items.push(await formatLine(one, context));
    parts.push(
      answerText(context, 'configuration.code'),
      items.join('\n'),
      await quoteAround(inCode[0]!, context),
    );
  }
  if (inDocuments.length > 0) {
    const items = inDocuments.map(({ path, line, text }) => `- ${quoteLine(path, line, text, context)}`);
    parts.push(answerText(context, 'configuration.documents'), items.join('\n'));
  }
  return parts.join('\n\n');
}

async function formatLine({ path, line, text }: SettingLine, context: ToolContext): Promise<string> {
  const quoted = quoteLine(path, line, text, context);
  const around = await enclosingFunction(path, line, context);
  if (around === null) return `- ${quoted}`;
  return `- ${answerText(context, 'place_in_symbol', { place: quoted, symbol: inlineCode(around) })}`;
}

/** The best line with those around it. */
async function quoteAround({ path, line }: SettingLine, context: ToolContext): Promise<string> {
  const code = context.index.code!;
  const rows = (await context.sources.lines(path)) ?? [];
  const from = Math.max(1, line - CONTEXT_LINES);
  const to = Math.min(code.fileLines(code.fileNumber(path)), line + CONTEXT_LINES);
  return `${citePlace(path, from, to, context)}\n\n${fencedBlock(code.fileLanguage(code.fileNumber(path)), rows.slice(from - 1, to).join('\n'))}`;
}
