import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMailer } from './mailer.ts';
import { startMailServer } from './testing.ts';

const from = 'Hindsight <hindsight@example.org>';
const email = { subject: 'Contraseña', text: 'Hola\n\nUn enlace\n', html: '<p>Hola</p>' };
const silent = pino({ level: 'silent' });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindsight-mail-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('the mail server receives text and HTML with sender and recipient', async () => {
  const server = await startMailServer();
  const mailer = createMailer({ smtpUrl: server.url, from, folder, log: silent });
  await mailer.send('ada@example.org', email);
  await server.close();
  const [mail] = server.received;
  expect(mail).toMatchObject({ from: 'hindsight@example.org', to: 'ada@example.org' });
  expect(mail!.message).toMatch(/^Content-Type: multipart\/alternative/m);
  expect(mail!.message).toMatch(/^Auto-Submitted: auto-generated$/m);
  expect(mail!.message).toContain('Un enlace');
  expect(mail!.message).toContain('<p>Hola</p>');
});

test('a mail server that refuses or is unreachable is an error', async () => {
  const server = await startMailServer({ refuse: true });
  const mailer = createMailer({ smtpUrl: server.url, from, folder, log: silent });
  await expect(mailer.send('nobody@example.org', email)).rejects.toThrow(/550/);
  await server.close();
  await expect(mailer.send('ada@example.org', email)).rejects.toThrow(/ECONNREFUSED/);
});

test('without a mail server an email is a file readable by its owner only, and its path is logged', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const mailer = createMailer({ smtpUrl: null, from, folder: join(folder, 'mail'), log });
  await mailer.send('ada@example.org', email);
  const [name = ''] = await readdir(join(folder, 'mail'));
  const file = join(folder, 'mail', name);
  expect(JSON.parse(lines[0]!)).toMatchObject({ level: 40, file });
  expect(await readFile(file, 'utf8')).toMatch(
    /^Date: .* GMT\nFrom: Hindsight .*\nTo: ada@example\.org\nSubject: Contraseña\n[\s\S]*\n\nHola\n\nUn enlace\n$/,
  );
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});
