import { posix } from 'node:path';
import type { CodeTable } from '#memory/repository-index.ts';
import { terms } from '#memory/tokens.ts';
import { searchHistory } from '#search/changes/search-history.ts';
import { answerText, moreItem } from '../../answer/answer-text.ts';
import { escapeMarkdown, fencedBlock, formatCommit, inlineCode } from '../../answer/markdown.ts';
import { findText } from '../../tools/find-text.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { citePlace, quoteLine } from '../evidence/cite.ts';
import { readDefinition } from '../evidence/definition-text.ts';
import { boundName, importedNames, importNames, isImportOf } from '../evidence/imports.ts';
import { countOtherWords } from '../evidence/other-topic.ts';
import { type PathKind, pathKind, pathOrder } from '../evidence/path-kinds.ts';
import { enclosingDefinition, grepWord } from '../evidence/references.ts';
import { bestOf } from '../evidence/subject.ts';
import { readManifestNames } from '../understand/manifests.ts';
import { lastPart, wholeWord } from '../understand/name-patterns.ts';
import type { Reading } from '../understand/reading.ts';
import { isStopWord } from '../understand/topic-words.ts';
import { listDependencies } from './dependency-list.ts';
import type { IntentAnswer } from './intent.ts';

const MAX_MATCHES = 1_000;
const TIMEOUT_MS = 2_000;
const MAX_IMPORTS = 7;
const MAX_USES = 6;
const LINES_AROUND = 3;
const MAX_DECLARATIONS = 2;
const MAX_TEST_FILES = 3;
const MAX_CHANGES = 40;
const MAX_PURPOSE = 240;
/** Source files that may import a dependency on behalf of others. */
const MAX_PASSING_FILES = 3;
const MAX_ELSEWHERE = 4;
const COMMENT = /^\s*(?:\/\/|#|\*|\/\*|--)/;
/** Declarations of members without a value. */
const TYPE_ONLY = /^\s*\w+\??:\s*[A-Z]\w*;?\s*$/;
const MANIFEST =
  /(?:^|\/)(?:setup\.py|setup\.cfg|pyproject\.toml|Pipfile|[\w-]*requirements[\w./-]*\.(?:txt|in)|package\.json|go\.mod|Cargo\.toml|pom\.xml|build\.gradle(?:\.kts)?|libs\.versions\.toml|Gemfile|composer\.json|configure\.ac|CMakeLists\.txt|meson\.build|[\w.-]+\.(?:gemspec|csproj))$/;
/** A question about dependencies of which it names none. */
const ASKS_FOR_ALL =
  /\b(?:dependenc(?:y|ies)|dependencias?|d[ée]pendances?|abh[äa]ngigkeit(?:en)?|depends? on|depende|d[ée]pend|h[äa]ng(?:t|en)|third[- ]party|external (?:packages|libraries|modules)|bibliotheken)\b/iu;
/** Package name in a question: `@scope/name`, `vendor/name`, `some-name`, `name`. */
const PACKAGE = /@?[A-Za-z][\w.-]*(?:\/[\w.-]+)*/g;

interface Line {
  path: string;
  line: number;
  text: string;
}

/** Import of the dependency, with the names that it binds in its file. */
interface Import extends Line {
  names: string[];
  kind: PathKind;
}

/** Tells which files import a dependency, what they use of it, and where and since when it is declared. */
export async function answerDependencyUse(
  reading: Reading,
  context: ToolContext,
): Promise<IntentAnswer | null> {
  if (!context.index.code) return null;
  const dependency = await findDependency(reading, context);
  if (dependency === null)
    return (await asksForAll(reading, context)) ? await listDependencies(context) : null;
  const { name, score } = dependency;
  const lines = await grepSpellings(name, context);
  const declarations = lines.filter(({ path, text }) => MANIFEST.test(path) && isDeclaration(text, name));
  const imports = findImports(name, lines, context);
  const calls =
    imports.length === 0
      ? await findCalls(name, lines, reading, context)
      : callsElsewhere(name, lines, imports);
  if (imports.length + calls.length + declarations.length === 0) return null;
  const text = await formatDependency({ name, imports, calls, declarations }, context);
  const used = imports.some(({ kind }) => kind === 'source') || calls.length > 0;
  const evidence = score * (used ? (declarations.length > 0 ? 1 : 0.85) : 0.5);
  return { text, evidence, understood: { key: 'dependency_use', params: { name: inlineCode(name) } } };
}

async function asksForAll(reading: Reading, context: ToolContext): Promise<boolean> {
  return ASKS_FOR_ALL.test(reading.question) && (await countOtherWords(reading, context)) === 0;
}

/** Dependency that the question names; else the first word of it that a manifest declares. */
async function findDependency(
  { mentions, question }: Reading,
  context: ToolContext,
): Promise<{ name: string; score: number } | null> {
  const [linked] = bestOf(mentions, 'dependency');
  if (linked) return { name: linked.entity.name, score: linked.score };
  const rows = await manifestRows(context);
  const { projects } = await readManifestNames(context);
  const declared = packageWords(question, context.index.code!)
    .filter((word) => !projects.has(word.toLowerCase()))
    .map((word) => declaredName(word, rows))
    .filter((name) => name !== null);
  const name = declared[0];
  return name === undefined ? null : { name, score: 0.8 };
}

/** Words of a question about dependencies that are also names of packages. */
const NO_PACKAGE = new Set(
  'the for test tests testing build docs package module library dependency dependencies version require project crate source file build'.split(
    ' ',
  ),
);

/** Words of a question that may name a package, compound and rare ones first; two words may be one name with a hyphen. */
function packageWords(question: string, code: CodeTable): string[] {
  const words = (question.match(PACKAGE) ?? []).map((word) => word.replace(/['’]s$|[.\-/]+$/g, ''));
  const pairs = words.slice(1).map((word, i) => `${words[i]}-${word}`);
  const isCompound = (word: string) => Number(/[-/@_]/.test(word));
  const frequency = (word: string) => code.files.postings(terms(word)[0] ?? '')?.docs.length ?? 0;
  return [...new Set([...words, ...pairs])]
    .filter((word) => word.length > 2 && !NO_PACKAGE.has(word.toLowerCase()) && !isStopWord(word))
    .toSorted((a, b) => isCompound(b) - isCompound(a) || frequency(a) - frequency(b));
}

/** Full name of the dependency that a row of a manifest declares by this word; null for none. */
function declaredName(word: string, rows: readonly string[]): string | null {
  const pattern = new RegExp(
    `(?:^|["'\\s>])((?:@?[\\w.-]+/)*${word.replace(/\W/g, '\\$&')})(?=["'\\s<>=~!^;:,)\\[]|$)`,
    'i',
  );
  for (const row of rows) {
    const name = isDeclaration(row, word) ? pattern.exec(row)?.[1] : undefined;
    if (name !== undefined) return name;
  }
  return null;
}

async function manifestRows({ index, sources }: ToolContext): Promise<string[]> {
  const code = index.code!;
  const paths = Array.from({ length: code.fileCount }, (_, file) => code.filePath(file));
  const manifests = paths.filter((path) => MANIFEST.test(path)).slice(0, 20);
  return (await Promise.all(manifests.map(async (path) => (await sources.lines(path)) ?? []))).flat();
}

/** True for a manifest's line that declares the dependency, whole or by its last part. */
function isDeclaration(row: string, name: string): boolean {
  const word = name.replace(/\W/g, '\\$&');
  return (
    new RegExp(`(?:^|["'\\s/>:@=,([])${word}(?:["'\\s<>=~!^;,:)\\]\\[/.]|$)`, 'i').test(row) &&
    !/^\s*(?:#|\[|\/\/|description|"description")/.test(row)
  );
}

async function grepSpellings(name: string, context: ToolContext): Promise<Line[]> {
  return await findText(importNames(name), context, { maxMatches: MAX_MATCHES, timeoutMs: TIMEOUT_MS });
}

function findImports(name: string, lines: readonly Line[], { index }: ToolContext): Import[] {
  const code = index.code!;
  const spellings = importNames(name);
  const found = new Map<string, Import>();
  for (const line of lines) {
    const file = code.fileNumber(line.path);
    const language = file < 0 ? 'text' : code.fileLanguage(file);
    const kind = pathKind(line.path);
    if (kind === 'document' || MANIFEST.test(line.path)) continue;
    const spelling = spellings.find((one) => isImportOf(line.text, one, language));
    if (spelling === undefined) continue;
    const last = lastPart(posix.basename(spelling)).replace(/^go-|\.v\d+$/g, '');
    const names = [boundName(line.text, spelling, language), ...importedNames(line.text), last];
    const known = found.get(line.path);
    const all = names.filter((one) => one !== null);
    if (known) known.names.push(...all);
    else found.set(line.path, { ...line, kind, names: all });
  }
  return [...found.values()].toSorted(
    (a, b) => pathOrder(a.path) - pathOrder(b.path) || a.path.localeCompare(b.path),
  );
}

/** Calls of the functions that the question names, or else of the dependency's own name, where nothing imports it. */
async function findCalls(
  name: string,
  lines: readonly Line[],
  { question }: Reading,
  context: ToolContext,
): Promise<Line[]> {
  const { projects } = await readManifestNames(context);
  const identifier = question
    .match(/\b[a-z]+(?:_[a-z\d]+)+\b|\b[a-z]+(?:[A-Z][a-z\d]+)+\b/g)
    ?.find((word) => !projects.has(word.toLowerCase()));
  const named = identifier === undefined ? [] : await grepWord(identifier, context);
  const calls = callsByName(identifier ?? '', named);
  return calls.length > 0 ? calls : callsByName(name, lines);
}

/** Lines that call a function with a name of the dependency, for packages that are not imported. */
function callsByName(name: string, lines: readonly Line[]): Line[] {
  const pattern = importNames(name).map((one) => wholeWord(one));
  return lines
    .filter(
      ({ path, text }) =>
        pathKind(path) === 'source' && !MANIFEST.test(path) && pattern.some((one) => one.test(text)),
    )
    .filter(({ path }) => !/\.(?:json|lock|ya?ml|toml|xml|neon)$/.test(path));
}

/** Lines that name the dependency in files without an import of it, such as those that get it passed by the one that has. */
function callsElsewhere(name: string, lines: readonly Line[], imports: readonly Import[]): Line[] {
  const importing = new Set(imports.map(({ path }) => path));
  if (imports.filter(({ kind }) => kind === 'source').length > MAX_PASSING_FILES) return [];
  return callsByName(name, lines).filter(
    ({ path, text }) => !importing.has(path) && !COMMENT.test(text) && !TYPE_ONLY.test(text),
  );
}

async function formatDependency(
  {
    name,
    imports,
    calls,
    declarations,
  }: { name: string; imports: Import[]; calls: Line[]; declarations: Line[] },
  context: ToolContext,
): Promise<string> {
  const shown = inlineCode(name);
  const source = imports.filter(({ kind }) => kind === 'source');
  const others = imports.filter(({ kind }) => kind !== 'source');
  const parts: string[] = [];
  if (source.length > 0) {
    parts.push(
      answerText(context, 'dependency.imports', { name: shown }),
      listLines(source, MAX_IMPORTS, context),
    );
    const uses = await formatUses(source, context);
    const elsewhere = firstPerFile(calls);
    if (uses.length + elsewhere.length > 0) parts.push(answerText(context, 'dependency.uses'));
    if (elsewhere.length > 0) parts.push(listLines(elsewhere, MAX_ELSEWHERE, context));
    parts.push(...uses);
  } else if (calls.length > 0) {
    parts.push(
      answerText(context, 'dependency.calls', { name: shown }),
      listLines(firstPerFile(calls), MAX_IMPORTS, context),
    );
  } else parts.push(answerText(context, 'dependency.unused', { name: shown }));
  if (others.length > 0)
    parts.push(answerText(context, 'dependency.tests'), listLines(others, MAX_TEST_FILES, context));
  const declared = declarations.toSorted(
    (a, b) => a.path.split('/').length - b.path.split('/').length || a.line - b.line,
  );
  if (declared.length > 0) {
    parts.push(answerText(context, 'dependency.declared'), listLines(declared, MAX_DECLARATIONS, context));
    parts.push(await formatIntroduction(declared[0]!, name, context));
  }
  return parts.filter((part) => part !== '').join('\n\n');
}

function firstPerFile(lines: readonly Line[]): Line[] {
  return [...Map.groupBy(lines, ({ path }) => path).values()].map(([first]) => first!);
}

function listLines(lines: readonly Line[], max: number, context: ToolContext): string {
  const items = lines
    .slice(0, max)
    .map(({ path, line, text }) => `- ${quoteLine(path, line, text, context)}`);
  return [...items, ...moreItem(context, lines.length - items.length)].join('\n');
}

/** Lines that use what the imports bind, a few of each file, with the functions around them, and the lines around the first. */
async function formatUses(imports: readonly Import[], context: ToolContext): Promise<string[]> {
  const items: string[] = [];
  const around: string[] = [];
  const perFile = Math.max(1, Math.floor(MAX_USES / imports.length));
  for (const { path, line, names } of imports) {
    if (items.length >= MAX_USES) break;
    const rows = (await context.sources.lines(path)) ?? [];
    const words = [...new Set(names)].map(
      (name) => new RegExp(`(?<![\\w$'"/-])${name.replace(/\W/g, '\\$&')}(?![\\w$'"-])`),
    );
    const uses = rows
      .map((text, row) => ({ text, line: row + 1 }))
      .filter((one) => one.line !== line && words.some((word) => word.test(one.text)))
      .filter(({ text }) => !/^\s*(?:\/\/|#|\*|\/\*|import\b|from\b|use\b|require\b|"|'|`)/.test(text));
    for (const use of uses.slice(0, perFile)) {
      if (items.length === 0) around.push(quoteAround({ ...use, path }, rows, context));
      items.push(await formatUse({ ...use, path }, context));
    }
  }
  return items.length === 0 ? [] : [items.join('\n'), ...around];
}

/** The lines around a use, which tell when it happens. */
function quoteAround({ path, line }: Line, rows: readonly string[], context: ToolContext): string {
  const from = Math.max(1, line - LINES_AROUND);
  const to = Math.min(rows.length, line + LINES_AROUND);
  const code = context.index.code!;
  const language = code.fileLanguage(code.fileNumber(path));
  const block = fencedBlock(language, rows.slice(from - 1, to).join('\n'));
  return `${citePlace(path, from, to, context)}\n\n${block}`;
}

/** A use with the function around it and the purpose of that function. */
async function formatUse({ path, line, text }: Line, context: ToolContext): Promise<string> {
  const quoted = quoteLine(path, line, text, context);
  const around = await enclosingDefinition(path, line, context);
  if (around === null) return `- ${quoted}`;
  const { comment } = await readDefinition(around, context);
  const [purpose = ''] = comment
    .join(' ')
    .trim()
    .split(/(?<=[.!?])\s/);
  const place = answerText(context, 'place_in_symbol', { place: quoted, symbol: inlineCode(around.symbol) });
  return purpose === '' || purpose.length > MAX_PURPOSE
    ? `- ${place}`
    : `- ${place}: “${escapeMarkdown(purpose)}”`;
}

/** Sentence naming the commit that added the dependency, by the change index; empty without one. */
async function formatIntroduction({ path }: Line, name: string, context: ToolContext): Promise<string> {
  const { repo, index, hunks, signal } = context;
  if (!hunks) return '';
  const search = { repo, index, directory: hunks, q: name, match: 'exact' as const, side: 'added' as const };
  const found = await searchHistory({ ...search, limit: MAX_CHANGES, ...(signal && { signal }) }).catch(
    () => null,
  );
  if (!found) return '';
  const isManifest = (newPath: string | null) =>
    newPath === path || (newPath !== null && MANIFEST.test(newPath));
  const oldest = found.first_added && isManifest(found.first_added.new_path) ? found.first_added : null;
  // Beyond the limit, older changes are unknown.
  const listed =
    found.changes.length < MAX_CHANGES
      ? found.changes.findLast(({ new_path }) => isManifest(new_path))
      : null;
  const added = oldest ?? listed;
  const commit = added ? index.commits.find(added.hash) : -1;
  return commit < 0 ? '' : answerText(context, 'dependency.added', { commit: formatCommit(index, commit) });
}
