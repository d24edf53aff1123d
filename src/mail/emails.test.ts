import { expect, test } from 'vitest';
import { renderEmail } from './emails.ts';

const link = 'https://hindsight.example/reset-password#a_secret-1';
const contents = { kind: 'password_reset', name: 'ada', link } as const;

test('a letter says the same as text and as HTML, and fills every hole', () => {
  const { subject, text, html } = renderEmail({ ...contents, language: 'en' });
  expect(subject).toBe('Set a new password for Hindsight');
  expect(text).toMatch(/^Hello ada,\n\n/);
  expect(text.split('\n')).toContain(link);
  expect(text).toMatch(/-- \nHindsight at https:\/\/hindsight\.example\n$/);
  expect(html).toContain(`<a href="${link}">Set a new password</a>`);
  expect(text + html).not.toMatch(/\{\{|undefined/);
});

test('every language writes its own letter', () => {
  const letters = (['en', 'es', 'fr', 'de'] as const).map((language) =>
    renderEmail({ ...contents, language }),
  );
  expect(new Set(letters.map(({ subject }) => subject)).size).toBe(4);
  for (const { text } of letters) {
    expect(text).toContain('ada');
    expect(text).toContain(link);
  }
});

test('what is put into a letter stays text in HTML', () => {
  const { html } = renderEmail({ ...contents, language: 'en', name: '<b>"&' });
  expect(html).toContain('Hello &lt;b&gt;&quot;&amp;,');
});
