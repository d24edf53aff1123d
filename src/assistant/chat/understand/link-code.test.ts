import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import { openSourceReader } from '#investigate/locate/source-reader.ts';
import { indexRepository } from '#memory/testing.ts';
import type { ToolContext } from '../../tools/tool.ts';
import type { Entity, Mention } from './entities.ts';
import { linkMentions } from './link.ts';
import { linkCode } from './link-code.ts';

const SESSIONS = `class SessionInterface:
    """Opens and saves the session of a request."""

    def open_session(self, app):
        return None


class SecureCookieSessionInterface(SessionInterface):
    """Stores sessions in signed cookies."""

    def open_session(self, app):
        return load(app)

    def save_session(self, app):
        return dump(app)


def explain_template_loading_attempts(app, template):
    return [template]
`;
const BUFFER = `class Buffer:
    def flush(self):
        return 1


class Stream:
    def flush(self):
        return 2


def parse_human_size(text):
    return int(text)
`;

let repository: TestRepository;
let context: ToolContext;

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    const files = {
      'src/sessions.py': SESSIONS,
      'src/io/buffer.py': BUFFER,
      'src/io/other.py': 'def flush():\n    return 3\n',
      'src/views.py': 'class View:\n    pass\n',
      'docs/views.rst': 'Views\n=====\n',
      'crates/ignore/walk.py': 'x = 1\n',
      'complete/zsh.py': 'y = 1\n',
      'tests/test_async.py': 'def test_view():\n    pass\n',
      'pyproject.toml': '[project]\nname = "shop"\n',
    };
    await repo.commit({ files, message: 'Start' });
    await repo.commit({ files: { 'src/old_views.py': 'z = 1\n' }, message: 'Add old views' });
    await repo.commit({ files: { 'src/old_views.py': null }, message: 'Drop old views' });
  });
  const index = await indexRepository(repository.path, 'main');
  const sources = openSourceReader(repository.path, index);
  context = { repo: repository.path, index, sources, now: Date.parse('2024-03-15T00:00:00Z') / 1000 };
});
afterAll(async () => {
  context.sources.close();
  await repository.remove();
});

function format(entity: Entity): string {
  if (entity.kind === 'symbol') return entity.name;
  return 'path' in entity ? `${entity.path}${entity.kind === 'folder' ? '/' : ''}` : entity.kind;
}
const placesOf = ({ entity }: Mention) =>
  entity.kind === 'symbol'
    ? entity.passages.map((passage) => {
        const { code } = context.index;
        return code!.filePath(code!.passageFiles(passage)[0]!);
      })
    : [];
const best = async (text: string) => (await linkCode(text, context)).toSorted((a, b) => b.score - a.score)[0];

test.each([
  ['where is the secure cookie session interface?', 'SecureCookieSessionInterface'],
  ['what calls SecureCookieSessionInterface.save_session', 'SecureCookieSessionInterface.save_session'],
  ['where is the helper for explaining template loading attempts', 'explain_template_loading_attempts'],
  ['¿dónde se explican los intentos de carga de una plantilla?', 'explain_template_loading_attempts'],
  ['Welche Funktion erklärt die Ladeversuche für Templates?', 'explain_template_loading_attempts'],
  ['la fonction qui explique les tentatives de chargement du template', 'explain_template_loading_attempts'],
  ['who uses the human size parser', 'parse_human_size'],
  ['callers of `flush` of `Buffer`', 'Buffer.flush'],
  ['callers of Buffer::flush', 'Buffer.flush'],
  ['the flush method of Stream', 'Stream.flush'],
  ['Wo wird die Methode flush von Buffer benutzt?', 'Buffer.flush'],
  ['¿quién llama al método flush de Buffer?', 'Buffer.flush'],
  ['what is in src/views.py', 'src/views.py'],
  ['who wrote the views module', 'src/views.py'],
  ['what changes with buffer.py', 'src/io/buffer.py'],
  ['hot files in the ignore crate', 'crates/ignore/'],
  ['hot files below src/io/', 'src/io/'],
  ['which documents in the docs folder have been edited most frequently?', 'docs/'],
  ['Was wurde unter docs seit 2024 am häufigsten geändert?', 'docs/'],
  ['¿Qué ficheros de la carpeta io cambian más?', 'src/io/'],
  ['¿quién conoce el script de completado de zsh?', 'complete/zsh.py'],
  ['who wrote the async tests', 'tests/test_async.py'],
])('%j is about %s', async (text, expected) => {
  expect(format((await best(text))!.entity)).toBe(expected);
});

test('a method named with its class is no other method of that name', async () => {
  const mention = (await best('who calls the flush method of Buffer'))!;
  expect(placesOf(mention)).toEqual(['src/io/buffer.py']);
  expect(mention.span).toEqual([14, 36]);
});

test('a name in a named file is the one of that file', async () => {
  const mentions = await linkCode('what does `flush` in src/io/other.py do', context);
  const flush = mentions.find(({ entity }) => entity.kind === 'symbol')!;
  expect(placesOf(flush)).toEqual(['src/io/other.py']);
});

test('definitions of the same name are alternatives', async () => {
  const { alternatives } = (await best('where is `open_session` defined'))!;
  expect(alternatives.map(format)).toEqual([
    'SessionInterface.open_session',
    'SecureCookieSessionInterface.open_session',
  ]);
});

test('lines behind a path are part of it', async () => {
  expect((await best('why src/sessions.py:4-5?'))!.entity).toEqual({
    kind: 'file',
    path: 'src/sessions.py',
    lines: [4, 5],
  });
});

test.each([
  'what does the project do',
  'which file changed most',
  'who wrote this and why',
  'how do I run the tests',
])('%j names nothing for certain', async (text) => {
  expect((await linkCode(text, context)).filter(({ score }) => score > 0.6)).toEqual([]);
});

test('a removed file wins over a present one only when the question asks for it', async () => {
  const [removed] = await linkMentions('which commit removed the old views module?', context);
  expect(removed!.entity).toEqual({ kind: 'deleted_path', path: 'src/old_views.py' });
  const [present] = await linkMentions('who wrote the views module?', context);
  expect(present!.entity).toMatchObject({ kind: 'file', path: 'src/views.py' });
});
