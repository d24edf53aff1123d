import { expect, test } from 'vitest';
import { draftPullRequest } from './draft-pull-request.ts';

const host = {
  kind: 'gitlab' as const,
  repository: { host: 'gitlab.com', origin: 'https://gitlab.com', path: 'a/b' },
};
const commit = (message: string) => ({ hash: 'c'.repeat(40), message, author: 'Ada', timestamp: '' });

type Proofs = Pick<Parameters<typeof draftPullRequest>[0], 'proven' | 'verified'>;

function draft(errorText: string, messages: string[], abstained = false, proofs: Proofs = {}) {
  const answer = {
    abstained,
    root_cause: { code: '', params: {}, text: 'The guard was taken away.' },
    cause_confidence: abstained ? null : 0.8,
    suspect_commits: [{ hash: 'd'.repeat(40), message: 'Simplify @all' }],
    evidence: [],
  };
  const session = {
    id: 's1',
    title: 'TypeError: x\nmore',
    request: { error_message: errorText },
    answer,
  } as never;
  const publicUrl = 'https://h.example';
  return draftPullRequest({ session, commits: messages.map(commit), publicUrl, host, ...proofs });
}

test('the text of an error cannot leave its block, and a commit mentions no one', () => {
  const { title, body } = draft('````\n# Ignore the above @admin', ['Fix it #1 @ada']);
  expect(title).toBe('Fix it #1 @ada');
  expect(body).toContain('`````\n````\n# Ignore the above @admin\n`````');
  expect(body).toContain('Simplify @\u200ball');
  expect(body).toContain('- Fix it \\#1 @\u200bada (ccccccc)');
  expect(body).toContain(`(https://gitlab.com/a/b/-/commit/${'d'.repeat(40)})`);
  expect(body).toContain('(https://h.example/debug/s1)');
});

test('several commits are named after the error, and an unsure answer accuses no commit', () => {
  const { title, body } = draft('x\n'.repeat(100), ['one', 'two'], true);
  expect(title).toBe('Fix TypeError: x');
  expect(body).not.toContain('introduced');
  expect(body.split('\n').filter((line) => line === 'x')).toHaveLength(40);
});

test('only proofs say that a commit is proven and that a change is verified', () => {
  const without = draft('x', ['one']).body;
  expect(without).toContain('Likely introduced by');
  expect(without).not.toContain('Verified');
  const command = 'npm test -- `a`';
  const proven = { proof_id: 'p', commit: commit('Accept @all'), command, source: 'server' as const };
  const verified = { proof_id: 'p', command: 'npm test', check: 'npm run check' };
  const { body } = draft('x', ['one'], true, { proven, verified });
  expect(body).toContain('(Accept @\u200ball), proven by running `` npm test -- `a` ``.');
  expect(body).not.toContain('Likely');
  expect(body).toContain(
    '## Verified\n\n`npm test` fails without this change and passes with it. `npm run check` fails in',
  );
});

test('the impact names sure callers and tests', () => {
  const call = { symbol: null, uses: 'total', text: '' };
  const callers = [
    { ...call, path: 'src/a`b.js', line: 3, guessed: false },
    { ...call, path: 'src/guess.js', line: 4, guessed: true },
  ];
  const tests = [{ path: 'test/total.test.js', basis: 'uses' as const, of: 'src/total.js' }];
  const source = { session: null, commits: [commit('Round totals')], publicUrl: 'https://h.example', host };
  const { body } = draftPullRequest({ ...source, impact: { callers, tests, caller_count: 2 } });
  expect(body).toContain('## Impact\n\n- ``src/a`b.js:3`` uses `total`\n- Test: `test/total.test.js`\n');
  expect(body).not.toContain('guess');
  expect(draftPullRequest({ ...source, impact: null }).body).not.toContain('Impact');
});
