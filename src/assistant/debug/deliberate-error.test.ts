import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import { indexRepository } from '#memory/testing.ts';
import { answerError } from './answer-error.ts';

const ERRORS = `const createError = require('./create-error');

module.exports = {
  ERR_DUPLICATED_ROUTE: createError(
    'ERR_DUPLICATED_ROUTE',
    "Method '%s' already declared for route '%s'",
  ),
  ERR_NO_ROUTE: createError('ERR_NO_ROUTE', 'Route is missing'),
};
`;
const steps = Array.from(
  { length: 70 },
  (_, i) => `  options.step${i} = options.step${i} ?? defaults.step${i};`,
);
const route = (guard: string) => `const { ERR_DUPLICATED_ROUTE, ERR_NO_ROUTE } = require('./errors');
const defaults = {};

function addRoute(router, options) {
  if (!options) throw new ERR_NO_ROUTE();
${steps.join('\n')}
  try {
    router.on(options.method, options.url);
  } catch (error) {
${guard}
    throw error;
  }
}

module.exports = { addRoute };
`;
const GUARD = `    const isDuplicate = error.message.includes(\`Method '\${options.method}' already declared for route\`);
    if (isDuplicate) {
      throw new ERR_DUPLICATED_ROUTE(options.method, options.url);
    }`;
/** Printed by a later release, so that its lines are in other places. */
const trace = (line: number) => `RouterError: Method 'GET' already declared for route '/a'
    at addRoute (/app/node_modules/router/lib/route.js:${line}:21)
    at Object.route (/app/routes.js:24:19)`;

let repository: TestRepository;
let answer: (line: number) => ReturnType<typeof answerError>;

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    const at = (day: string, message: string) => ({ date: `${day}T10:00:00Z`, author: 'Ada', message });
    const files = { 'package.json': '{ "name": "router" }\n', 'lib/errors.js': ERRORS };
    await repo.commit({ ...at('2022-01-05', 'Add routes'), files: { ...files, 'lib/route.js': route('') } });
    await repo.commit({
      ...at('2024-01-05', 'Fix error code of duplicated routes'),
      files: { 'lib/route.js': route(GUARD) },
    });
  });
  const index = await indexRepository(repository.path, 'main');
  const deps = { repo: repository.path, index, sessions: [], now: '2024-01-10T00:00:00Z' };
  answer = (line) => answerError({ error_message: trace(line) }, deps, 'en');
});
afterAll(() => repository.remove());

test.each([81, 60, 400])(
  'a trace with line %i leads to the statement that raises the declared error',
  async (line) => {
    const found = await answer(line);
    expect(found).toMatchObject({
      ...{ kind: 'guard', suspect_commits: [], related_commits: [], cause_confidence: null },
      guard: {
        ...{ path: 'lib/route.js', condition: 'if (isDuplicate)' },
        ...{ start_line: 80, end_line: 81 },
        commit: { message: 'Fix error code of duplicated routes' },
      },
      root_cause: { code: 'debug.cause.raised', params: { path: 'lib/route.js', line: 81 } },
    });
    expect(found.places[0]?.path).toBe('lib/route.js');
    const kinds = found.evidence.map(({ kind }) => kind);
    expect(kinds).not.toContain('suspect');
    expect(kinds).not.toContain('related');
    expect(found.solution).not.toContain('Suspect commit');
    expect(found.context.code_suggestions.join(' ')).not.toContain('Confirm the suspect');
  },
);

test('a comparison with the message is not its origin', async () => {
  const { evidence } = await answer(81);
  const origins = evidence
    .filter(({ kind }) => kind === 'origin')
    .map(({ path, lines }) => [path, lines?.[0]]);
  expect(origins).toEqual([['lib/errors.js', 6]]);
});
