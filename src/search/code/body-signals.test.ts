import { expect, test } from 'vitest';
import { readBody } from './body-signals.ts';
import { computeCallSignals } from './call-signals.ts';

const PYTHON = `def moor(rope):
    """Moors it."""
    # Twice.
    if rope and tie(rope):
        raise ValueError(tie(moor(None)))`;

test('branches, calls and comments of a function are read', () => {
  const body = readBody(PYTHON.split('\n'), 'moor');
  expect(body).toMatchObject({ branches: 1, raises: true });
  expect([...body.calls].sort()).toEqual(['ValueError', 'tie']);
  expect(body.commentShare).toBeCloseTo(33 / PYTHON.length, 1);
});

test('rows of generated code are skipped', () => {
  expect(readBody([`if (${'a('.repeat(300)}`], 'f')).toMatchObject({ branches: 0, commentShare: 0 });
});

test('a call passes relevance to the called function and back, less where several have its name', () => {
  const candidate = (name: string, text: string) => ({ name, body: readBody([text], name) });
  const functions = [
    candidate('sail', 'haul(); sail()'),
    candidate('haul', 'return 1'),
    candidate('haul', 'return 2'),
  ];
  const { bestCaller, callees } = computeCallSignals(functions, [1, 0.5, 0.1]);
  const rounded = (values: Float64Array) => Array.from(values, (value) => value.toFixed(3));
  expect(rounded(bestCaller!)).toEqual(['0.000', '0.707', '0.707']);
  expect(rounded(callees!)).toEqual(['0.262', '0.000', '0.000']);
});
