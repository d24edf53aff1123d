import { expect, test } from 'vitest';
import { type CommandEnd, classifyRun } from './classify-run.ts';
import { provePatch } from './prove-patch.ts';
import { reproduce } from './reproduce.ts';
import { runResultKey } from './run-result-key.ts';
import type { CommandRunner, RunOutcome, RunReport } from './runner.ts';

const signal = new AbortController().signal;
const ended = (exitCode: number | null, output = '', more: Partial<CommandEnd> = {}): CommandEnd => ({
  ...{ exitCode, signal: null, limit: null, output, ms: 1 },
  ...more,
});
const FAILURE = `=================================== FAILURES ===================================
___________________________________ test_total ___________________________________
>       assert total([1]) == 1
E       ValueError: no rate for region 7

tests/test_cart.py:5: ValueError
=========================== short test summary info ============================
1 failed in 0.02s`;

test.each<[string, CommandEnd, RunOutcome, string | null]>([
  ['success', ended(0, '1 passed in 0.02s'), 'good', null],
  ['a failed test', ended(1, FAILURE), 'bad', null],
  ['a crash', ended(139), 'bad', null],
  ['skip on purpose', ended(125), 'skip', 'exit_code'],
  ['a missing program', ended(127, 'sh: 1: pytest: not found'), 'skip', 'exit_code'],
  ['the time limit', ended(null, '', { limit: 'time', signal: 'SIGKILL' }), 'skip', 'time'],
  ['the processor limit', ended(null, '', { limit: 'cpu' }), 'skip', 'time'],
  ['a kill from outside', ended(null, '', { signal: 'SIGKILL' }), 'skip', 'killed'],
  ['no such test of pytest', ended(4, 'ERROR: not found: /x/test_cart.py::test_total\n'), 'skip', 'no_tests'],
  ['a skipped test', ended(0, '1 skipped in 0.01s'), 'skip', 'no_tests'],
  [
    'no such test of Go',
    ended(0, 'testing: warning: no tests to run\nPASS\nok  \tx\t0.1s [no tests to run]'),
    'skip',
    'no_tests',
  ],
  [
    'other packages without tests',
    ended(0, 'ok  \tx/a\t0.1s [no tests to run]\nok  \tx/b\t0.2s'),
    'good',
    null,
  ],
  ['no such test of Jest', ended(1, 'No tests found, exiting with code 1'), 'skip', 'no_tests'],
  [
    'a broken build of Go',
    ended(2, '# x\n./a.go:3:1: syntax error\nFAIL\tx [build failed]'),
    'skip',
    'build',
  ],
  ['a broken build of C', ended(2, 'make[1]: *** [Makefile:12: read.o] Error 1'), 'skip', 'build'],
  ['a missing module', ended(2, 'E   ModuleNotFoundError: No module named yaml'), 'skip', 'build'],
])('%s', (_, end, outcome, reason) => {
  expect(classifyRun(end, reason === 'build' ? FAILURE : null)).toMatchObject({
    outcome,
    skipReason: reason,
  });
});

test('with an expected failure, another one says nothing, and a failed import that is expected counts', () => {
  expect(classifyRun(ended(1, FAILURE), FAILURE.replaceAll('region 7', 'region 12')).outcome).toBe('bad');
  const other = FAILURE.replaceAll('ValueError: no rate for region 7', 'TypeError: unhashable list');
  expect(classifyRun(ended(1, other), FAILURE)).toMatchObject({
    outcome: 'skip',
    skipReason: 'other_failure',
  });
  const missing =
    'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nModuleNotFoundError: No module named \'shop\'';
  expect(classifyRun(ended(1, missing), missing).outcome).toBe('bad');
});

/** Replies one after the other. */
function replies(...outcomes: (RunOutcome | RunReport)[]): CommandRunner {
  return async () => {
    const next = outcomes.shift() ?? 'good';
    return typeof next === 'object' ? next : { outcome: next, skipReason: null, output: '', ms: 1 };
  };
}

const failing = (...names: string[]): RunReport => ({
  outcome: 'bad',
  skipReason: null,
  ms: 1,
  output: `=== short test summary info ===\n${names.map((name) => `FAILED tests/test_a.py::${name} - AssertionError`).join('\n')}\n=== ${names.length} failed in 0.1s ===`,
});

test('a failure is reproduced by three runs that agree; runs that disagree are flaky', async () => {
  const target = { commit: 'a'.repeat(40), command: 'x', patch: null, expected: null, signal };
  const states = async (...outcomes: (RunOutcome | RunReport)[]) => {
    const { state, runs, repeat } = await reproduce(replies(...outcomes), target);
    return [state, runs.length, repeat];
  };
  expect(await states('bad', 'bad', 'bad')).toEqual(['reproduced', 3, 1]);
  expect(await states('good', 'good', 'good')).toEqual(['passes', 3, 1]);
  expect(await states('bad', 'good', 'bad')).toEqual(['flaky', 3, 4]);
  expect(await states('good', 'good', 'bad')).toEqual(['flaky', 3, 10]);
  expect(await states('skip')).toEqual(['untestable', 1, 1]);
  const other = await reproduce(replies({ ...failing('test_a'), output: FAILURE }), {
    ...target,
    expected: 'KeyError: shipping address of the customer',
  });
  expect(other.state).toBe('flaky');
  const always: RunReport = { ...failing('test_a'), output: FAILURE };
  const expected = { ...target, expected: 'KeyError: shipping address of the customer' };
  expect((await reproduce(replies(always, always, always), expected)).state).toBe('other_failure');
});

test('a patch is verified only if red turns green twice and no further test fails', async () => {
  const options = { commit: 'a'.repeat(40), command: 'x', widerCommand: 'y', patch: 'diff', signal };
  const verdict = async (...outcomes: (RunOutcome | RunReport)[]) => {
    const { verdict: found, newFailures } = await provePatch(replies(...outcomes), options);
    return [found, ...newFailures];
  };
  expect(await verdict('good')).toEqual(['not_red']);
  expect(await verdict('skip')).toEqual(['untestable']);
  expect(await verdict('bad', 'bad')).toEqual(['not_green']);
  expect(await verdict('bad', 'good', 'bad')).toEqual(['not_green']);
  expect(await verdict('bad', 'good', 'good', 'good', 'good')).toEqual(['verified']);
  expect(await verdict('bad', 'good', 'good', failing('one', 'two'), failing('two'))).toEqual(['verified']);
  expect(await verdict('bad', 'good', 'good', failing('one'), failing('one', 'three'))).toEqual([
    'worse',
    'tests/test_a.py three',
  ]);
  expect(await verdict('bad', 'good', 'good', 'good', failing('three'))).toEqual([
    'worse',
    'tests/test_a.py three',
  ]);
  expect(await verdict('bad', 'good', 'good', 'bad', 'bad')).toEqual(['untestable']);
  const { runs } = await provePatch(replies('bad', 'good', 'good'), { ...options, widerCommand: null });
  expect(runs.map(({ step }) => step)).toEqual(['before', 'after', 'after_again']);
});

test('the key of a result depends on all that decides it, and on nothing that joins it', () => {
  const inputs = { command: 'a', tree: 'b' };
  const keys = [
    inputs,
    { ...inputs, patch: 'c' },
    { ...inputs, setup: 'c' },
    { command: 'a b', tree: '' },
  ].map(runResultKey);
  expect(new Set(keys).size).toBe(4);
  expect(runResultKey({ tree: 'b', command: 'a' })).toBe(keys[0]);
});
