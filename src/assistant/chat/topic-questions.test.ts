import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { indexRepository } from '#memory/testing.ts';
import { answerQuestion } from './answer-question.ts';

const FILES = {
  'README.md': `# [![build](https://example.org/badge.svg)](https://example.org) Inkwell

Inkwell keeps notes.

## Development

Install what it needs, then start it:

    npm install
    npm run serve
`,
  'docs/sharing.md': `---
title: Sharing notes
description: Who reads a note
---

A note is private until its owner publishes a link.

## Expiry of links

A shared link expires after 30 days. Set \`LINK_LIFETIME\` to keep it longer.
`,
  'inkwell.1': `.TH INKWELL 1
.SH OPTIONS
.TP
.B SNAPSHOT_FOLDER
Folder of the snapshots that are taken every night.
.TP
.B MAIL_SENDER
Address from which digests are mailed.
`,
  'inkwell.env.example': `# Where rows are kept.
# Example: postgres: host=localhost port=5432
# INKWELL_DATABASE=data/rows.db

# Address to listen on, instead of a port.
# INKWELL_ADDRESS=

# Port of the server.
# INKWELL_PORT=80

# Folder of the logs.
# INKWELL_LOGS=logs
`,
  'package.json':
    '{ "name": "inkwell", "scripts": { "serve": "node src/server.js", "test": "node --test" } }\n',
  'src/search.js': `/** Finds the notes whose words match a query, the newest first. */
function findNotes(notes, query) {
  const words = query.toLowerCase().split(' ');
  return notes.filter(({ text }) => words.every((word) => text.includes(word)));
}
`,
  'src/duplicates.js': `/** Joins a note with the one that has the same title, instead of adding a second one. */
function mergeDuplicate(existing, note) {
  return { ...existing, text: existing.text + note.text };
}
`,
  'test/duplicates.test.js': `test('a duplicate note is merged', () => {
  mergeDuplicate({ text: 'a duplicate' }, { text: 'note with the same title' });
});
`,
  'src/locales/fr.json': '{ "duplicate": "A note with the same title is joined", "merge": "note" }\n',
};

let repository: TestRepository;
let index: RepositoryIndex;

beforeAll(async () => {
  repository = await buildRepository(async (repo) => void (await repo.commit({ files: FILES })));
  index = await indexRepository(repository.path, 'main');
});
afterAll(() => repository.remove());

async function answerTo(text: string): Promise<string> {
  const input = { repo: repository.path, index, now: '2026-01-01T00:00:00Z' };
  return (await answerQuestion({ text, earlier: [] }, input)).answer;
}

/** Paths that an answer cites, in their order. */
async function citedBy(text: string): Promise<string[]> {
  const answer = await answerTo(text);
  return Array.from(answer.matchAll(/`([^`\s:]+):\d+-\d+ @/g), ([, path]) => path!);
}

test.each([
  ['How do I let a link live longer than a month?', 'docs/sharing.md'],
  ['How can I keep a shared link longer?', 'docs/sharing.md'],
  ['Where do the snapshots go that are taken every night?', 'inkwell.1'],
])('%j is answered by the document about it', async (question, path) => {
  expect((await citedBy(question)).slice(0, 2)).toContain(path);
});

test('what happens is answered by the code, not by its test or a translation', async () => {
  const cited = await citedBy('What happens to a note with the same title as another one?');
  expect(cited.slice(0, 2)).toContain('src/duplicates.js');
  const others = cited.filter((path) => /test|locales/.test(path));
  for (const path of others) expect(cited.indexOf(path)).toBeGreaterThan(cited.indexOf('src/duplicates.js'));
});

test('a setting is answered by its own paragraph of a template, not by another that has the word', async () => {
  const answer = await answerTo('How do I change the port?');
  expect(answer).toContain('“INKWELL\\_PORT” in `inkwell.env.example:8-9 @');
});

test('a task that has a command is answered by it', async () => {
  expect(await citedBy('How do I run the tests?')).toContain('package.json');
});

test('a particular procedure is not answered by the commands of the project', async () => {
  const answer = await answerTo('How do I change the address that digests are mailed from?');
  expect(answer).toContain('“MAIL\\_SENDER”');
  expect(answer).not.toContain('npm run serve');
});

test('titles have no badges, and pages the title of their metadata', async () => {
  const answer = await answerTo('How is a note private until it is published?');
  expect(answer).toContain('“Sharing notes”');
  expect(answer).not.toContain('“[![build]');
});
