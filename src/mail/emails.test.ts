import { expect, test } from 'vitest';
import english from '#locales/en/mail.json' with { type: 'json' };
import { renderEmail } from './emails.ts';

const link = 'https://hindsight.example/reset-password#a_secret-1';
const contents = { kind: 'password_reset', name: 'ada', link } as const;

test('the text and HTML of an email match and have no unfilled placeholders', () => {
  const { subject, text, html } = renderEmail({ ...contents, language: 'en' });
  expect(subject).toBe('Reset your Hindsight password');
  expect(text).toMatch(/^Hello ada,\n\n/);
  expect(text.split('\n')).toContain(link);
  expect(text).toMatch(/-- \nHindsight at https:\/\/hindsight\.example\n$/);
  expect(html).toContain(`<a href="${link}">Choose a new password</a>`);
  expect(text + html).not.toMatch(/\{\{|undefined/);
});

test('every language has its own texts', () => {
  const emails = (['en', 'es', 'fr', 'de'] as const).map((language) =>
    renderEmail({ ...contents, language }),
  );
  expect(new Set(emails.map(({ subject }) => subject)).size).toBe(4);
  for (const { text } of emails) {
    expect(text).toContain('ada');
    expect(text).toContain(link);
  }
});

test('parameters are escaped in HTML', () => {
  const { html } = renderEmail({ ...contents, language: 'en', name: '<b>"&' });
  expect(html).toContain('Hello &lt;b&gt;&quot;&amp;,');
});

/** A new kind of email is rendered here in every language by itself. */
const KINDS = Object.keys(english).filter((kind) => kind !== 'greeting' && kind !== 'signature');

test.each(KINDS)('%s has texts of its own in every language, without unfilled placeholders', (kind) => {
  const languages = ['en', 'es', 'fr', 'de'] as const;
  const emails = languages.map((language) =>
    renderEmail({ ...contents, kind: kind as 'password_reset', language, date: new Date(0), count: 3 }),
  );
  for (const part of ['subject', 'text', 'html'] as const) {
    expect(new Set(emails.map((email) => email[part])).size).toBe(4);
  }
  for (const { subject, text, html } of emails)
    expect(subject + text + html).not.toMatch(/\{\{|\}\}|undefined/);
});
