import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountRoutes } from '#contract/account.ts';
import { analysisRoutes } from '#contract/analysis.ts';
import { chatRoutes } from '#contract/chat.ts';
import { debugRoutes } from '#contract/debug.ts';
import { SHOP_TRACE } from '#investigate/testing.ts';
import { LANGUAGES, type Language } from '#locales/languages.ts';
import { openShopApp, type ServedShop, type ShopApp, serveShop } from '../testing-shop.ts';

let served: ServedShop;
let app: ShopApp;

beforeAll(async () => {
  served = await serveShop();
  app = await openShopApp(served);
});
afterAll(async () => {
  await app.close();
  await served.close();
});

async function choose(language: Language): Promise<void> {
  const { status } = await app.call(
    accountRoutes.updateProfile,
    { body: { preferences: { language } } },
    app.ada,
  );
  expect(status).toBe(200);
}

async function ask(message: string): Promise<string> {
  const params = { id: app.project.id };
  await app.call(chatRoutes.clear, { params }, app.ada);
  const { status, body } = await app.call(chatRoutes.send, { params, body: { message } }, app.ada);
  expect(status).toBe(200);
  return body.response;
}

test.each([
  ['en', /was added on 5 Jan 2023 \(\d+ years ago\) in `\w{7}`/, 'No language model is configured.'],
  [
    'es',
    /se añadió el 5 ene 2023 \(hace \d+ años\) en `\w{7}`/,
    'No hay ningún modelo de lenguaje configurado.',
  ],
  [
    'fr',
    /a été ajouté le 5 janv\. 2023 \(il y a \d+ ans\) dans `\w{7}`/,
    'Aucun modèle de langage n’est configuré.',
  ],
  ['de', /wurde am 5\. Jan\. 2023 \(vor \d+ Jahren\) in `\w{7}`/, 'Es ist kein Sprachmodell eingerichtet.'],
] as const)(
  'the same question is answered in the language of a reader in %s',
  async (language, sentence, notice) => {
    await choose(language);
    const response = await ask('When was src/money.js added?');
    // French sets a no-break space between a number and its unit.
    expect(response.replaceAll('\u00a0', ' ')).toMatch(sentence);
    expect(response).toContain(notice);
    expect(response).toContain('“Print totals”');
  },
);

const QUESTIONS = [
  'Who wrote src/money.js?',
  'Who are the main contributors?',
  'Why is applyDiscount the way it is?',
  'What changed since 2024-01-01?',
  'Where is applyDiscount defined?',
  'Where is applyDiscount used?',
  'Explain src/region.js',
  'Which files change most often?',
  'What usually changes together with src/money.js?',
  'How was a crash with an unknown discount code fixed before?',
  'tax rates of regions',
  'zzzz',
];
/** English words of ours; those of the repository are in quotes or in code. */
const ENGLISH = /\b(?:was|were|changed|commits? by|defined in|files that|fixes|most recently|added)\b/i;

test.each(LANGUAGES.filter((language) => language !== 'en'))(
  'no answer mixes English into %s',
  async (language) => {
    await choose(language);
    for (const question of QUESTIONS) {
      const response = await ask(question);
      const own = response
        .replace(/```[\s\S]*?```/g, '')
        .replace(/`[^`]*`|„[^“]*“|“[^”]*”|«[^»]*»/g, '')
        .replace(/^>.*$/gm, '')
        // German asks with it.
        .replace(/\bWas\b/g, '');
      expect(own, question).not.toMatch(ENGLISH);
      expect(own, question).not.toMatch(/\{\{|answers\./);
    }
  },
);

test.each([
  ['en', '### Root cause', '### Earlier fixes', 'Confirm the suspect'],
  ['es', '### Causa raíz', '### Correcciones anteriores', 'Confirma el commit sospechoso'],
  ['fr', '### Cause première', '### Corrections antérieures', 'Confirmez le commit suspect'],
  ['de', '### Ursache', '### Frühere Korrekturen', 'Bestätigen Sie den Verdacht'],
] as const)(
  'an error is answered in the language of a reader in %s',
  async (language, cause, fixes, advice) => {
    await choose(language);
    const body = { error_message: SHOP_TRACE, project_id: app.project.id };
    const { status, body: answer } = await app.call(debugRoutes.debug, { body }, app.ada);
    expect(status).toBe(200);
    expect(answer.solution).toContain(cause);
    expect(answer.solution).toContain(fixes);
    expect(answer.context.code_suggestions[0]).toContain(advice);
    expect(answer.root_cause?.code).toMatch(/^debug\.cause\./);
    // Tools of the API and stored findings stay independent of the language.
    expect(answer.root_cause?.text).toMatch(/ fails\. |The most likely cause is /);
  },
);

test('the editor analysis is in the language of the reader', async () => {
  await choose('de');
  const params = { id: app.project.id };
  const body = { code: 'const a = ;\n', file_path: 'src/money.js', use_reference_pack: true };
  const { body: analysis } = await app.call(analysisRoutes.analyze, { params, body }, app.ada);
  expect(analysis.solution).toContain('### Ergebnisse der Prüfprogramme');
  expect(analysis.solution).toContain('Beheben Sie zuerst Zeile 1');
  expect(analysis.solution).toContain('### Frühere Korrekturen in dieser Datei');
});
