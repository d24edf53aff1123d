// The scripts of each page: which to preload, and how large they are. Runs after vite has built the client.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './node24.mjs';

const WEB = join(root, 'dist', 'web');
const LIMIT = 170_000;
/** Editor and charts may load more. */
const LARGE_LIMIT = 310_000;
const LARGE = ['/ide/:projectId', '/ide/:projectId/conflicts', '/projects/:id/evolution'];
/** Namespaces of every page. */
const CORE = ['ui', 'shell', 'parts'];

const { chunks, texts } = JSON.parse(readFileSync(join(WEB, 'site', 'chunks.json'), 'utf8'));
const byFile = new Map(chunks.map((chunk) => [chunk.file, chunk]));
const byModule = new Map(chunks.map((chunk) => [chunk.module, chunk]));
const entry = closure([byModule.get('web/index.html').file]);

/** Files with all that they import. */
function closure(files) {
  const seen = new Set();
  const open = [...files];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    open.push(...byFile.get(file).imports);
  }
  return seen;
}

/** Files of texts: namespace → file. */
export function textFiles(language) {
  return Object.fromEntries(
    texts.filter((text) => text.language === language).map(({ name, file }) => [name, file]),
  );
}

/** Scripts beside the entry, and namespaces of texts, of the modules of a page. Throws where one was not built. */
export function pageScripts(modules) {
  const own = modules.map((module) => {
    const chunk = byModule.get(module);
    if (!chunk) throw new Error(`${module} has no script of its own in the build`);
    return chunk.file;
  });
  const scripts = [...closure(own)].filter((file) => !entry.has(file));
  const names = new Set([...CORE, ...scripts.flatMap((file) => byFile.get(file).texts)]);
  return { scripts, texts: [...names].sort() };
}

/** Prints the table, of the pages above their limit only unless `all`; returns those pages. */
export function reportSizes(pages, { all }) {
  const english = textFiles('en');
  const base = sizeOf(entry);
  const rows = Object.entries(pages).map(([path, page]) => ({
    path,
    scripts: base + sizeOf(page.scripts),
    texts: sizeOf(page.texts.flatMap((name) => english[name] ?? [])),
    limit: LARGE.includes(path) ? LARGE_LIMIT : LIMIT,
  }));
  rows.sort((one, other) => other.scripts - one.scripts);
  const tooLarge = rows.filter(({ scripts, limit }) => scripts > limit);
  if (all) {
    console.log(
      `Scripts of each page and, beside them, its texts: gzip, KB. ${kb(base)} KB are the same on every page.`,
    );
  }
  for (const { path, scripts, texts: words, limit } of all ? rows : tooLarge) {
    const verdict = scripts > limit ? 'TOO LARGE' : '';
    console.log(
      `  ${kb(scripts).padStart(4)} of ${kb(limit)}  + ${kb(words).padStart(2)}  ${path}  ${verdict}`.trimEnd(),
    );
  }
  return tooLarge.map(({ path }) => path);
}

function sizeOf(files) {
  return [...files].reduce(
    (sum, file) => sum + gzipSync(readFileSync(join(WEB, file)), { level: 9 }).length,
    0,
  );
}

function kb(bytes) {
  return (bytes / 1000).toFixed(0);
}
