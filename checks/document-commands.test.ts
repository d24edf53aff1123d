import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { listCodeBlocks, listCommands, parseShell } from './document-commands.ts';
import { verifyCommand } from './verify-command.ts';

const LANGUAGES = ['sh', 'yaml', 'json', 'text', 'span'];
const blocks = listCodeBlocks();

test('every block of the documents says its language', () => {
  expect(blocks.filter(({ language }) => !LANGUAGES.includes(language))).toEqual([]);
});

test('blocks of JSON, YAML and shell are correct', () => {
  const ofLanguage = (language: string) => blocks.filter((block) => block.language === language);
  for (const { text } of ofLanguage('json')) JSON.parse(text);
  const faults = ofLanguage('yaml').flatMap(({ path, text }) =>
    parseAllDocuments(text).flatMap(({ errors }) => errors.map(({ message }) => `${path}: ${message}`)),
  );
  expect(faults).toEqual([]);
  const scripts = ofLanguage('sh').map(({ text }) => text);
  const { stderr } = spawnSync('bash', ['-n'], { input: scripts.join('\n'), encoding: 'utf8' });
  expect(stderr).toBe('');
});

test('every command of the documents is correct by the program that runs it', () => {
  const commands = listCommands(blocks);
  const wrong = commands.flatMap((command) => {
    const reason = verifyCommand(command);
    return reason === null ? [] : [`${command.path}: ${command.words.join(' ')}: ${reason}`];
  });
  expect(wrong).toEqual([]);
  expect(commands.length).toBeGreaterThan(100);
});

test.each([
  ['hindsight why --basis main', 'no option --basis'],
  ['npm ci && npm run bench:nothing', 'no script bench:nothing'],
  ['npm run faults -- --shortest', 'no option --shortest'],
  ['DATA_FOLDER=/srv hindsight doctor', 'no setting DATA_FOLDER'],
  ['node bench/nothing.ts', 'does not exist'],
  ['curl -X PUT https://hindsight.example.org/api/debug', 'no route PUT /api/debug'],
  [`curl -d '{"message": 1}' https://hindsight.example.org/api/debug`, 'error_message'],
  ['helm install hindsight deploy/helm --set url=x', 'no value url=x'],
  ['rm -rf /tmp/x', 'neither run nor verified'],
])('%s is refused', (text, reason) => {
  expect(parseShell('x.md', text).map(verifyCommand).join('\n')).toContain(reason);
});
