import { expect, test } from 'vitest';
import { parseCitation, parseCitations, strikeThrough } from '#assistant/answer/citations.ts';
import { readLines } from '#assistant/answer/code-spans.ts';
import { escapeMarkdown, fencedBlock, inlineCode } from '#assistant/answer/markdown.ts';
import { findQuotes } from '#assistant/answer/quotes.ts';
import { isFix, revertedCommits } from '#evolution/fixes.ts';
import { isFormattingOnly } from '#evolution/hunk-text.ts';
import { filterPatchByPath } from '#evolution/read-diffs.ts';
import { createGroupParser, parseBlame } from '#git/blame.ts';
import { parseDiff } from '#git/diff.ts';
import { unquotePath } from '#git/quoting.ts';
import { reportQuery } from '#investigate/locate/error-report.ts';
import { catalogKeys, parseCatalogEntries } from '#investigate/locate/message-catalogs.ts';
import { matchTemplate, parseTemplates, splitAtPlaceholders } from '#investigate/locate/message-templates.ts';
import { errorFingerprint, maskVariableParts } from '#investigate/trace/fingerprint.ts';
import { parseTrace } from '#investigate/trace/read-trace.ts';
import { BlockBuilder } from '#memory/changes/block-builder.ts';
import { DiffParser } from '#memory/changes/diff-parser.ts';
import { detectLanguage } from '#memory/chunk/languages.ts';
import { outlineByLayout } from '#memory/chunk/layout-outline.ts';
import { chunkByLines } from '#memory/chunk/passages.ts';
import { extractScripts } from '#memory/chunk/scripts.ts';
import { decodeText } from '#memory/skip-rules.ts';
import { terms } from '#memory/tokens.ts';
import { parseClassHeader, parseFunctionHeader } from '#search/code/function-headers.ts';
import { parseQuery } from '#search/lexical/parse-query.ts';
import { findPathMentions } from '#search/lexical/path-mentions.ts';
import { redactSecrets } from '#secrets/redact-secrets.ts';

/**
 * Readers of text that other people wrote, in processes that may not die of it. They work through a regular language or line by
 * line, each unit a bounded number of times. The sizes are a quarter to a half of what the contract and the index let through.
 */
const ERROR = 50_000;
const FILE = 2 ** 18;
const PATCH = 2 ** 18;
const ANSWER = 2 ** 15;

const HUNK = 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,99999 +1,99999 @@\n';
const LAYOUTS = [
  'clojure',
  'groovy',
  'haskell',
  'ini',
  'kotlin',
  'lisp',
  'lua',
  'make',
  'objc',
  'ocaml',
  'scala',
  'swift',
];
const HEADERS = ['python', 'go', 'javascript', 'java', 'rust', 'cpp', 'ruby'];

const READERS: Record<string, [size: number, read: (text: string) => unknown]> = {
  trace: [ERROR, parseTrace],
  'search for an error': [ERROR, (text) => reportQuery({ error_message: text }, parseTrace(text))],
  fingerprint: [ERROR, (text) => errorFingerprint(parseTrace(text))],
  'message without values': [ERROR, maskVariableParts],
  patch: [PATCH, parseDiff],
  hunk: [PATCH, (text) => parseDiff(HUNK + text)],
  'parts of a patch': [PATCH, (text) => filterPatchByPath(Buffer.from(text), ['x'])],
  'formatting of a hunk': [
    PATCH,
    (text) => {
      const lines = text.split('\n').map((line) => ({ kind: 'add' as const, text: line }));
      return isFormattingOnly([
        { old_start: 1, old_lines: 1, new_start: 1, new_lines: 1, header: '', lines },
      ]);
    },
  ],
  'changes of the history': [PATCH / 8, (text) => readChanges(text)],
  'changes in a hunk': [PATCH / 8, (text) => readChanges(`${'a'.repeat(40)}\n${HUNK}${text}`)],
  'quoted path': [ERROR, (text) => unquotePath(`"${text}"`)],
  blame: [PATCH, parseBlame],
  'groups of a blame': [PATCH, (text) => createGroupParser()(text)],
  message: [ERROR, (text) => [isFix(text, ['a.js']), revertedCommits(text)]],
  literals: [FILE / 2, parseTemplates],
  'holes of a literal': [ERROR, splitAtPlaceholders],
  'a literal in a message': [
    ERROR,
    (text) => matchTemplate({ pieces: [text.slice(0, 99), text], from: 0, to: 0 }, text),
  ],
  catalog: [
    FILE / 2,
    (text) => [
      parseCatalogEntries(text.split('\n')),
      catalogKeys(text.split('\n'), text.split('\n').length - 1),
    ],
  ],
  'file text': [FILE, (text) => decodeText('a.js', Buffer.from(text))],
  language: [FILE, (text) => [detectLanguage('a.h', text), detectLanguage('a', text)]],
  lines: [FILE, (text) => chunkByLines('a.js', text)],
  scripts: [FILE, (text) => extractScripts('html', text)],
  terms: [FILE / 2, terms],
  'headers of functions': [
    FILE / 2,
    (text) =>
      text
        .split('\n')
        .map((row) => [
          parseClassHeader(row),
          HEADERS.map((language) => parseFunctionHeader(row, language, true)),
        ]),
  ],
  query: [ERROR, parseQuery],
  'paths in a text': [ERROR, findPathMentions],
  'code in markdown': [ERROR, inlineCode],
  'words in markdown': [ERROR, escapeMarkdown],
  fence: [FILE, (text) => fencedBlock('js', text)],
  citation: [ANSWER, (text) => [parseCitation(text), strikeThrough(text)]],
  citations: [ANSWER, parseCitations],
  quotes: [ANSWER, (text) => findQuotes(readLines(text), () => true)],
  secrets: [ERROR, redactSecrets],
  ...Object.fromEntries(
    LAYOUTS.map((language) => [
      `layout of ${language}`,
      [FILE / 2, (text: string) => outlineByLayout(language, text.split('\n'))] as const,
    ]),
  ),
};

function readChanges(text: string): void {
  const block = new BlockBuilder();
  const reader = new DiffParser(() => block);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 2 ** 16) reader.push(bytes.subarray(at, at + 2 ** 16));
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: literals of programs
const HOLE = '`a${b}` + ';

const UNITS = [
  ...'\t `>"\'[({<\\/.-=+@#$%:;,*_|1aé漢\0\n',
  '\r\n',
  '\n\n\n',
  '  \n',
  'a\n',
  'a ',
  'aA',
  '_a',
  '\u{1f600}',
  '\ud800',
  '\u200b',
  '\x1b[',
  '\x1b[31m',
  '  at f (a.js:1:2)\n',
  '  File "a.py", line 1, in f\n    x\n',
  'Traceback (most recent call last):\n',
  'Caused by: a.B: x\n',
  '\tat a.B.c(D.java:1)\n',
  'goroutine 1 [running]:\n',
  '#0 x() at /a.php:1\n',
  "thread 'main' panicked at '",
  '2024-01-01T00:00:00Z ',
  'a/b.js:1:2 ',
  '\\n  at ',
  'a.',
  'a/',
  'a:1',
  'a@',
  '://a:b',
  'diff --git a/x b/x\n',
  'diff --git "',
  '--- a\n+++ b\n',
  '@@ -1 +1 @@\n',
  '+a\n',
  '-a\n',
  'rename from a\n',
  `${'a'.repeat(40)}\n`,
  '`a` ',
  '“a” `b` ',
  '`a` “',
  '> > ',
  '| a ',
  '```\n',
  '[a](',
  '![',
  '<script',
  '</script',
  '"{a}" + ',
  '"a{b}"',
  HOLE,
  '"%s" X ',
  "'#{a}' \\\n",
  '""" ',
  '${',
  '%(',
  '$a->',
  'password=',
  'token: "',
  '-----BEGIN ',
  'eyJ',
  'curl ',
  'def ',
  'public static ',
  'fun ',
  '@a ',
  'export ',
  '(a)',
  '<a>',
  '= ',
  '=>',
  '::',
  'revert ',
  'This reverts commit ',
  'error: ',
  'at ',
  '- ',
];

/** Well above what linear readers take on a busy machine; a quadratic one takes seconds at these sizes. */
const MAX_MS = 800;
const MAX_GROWTH = 2.5;

test.each(Object.entries(READERS))('%s: time grows linearly with the text', (_, [size, read]) => {
  for (const unit of UNITS) {
    for (const make of [repeat, within]) {
      if (timeOf(read, make(unit, size)) < MAX_MS) continue;
      // Slow once may be the machine: the best of three tells.
      const half = best(() => timeOf(read, make(unit, size / 2)));
      const whole = best(() => timeOf(read, make(unit, size)));
      expect([unit, whole < MAX_MS || whole / half < MAX_GROWTH]).toEqual([unit, true]);
    }
  }
});

const repeat = (unit: string, size: number) => unit.repeat(Math.floor(size / unit.length));
/** An end that nothing matches makes a reader go back. */
const within = (unit: string, size: number) => `x${repeat(unit, size - 2)}\u0001`;
const best = (time: () => number) => Math.min(time(), time(), time());

function timeOf(read: (text: string) => unknown, text: string): number {
  const before = process.threadCpuUsage().user;
  read(text);
  return (process.threadCpuUsage().user - before) / 1000;
}
