import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import { openSourceReader } from '#investigate/locate/source-reader.ts';
import { LANGUAGES } from '#locales/languages.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { indexRepository } from '#memory/testing.ts';
import { answerText } from '../answer/answer-text.ts';
import type { ToolContext } from '../tools/tool.ts';
import { answerFeatures, isReleaseRange } from './answer-features.ts';
import { chooseAnswers, isOpenAnswer } from './choose.ts';
import { formatChoice } from './format-choice.ts';
import type { IntentAnswer } from './intents/intent.ts';
import { offerReadings } from './offer-readings.ts';
import type { RangeEnd } from './understand/entities.ts';
import { INTENTS, type Intent } from './understand/reading.ts';
import { readQuestion } from './understand/readings.ts';
import { findUnknownNames } from './understand/unknown-names.ts';

let repository: TestRepository;
let index: RepositoryIndex;
let context: ToolContext;

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    await repo.commit({
      message: 'Weigh parcels',
      files: {
        'package.json':
          '{ "name": "depot", "scripts": { "test": "vitest", "start": "node src" }, "dependencies": { "left-pad": "^1.0.0" } }\n',
        'src/scales/parcel.js':
          "import pad from 'left-pad';\n\n/** Weighs a parcel in grams. */\nexport function weighParcel(parcel) {\n  return pad(parcel.weight, DEFAULT_WIDTH);\n}\n",
        'src/scales/truck.js':
          "import { weighParcel } from './parcel.js';\n\nexport class Truck {\n  load(parcel) {\n    return weighParcel(parcel);\n  }\n}\n",
        'src/scales/depot.js': `import { pack } from './pack.js';\n${'pack(parcel);\n'.repeat(20)}`,
        'src/scales/pack.js': 'export function pack(parcel) {\n  return parcel;\n}\n',
        'src/scales/ship.js': 'export class Ship {\n  load(parcel) {\n    return parcel;\n  }\n}\n',
      },
    });
    await repo.tag('v2.3.0');
    await repo.commit({ message: 'Drop letters', files: { 'src/letters.js': null } });
  });
  index = await indexRepository(repository.path, 'main');
  const sources = openSourceReader(repository.path, index);
  context = {
    repo: repository.path,
    index,
    sources,
    hunks: null,
    now: Date.parse('2026-01-01') / 1000,
  } as ToolContext;
});
afterAll(async () => {
  context.sources.close();
  await repository.remove();
});

const choose = async (text: string) => {
  const readings = await readQuestion(text, [], context);
  const choice = await chooseAnswers(readings, context);
  return { readings, choice, offered: offerReadings(choice, readings, text, context) };
};
const unknownIn = async (text: string) => {
  const [reading] = await readQuestion(text, [], context);
  return findUnknownNames(text, reading!.mentions, context);
};

test('the likeliest reading with an answer is chosen, and at most three are answered', async () => {
  const { choice } = await choose('Which functions call weighParcel?');
  expect(choice).toMatchObject({ isCertain: true, best: [{ reading: { intent: 'callers' } }] });
  expect(choice.best.length + choice.others.length).toBeLessThanOrEqual(3);
});

test('a tentative answer says how often such are right, and shows places first where it is unlikely and about code', async () => {
  const formatted = async (text: string, confidence = 0.69) => {
    const { choice, readings } = await choose(text);
    const tentative = { ...choice, isCertain: false, isTentative: true, confidence };
    return { answer: choice.best[0]!.answer.text, text: await formatChoice(tentative, readings, context) };
  };
  const code = await formatted('Where is `weighParcel` defined?');
  expect(code.text).toMatch(/^Not certain: about 6 in 10 answers like this one are right\.\n/);
  expect(code.text.indexOf('Best matching code:')).toBeLessThan(code.text.indexOf(code.answer));
  const likely = await formatted('Where is `weighParcel` defined?', 0.7);
  expect(likely.text).toMatch(/^Not certain: about 7 in 10 /);
  expect(likely.text.indexOf(likely.answer)).toBeLessThan(likely.text.indexOf('Best matching code:'));
  const history = await formatted('Who wrote `weighParcel`?');
  expect(history.text.indexOf(history.answer)).toBeLessThan(history.text.indexOf('Best matching code:'));
  expect(history.text).toContain(history.answer);
});

test('the same question has the same answer on a busy thread', async () => {
  const calm = await choose('weighParcel in the truck');
  const busyUntil = performance.now() + 200;
  const pending = choose('weighParcel in the truck');
  while (performance.now() < busyUntil);
  const busy = await pending;
  expect(busy.choice.best.map(({ answer }) => answer.text)).toEqual(
    calm.choice.best.map(({ answer }) => answer.text),
  );
  expect(busy.choice.others.length).toBe(calm.choice.others.length);
});

test('a question about a name that is nowhere is not answered with certainty', async () => {
  const { choice } = await choose('Where is `OrbitalLaunchWindow` defined?');
  expect(choice).toMatchObject({ isCertain: false, unknown: { names: ['OrbitalLaunchWindow'] } });
});

test('equally good meanings are offered as questions that name them', async () => {
  const { offered } = await choose('What does `load` do?');
  expect(offered.slice(0, 2).toSorted((a, b) => a.text.localeCompare(b.text))).toEqual([
    { text: 'Did you mean Ship.load?', question: 'What does `Ship.load` do?' },
    { text: 'Did you mean Truck.load?', question: 'What does `Truck.load` do?' },
  ]);
  expect(offered.length).toBeLessThanOrEqual(5);
});

test('a long list of references offers the whole of it', async () => {
  const { offered, choice } = await choose('Where is `pack` used?');
  expect(offered[0]!.text).toBe('Show all 20 references');
  const all = await choose(offered[0]!.question);
  const items = (text: string) => text.match(/^- /gm)!.length;
  expect(items(choice.best[0]!.answer.text)).toBeLessThan(20);
  expect(items(all.choice.best[0]!.answer.text)).toBe(20);
  expect(all.offered.map(({ text }) => text)).not.toContain('Show all 20 references');
});

const NAMES: Partial<Record<Intent, string>> = {
  dependency_use: 'left-pad',
  hotspots: 'src/scales',
  changes: 'src/scales/parcel.js',
  co_change: 'src/scales/parcel.js',
  tests: 'src/scales/parcel.js',
  fixed_in_range: 'v2.3.0',
};
const OFFERED = INTENTS.filter(
  (intent): intent is Exclude<Intent, 'search' | 'overview' | 'how_to' | 'commit'> =>
    !['search', 'overview', 'how_to', 'commit'].includes(intent),
);

test.each(LANGUAGES)('offered questions in %s are understood as what they offer', async (language) => {
  for (const intent of OFFERED) {
    const name = `\`${NAMES[intent] ?? 'weighParcel'}\``;
    const question = answerText({ language, now: context.now }, `ask.${intent}`, { name });
    const [reading] = await readQuestion(question, [], { ...context, language });
    expect([question, reading!.intent]).toEqual([question, intent]);
  }
});

test.each([
  ['Where is `weighParcel` defined since 2024?', {}],
  ['Why does `WarpDrive` use --hyper-speed?', { names: ['WarpDrive', '--hyper-speed'] }],
  ['What changed in 2.3.0?', {}],
  ['What changed in 9.9.9?', { versions: ['9.9.9'] }],
  ['What did f00dbabe1 do to 1234567 parcels?', { commits: ['f00dbabe1'] }],
  ['Who wrote the O(n^1.5) parser of 1.1.2015?', { periods: ['2015-01-01'] }],
  ['Wozu ist der weighParcel()-Aufruf da?', {}],
  ['Does it run on Python 3.12?', { properNames: ['Python'] }],
  ['Is a size of 10M parsed?', {}],
  // Both words are in the code, and no file has the flag.
  ['What does --weight-width do?', { names: ['--weight-width'] }],
  ['What did Grace Brewster change?', { people: ['Grace Brewster'], properNames: ['Grace', 'Brewster'] }],
  ['How does numpy sort arrays?', { foreignWords: ['numpy'] }],
  ['Wie ist das Wetter in der Garage?', {}],
  ['Does the parcel work with Kubernetes?', { properNames: ['Kubernetes'], foreignWords: ['kubernetes'] }],
])('unknown parts of %j', async (text, expected) => {
  const { wordShare: _, ...found } = await unknownIn(text);
  const nothing = { names: [], versions: [], periods: [], commits: [], issues: [], people: [] };
  expect({ ...found, foreignWords: 'people' in expected ? [] : found.foreignWords }).toEqual({
    ...nothing,
    ...{ properNames: [], foreignWords: [], asksOutside: false },
    ...expected,
  });
});

test.each([
  ['What changed between 2.3.0 and 9.9.9?', 'There is no tag for version `9.9.9`. The closest are `v2.3.0`.'],
  [
    'What did Grace Brewster change in src/scales/truck.js?',
    'Nobody named `Grace Brewster` has committed to this repository.',
  ],
  ['What was committed in March 2005?', 'There are no commits in 2005-03: the indexed history begins on '],
  ['Explain commit f00dbabe1', 'There is no commit `f00dbabe1`.'],
  ['What was discussed in issue #987654?', 'No commit message mentions `#987654`.'],
  ['What is the default of `maxCrates` in Truck?', 'Neither the code nor its history contains `maxCrates`.'],
])('%j is declined, and the answer says what was not found', async (text, sentence) => {
  const { choice, readings } = await choose(text);
  expect(choice).toMatchObject({ lacksSubject: true, isCertain: false });
  expect(await formatChoice(choice, readings, context)).toContain(sentence);
});

test.each([
  ['who', 'Who built the refunds?', true],
  ['who', 'Who wrote the parcel?', true],
  ['who', 'Who wrote `weighParcel`?', false],
  ['tests', 'Which tests cover the refunds?', false],
  ['explanation', 'How does weighParcel work?', false],
  ['explanation', 'How does the truck work?', true],
  ['hotspots', 'What are the hotspots?', false],
  ['overview', 'What is this project for?', false],
  ['changes', 'Which refunds changed this year?', true],
  ['search', 'scales of `weighParcel`', true],
] as const)('an answer of the intent %s to %j is open: %j', async (intent, question, isOpen) => {
  const [reading] = await readQuestion(question, [], context);
  const answer = { text: '', evidence: 1, understood: { key: intent, params: {} } } as IntentAnswer;
  expect(isOpenAnswer({ reading: { ...reading!, intent }, answer })).toBe(isOpen);
});

test('a range is one of releases where both of its ends are points of the history', () => {
  const end = (label: string, oid: string | null) => ({ label, oid, time: 0 });
  const isRange = (from: RangeEnd, to: RangeEnd) => isReleaseRange({ entity: { kind: 'range', from, to } });
  expect(isRange(end('v1', 'a'), end('v2', 'b'))).toBe(true);
  expect(isRange(end('v1', 'a'), end('HEAD', 'b'))).toBe(false);
  expect(isRange(end('2020', null), end('v2', 'b'))).toBe(false);
});

test('how developers test, build or release a project is no open question, and how users run it is', async () => {
  const answerOf = async (text: string) => {
    const { choice } = await choose(text);
    return { intent: choice.best[0]!.reading.intent, isOpen: isOpenAnswer(choice.best[0]!) };
  };
  expect(await answerOf('How do I run the tests?')).toEqual({ intent: 'how_to', isOpen: false });
  expect(await answerOf('How do I start it?')).toEqual({ intent: 'how_to', isOpen: true });
});

test('an answer about a guessed subject is compared with the best places for the question, one about a name is not', async () => {
  const featuresOf = async (text: string) => {
    const { choice } = await choose(text);
    const { reading, answer } = choice.best[0]!;
    return { ...(await answerFeatures(reading, answer, choice.unknown, context)), intent: reading.intent };
  };
  const guessed = await featuresOf('Where are the parcels weighed in grams?');
  expect(guessed).toMatchObject({ exactMention: 0, placeAgrees: 1 });
  const named = await featuresOf('Where is `weighParcel` defined?');
  expect(named).toMatchObject({ intent: 'definition', exactMention: 1 });
  expect(named).not.toHaveProperty('placeAgrees');
});
