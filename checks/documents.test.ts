import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { TOOLS } from '#assistant/tools/registry.ts';
import { formatHelp } from '#cli/help.ts';
import { rateLimitSettings } from '../src/config/rate-limit-settings.ts';
import * as settings from '../src/config/settings.ts';
import { apiRoutes } from '../src/contract/api.ts';

const FILES = [...globSync('docs/*.md'), ...globSync('docs/{de,es,fr}/*.md'), 'README.md'];
const documents = FILES.map((path) => ({ path, text: readFileSync(path, 'utf8') }));

/** Findings of a pattern with the file in which they are. */
function findAll(pattern: RegExp): { path: string; found: string }[] {
  return documents.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map(([, found = '']) => ({ path, found })),
  );
}

test('every document is served, and listed in docs/README.md', () => {
  const names = readdirSync('docs').flatMap((file) => /^(.+)\.md$/.exec(file)?.[1] ?? []);
  const list = readFileSync('docs/README.md', 'utf8');
  const served = /DOC_NAMES = \[([^\]]+)\]/.exec(readFileSync('src/web/site/site-paths.ts', 'utf8'))![1]!;
  const expected = names.map((name) => (name === 'README' ? 'contents' : name)).toSorted();
  expect([...served.matchAll(/'([\w-]+)'/g)].map(([, name]) => name).toSorted()).toEqual(expected);
  expect(names.filter((name) => name !== 'README' && !list.includes(`](${name}.md)`))).toEqual([]);
});

test('every link between documents leads to a file', () => {
  const missing = findAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g).filter(
    ({ path, found }) => !/^(?:https?:|\/)/.test(found) && !existsSync(join(dirname(path), found)),
  );
  expect(missing).toEqual([]);
});

test('every picture is taken by `npm run shots -- --docs`, shown by a document, and small', () => {
  const taken = readFileSync('e2e/doc-pictures.ts', 'utf8');
  for (const file of readdirSync('docs/pictures')) {
    const [name, ending] = file.split('.');
    expect([ending, taken.includes(`name: '${name}'`)], file).toEqual(['webp', true]);
    expect(statSync(`docs/pictures/${file}`).size, file).toBeLessThan(150_000);
    expect(
      documents.some(({ text }) => text.includes(`pictures/${file})`)),
      file,
    ).toBe(true);
  }
});

test('docs/command-line.md lists every command of the help', () => {
  const list = readFileSync('docs/command-line.md', 'utf8');
  const commands = [
    ...formatHelp()
      .split('Tools for')[0]!
      .matchAll(/^ {2}([a-z][\w-]*)/gm),
  ];
  expect(commands.length).toBeGreaterThan(15);
  expect(commands.filter(([, name]) => !new RegExp(`^\\|[^|]*\`${name}\\b`, 'm').test(list))).toEqual([]);
});

test('docs/agents.md lists every tool', () => {
  const list = readFileSync('docs/agents.md', 'utf8');
  expect(TOOLS.filter(({ name }) => !list.includes(`\`${name}\``))).toEqual([]);
});

test('every setting in the files of deploy/ exists', () => {
  const known = new Set(
    Object.values({ ...settings, rateLimitSettings }).flatMap((group) => Object.keys(group)),
  );
  const ours =
    /(?:^|[\s{"'-])((?:DATABASE|OBJECT_STORE|SECRET|PUBLIC|TRUST|DATA|HOST|PORT|ROLE|SANDBOX)(?:_[A-Z_]+)?)[:=]/gm;
  const files = globSync('deploy/{*,kubernetes/*,helm/**/*}.{yml,yaml,service,example}').concat(
    'deploy/Containerfile',
  );
  const named = files.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(ours)].map(([, name]) => name!),
  );
  expect(named).toContain('OBJECT_STORE_URL');
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test('every route that the documents name is in the contract', () => {
  const shape = (path: string) =>
    path.replace(/\/(?::\w+|\{\w+\}|\$\w+|[A-Z]+)(?=\/|$)/g, '/*').replace(/\/$/, '');
  const routes = Object.values(apiRoutes)
    .flatMap((feature) => Object.values(feature) as { method: string; path: string }[])
    .map(({ method, path }) => `${method} /api${shape(path)}`);
  const named = findAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/api\/[^`\s?]*)/g);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ found }) => !routes.includes(shape(found)))).toEqual([]);
});

test('the changelog has known sections, whole sentences, and the version of the package', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const text = readFileSync('CHANGELOG.md', 'utf8');
  const versions = [...text.matchAll(/^## (.+)$/gm)].map(([, name]) => name);
  expect(versions.slice(0, 2)).toEqual(['Unreleased', version]);
  const sections = [...text.matchAll(/^### (.+)$/gm)].map(([, name]) => name!);
  expect(
    sections.filter((name) => !['Added', 'Changed', 'Fixed', 'Removed', 'Security'].includes(name)),
  ).toEqual([]);
  const entries = text
    .split(/^- /m)
    .slice(1)
    .map((entry) => entry.split(/\n\n|\n#/)[0]!.trim());
  expect(entries.length).toBeGreaterThan(10);
  expect(entries.filter((entry) => !/^[A-Z`][\s\S]*\.$/.test(entry))).toEqual([]);
});
