import { posix } from 'node:path';
import type { CodeTable } from '#memory/repository-index.ts';
import { answerText, formatDate, moreItem } from '../../answer/answer-text.ts';
import { inlineCode } from '../../answer/markdown.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { citePlace, quoteLine } from '../evidence/cite.ts';
import { asksForPart, countOtherWords } from '../evidence/other-topic.ts';
import { isBelow, pathKind } from '../evidence/path-kinds.ts';
import { bestOf } from '../evidence/subject.ts';
import { wholeWord } from '../understand/name-patterns.ts';
import type { Reading } from '../understand/reading.ts';
import type { IntentAnswer } from './intent.ts';

const WORD_MALUS = 0.04;
const MIN_FIT = 0.75;
/** An overview has no numbers of users or downloads. */
const QUANTITY = /\b(?:how (?:many|much)|number of|cuánt[oa]s?|combien|wie ?viele?)\b/i;
const COUNTED =
  /\b(?:how many|cuánt[oa]s|combien de|wie ?viele)\s+(?:commits?|files?|lines?|people|contributors?|authors?|developers?|languages?|ficheros|archivos|líneas|personas|autores|fichiers|lignes|personnes|auteurs|dateien|zeilen|personen|autoren|entwickler)\b/iu;
const QUANTITY_FACTOR = 0.6;
const MAX_INTRODUCTION = 1_600;
const MAX_README_ROWS = 150;
const MAX_ITEMS = 8;
const MAX_FILES = 20;
const README = /^readme(?:\.[a-z]+)?$/i;
const MANIFEST =
  /^(?:package\.json|composer\.json|Cargo\.toml|pyproject\.toml|setup\.(?:py|cfg)|pom\.xml|go\.mod|.*\.gemspec|configure\.ac|CMakeLists\.txt|meson\.build)$/;
/** Line of a manifest that describes the project. */
const DESCRIPTION =
  /^\s*(?:["']?description["']?\s*[:=]|s\.(?:summary|description)\s*=|spec\.(?:summary|description)\s*=|\w+\.summary\s*=|<description>|module\s)/;

/** Describes the project, or the folder that the question names: its README, manifest, languages, folders, entry points. */
export async function answerOverview(reading: Reading, context: ToolContext): Promise<IntentAnswer | null> {
  const { code } = context.index;
  if (!code) return null;
  if (await asksForPart(reading, context)) return null;
  const folder = await subproject(reading, context);
  const introduction = await readIntroduction(folder, context);
  const manifest = await describeManifest(folder, context);
  const parts = [
    folder === '' ? formatHistory(reading, context) : '',
    introduction,
    manifest,
    formatLanguages(folder, context),
    formatFolders(folder, context),
    folder === '' ? '' : formatFiles(folder, context),
    await formatEntryPoints(folder, context),
  ].filter((part) => part !== '');
  if (parts.length === 0) return null;
  const described = introduction !== '' ? 0.95 : manifest !== '' || folder !== '' ? 0.6 : 0.4;
  const evidence = described * (await fitOf(reading, context));
  const understood: IntentAnswer['understood'] =
    folder === ''
      ? { key: 'overview', params: {} }
      : { key: 'explanation', params: { name: inlineCode(folder) } };
  return { text: parts.join('\n\n'), evidence, understood };
}

/** Less for each word of the question, beside the names of the project, that an overview does not speak of. */
async function fitOf(reading: Reading, context: ToolContext): Promise<number> {
  const { question } = reading;
  const words = await countOtherWords(reading, context);
  const isUncounted = QUANTITY.test(question) && !COUNTED.test(question);
  return Math.max(MIN_FIT, 1 - WORD_MALUS * words) * (isUncounted ? QUANTITY_FACTOR : 1);
}

/** Number of commits and of people, and their time; only where the question asks for a number, since all are read. */
function formatHistory({ question }: Reading, context: ToolContext): string {
  const { commits } = context.index;
  if (!QUANTITY.test(question) || commits.count === 0) return '';
  const people = new Set<string>();
  for (let commit = 0; commit < commits.count; commit++) people.add(commits.email(commit).toLowerCase());
  const [first, last] = [commits.count - 1, 0].map((one) => formatDate(commits.time(one), context));
  return answerText(context, 'overview.history', {
    commits: answerText(context, 'commits', { count: commits.count }),
    people: answerText(context, 'people', { count: people.size }),
    first: first ?? '?',
    last: last ?? '?',
  });
}

/** Folder with a README of its own that the question names; empty for the whole project, also where it has the folder's name. */
async function subproject({ mentions, question }: Reading, context: ToolContext): Promise<string> {
  const code = context.index.code!;
  const title = await projectTitle(context);
  const isOther = (folder: string) => !title.includes(posix.basename(folder).toLowerCase());
  const isNamed = (folder: string) => wholeWord(posix.basename(folder), 'i').test(question);
  const withReadme = readmes(code)
    .map((path) => posix.dirname(path))
    .filter((folder) => folder !== '.' && isOther(folder) && pathKind(`${folder}/index`) === 'source');
  const named = bestOf(mentions, 'folder').map(({ entity }) => entity.path.replace(/\/+$/, ''));
  const isFolder = FOLDER_WORD.test(question) ? named.find(isOther) : undefined;
  return named.find((folder) => withReadme.includes(folder)) ?? withReadme.find(isNamed) ?? isFolder ?? '';
}

const FOLDER_WORD =
  /\b(?:folder|directory|package|subproject|carpeta|directorio|dossier|répertoire|ordner|verzeichnis|paket)\b/i;

/** First words of the project's README, in lower case. */
async function projectTitle(context: ToolContext): Promise<string[]> {
  const path = readmeOf('', context.index.code!);
  const rows = path === undefined ? [] : ((await context.sources.lines(path)) ?? []);
  const title = rows.map(plainText).find((text) => text !== null && /\w/.test(text)) ?? '';
  return title.toLowerCase().match(/[\w.-]+/g) ?? [];
}

function readmes(code: CodeTable): string[] {
  return filesBelow('', code).filter(
    (path) => README.test(posix.basename(path)) && path.split('/').length <= 3,
  );
}

function filesBelow(folder: string, code: CodeTable): string[] {
  const found: string[] = [];
  for (let file = 0; file < code.fileCount; file++) {
    const path = code.filePath(file);
    if (isBelow(path, folder)) found.push(path);
  }
  return found;
}

const README_ORDER = ['.md', '.rst', '.adoc', '', '.txt'];

/** README right in the folder. */
function readmeOf(folder: string, code: CodeTable): string | undefined {
  const order = (path: string) => README_ORDER.indexOf(posix.extname(path).toLowerCase());
  return filesBelow(folder, code)
    .filter(
      (one) => posix.dirname(one) === (folder === '' ? '.' : folder) && README.test(posix.basename(one)),
    )
    .toSorted((a, b) => order(a) - order(b))[0];
}

/** Quote of the first paragraphs of the README, without badges and images; empty without a README. */
async function readIntroduction(folder: string, context: ToolContext): Promise<string> {
  const path = readmeOf(folder, context.index.code!);
  if (path === undefined) return '';
  const rows = ((await context.sources.lines(path)) ?? []).slice(0, MAX_README_ROWS);
  const kept: { row: number; text: string }[] = [];
  let length = 0;
  for (const [row, raw] of rows.entries()) {
    const text = plainText(raw);
    if (text === null) continue;
    if (length > 0 && length + text.length > MAX_INTRODUCTION) break;
    length += text.length;
    kept.push({ row, text });
  }
  while (kept.at(-1)?.text === '') kept.pop();
  const words = kept.filter(({ text }) => text !== '');
  if (words.length === 0) return '';
  const place = citePlace(path, words[0]!.row + 1, kept.at(-1)!.row + 1, context);
  const lines = kept
    .map(({ text }) => text)
    .filter((text, i, all) => text !== '' || (all[i - 1] ?? '') !== '');
  return `${answerText(context, 'overview.readme', { place })}\n\n${lines.map((line) => `> ${line}`.trimEnd()).join('\n')}`;
}

/** A row of a README as a row of a quote: null for badges, images, markup and rulers. */
function plainText(row: string): string | null {
  const text = row
    .replace(/<!--.*?-->/g, '')
    .replace(/\[?!\[[^\]]*\]\([^)]*\)(?:\]\([^)]*\))?/g, '')
    .replace(/\[?!\[[^\]]*\]\[[^\]]*\](?:\]\[[^\]]*\]|\]\([^)]*\))?/g, '')
    .replace(/<\/?[a-z][^>]*>/gi, '')
    .replace(/\[([^\]]+)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(/^#+\s*(.*?)\s*#*$/, '**$1**')
    .replace(/`/g, "'")
    .trimEnd();
  if (text.trim() === '') return row.trim() === '' ? '' : null;
  if (/^\s*\.\. |^\s*\[[^\]]+\]:\s|^\s*(?:[=\-~*_^"]){3,}\s*$|^\s*:\w+:/.test(text) || text === '****')
    return null;
  return text;
}

/** The manifest of the folder with the line that describes it; empty without a manifest. */
async function describeManifest(folder: string, context: ToolContext): Promise<string> {
  const found = filesBelow(folder, context.index.code!).filter(
    (path) => posix.dirname(path) === (folder === '' ? '.' : folder) && MANIFEST.test(posix.basename(path)),
  );
  for (const path of found) {
    const rows = (await context.sources.lines(path)) ?? [];
    const row = rows.findIndex((text) => DESCRIPTION.test(text));
    if (row >= 0)
      return answerText(context, 'overview.manifest', {
        line: quoteLine(path, row + 1, rows[row]!, context),
      });
  }
  return '';
}

const DATA_LANGUAGES = new Set(
  'json yaml xml text toml ini gettext html css svg sql markdown restructuredtext'.split(' '),
);

/** Languages of the source code by their lines. */
function formatLanguages(folder: string, context: ToolContext): string {
  const code = context.index.code!;
  const lines = new Map<string, { lines: number; files: number }>();
  for (const path of filesBelow(folder, code)) {
    const file = code.fileNumber(path);
    const language = code.fileLanguage(file);
    if (pathKind(path) !== 'source' || DATA_LANGUAGES.has(language)) continue;
    const counts = lines.get(language) ?? { lines: 0, files: 0 };
    lines.set(language, { lines: counts.lines + code.fileLines(file), files: counts.files + 1 });
  }
  const ranked = [...lines].toSorted(([, a], [, b]) => b.lines - a.lines).slice(0, 4);
  if (ranked.length === 0) return '';
  const items = ranked.map(([language, counts]) =>
    answerText(context, 'overview.language', {
      language,
      files: answerText(context, 'files', { count: counts.files }),
      lines: answerText(context, 'lines', { count: counts.lines }),
    }),
  );
  return answerText(context, 'overview.languages', { languages: items.join(', ') });
}

/** Folders with the most files. */
function formatFolders(folder: string, context: ToolContext): string {
  const prefix = folder === '' ? '' : `${folder}/`;
  const counts = new Map<string, number>();
  for (const path of filesBelow(folder, context.index.code!)) {
    const rest = path.slice(prefix.length);
    if (!rest.includes('/') || rest.startsWith('.')) continue;
    const name = `${prefix}${rest.slice(0, rest.indexOf('/'))}/`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  if (counts.size === 0) return '';
  const ranked = [...counts].toSorted(([, a], [, b]) => b - a);
  const items = ranked
    .slice(0, MAX_ITEMS)
    .map(([name, count]) => `- ${inlineCode(name)}: ${answerText(context, 'files', { count })}`);
  return [
    answerText(context, 'overview.folders'),
    '',
    ...items,
    ...moreItem(context, ranked.length - MAX_ITEMS),
  ].join('\n');
}

/** The files right in a folder. */
function formatFiles(folder: string, context: ToolContext): string {
  const own = filesBelow(folder, context.index.code!).filter((path) => posix.dirname(path) === folder);
  if (own.length === 0) return '';
  const items = own.slice(0, MAX_FILES).map((path) => `- ${citePlace(path, 1, 1, context)}`);
  return [
    answerText(context, 'overview.files'),
    '',
    ...items,
    ...moreItem(context, own.length - MAX_FILES),
  ].join('\n');
}

const ENTRY_LINE =
  /^\s*"(?:main|bin|module|exports)"\s*:\s*"?[^{]|^\s*\[(?:project\.scripts|\[bin\]|\[?lib)\]|^\s*\[\[bin\]\]|console_scripts/;
const ENTRY_FILE = /(?:^|\/)(?:main|cli|__main__)\.(?:go|rs|py|c|js|ts|java)$|^index\.(?:js|ts)$|^cmd\//;

/** Lines of manifests that name entry points, and files that are one by their name. */
async function formatEntryPoints(folder: string, context: ToolContext): Promise<string> {
  const files = filesBelow(folder, context.index.code!);
  const items: string[] = [];
  for (const path of files.filter(
    (one) => MANIFEST.test(posix.basename(one)) && one.split('/').length <= 2,
  )) {
    const rows = (await context.sources.lines(path)) ?? [];
    rows.forEach((text, row) => {
      if (ENTRY_LINE.test(text)) items.push(`- ${quoteLine(path, row + 1, text, context)}`);
    });
  }
  for (const path of files.filter(
    (one) => ENTRY_FILE.test(one) && pathKind(one) === 'source' && one.split('/').length <= 5,
  )) {
    items.push(`- ${citePlace(path, 1, 1, context)}`);
  }
  if (items.length === 0) return '';
  return [answerText(context, 'overview.entry_points'), '', ...items.slice(0, 4)].join('\n');
}
