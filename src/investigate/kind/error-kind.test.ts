import { expect, test } from 'vitest';
import type { EnvironmentFact } from '#contract/debug.ts';
import type { EnvironmentReport } from '../environment/compare-environment.ts';
import type { FoundGuard } from '../guard/find-guard.ts';
import type { PlacedFrame } from '../locate/place-frames.ts';
import { parseTrace } from '../trace/read-trace.ts';
import { measureEnvironmentFeatures } from './environment-features.ts';
import { decideKind, type ErrorExplanations, explainError, type KindEvidence } from './error-kind.ts';
import weights from './kind-weights.json' with { type: 'json' };

const names = Object.keys(weights.fault).filter((name) => name !== 'bias');
const noFault = Object.fromEntries(names.map((name) => [name, 0]));
const evidence: KindEvidence = {
  fault: noFault as unknown as KindEvidence['fault'],
  environment: measureEnvironmentFeatures(
    { facts: [], fault: null, outdated: null },
    { guard: null, owners: [], trace: parseTrace(''), frames: [] },
  ),
  ...{
    isForeign: false,
    isProgramError: true,
    isRuntimeOnly: false,
    isGuarded: false,
    isUnlocated: false,
    isReport: false,
    isInCaller: false,
    callerFailure: null,
  },
};
const printed = { ...evidence.fault, printedError: 1 };
const fault: ErrorExplanations = { fault: 0.6, environment: 0.1, intended: 0.3 };
const intended: ErrorExplanations = { fault: 0.3, environment: 0.1, intended: 0.6 };
const machine: ErrorExplanations = { fault: 0.1, environment: 0.6, intended: 0.3 };

test.each<[string, Partial<KindEvidence>, ErrorExplanations, string]>([
  ['a fault of the project', {}, fault, 'regression'],
  ['a misuse', {}, intended, 'usage'],
  ['no place', { isUnlocated: true, isProgramError: false }, fault, 'vague'],
  ['no place of a misuse', { isUnlocated: true }, intended, 'vague'],
  ['a fault of a program without a place', { isUnlocated: true }, fault, 'regression'],
  ['a guard', { isGuarded: true }, intended, 'guard'],
  ['a guard without a place', { isGuarded: true, isUnlocated: true }, intended, 'guard'],
  ['a guard that the project runs into itself', { isGuarded: true }, fault, 'regression'],
  ['a fault of the machine', {}, machine, 'environment'],
  ['a fault of the machine that a guard reports', { isGuarded: true }, machine, 'environment'],
  ['another project', { isForeign: true }, fault, 'foreign'],
  ['a complaint', { isForeign: true, isProgramError: false }, fault, 'vague'],
  ['a port that the runtime alone reports', { isForeign: true, isRuntimeOnly: true }, machine, 'environment'],
  ['a report in words', { isReport: true }, intended, 'regression'],
  ['an error that a program prints', { isReport: true, fault: printed }, intended, 'usage'],
  ['frames of the caller alone', { isInCaller: true }, fault, 'usage'],
  ['a check of the caller', { isInCaller: true, callerFailure: 'check' }, intended, 'regression'],
  ['a check without a place', { isUnlocated: true, callerFailure: 'check' }, intended, 'regression'],
  ['a value that the caller did not expect', { isInCaller: true, callerFailure: 'value' }, intended, 'usage'],
])('%s', (_, some, explanations, kind) =>
  expect(decideKind({ ...evidence, ...some }, explanations)).toBe(kind),
);

const isEnvironment = (
  fact: EnvironmentFact['fact'],
  { found = 'x', isGuarded = false }: { found?: string; isGuarded?: boolean } = {},
) => {
  const report: EnvironmentReport = { facts: [], outdated: null, fault: { fact, found } };
  const guard = isGuarded ? ({} as FoundGuard) : null;
  const trace = parseTrace('');
  const environment = measureEnvironmentFeatures(report, {
    ...{ guard, trace, frames: [] },
    owners: ['runtime', 'project'],
  });
  const named = { ...evidence.fault, guard: Number(isGuarded), outside: 1 };
  return explainError({ fault: named, environment }).environment > 0.5;
};

test('a fault of the machine outweighs the place in which it came up', () => {
  expect(isEnvironment('disk')).toBe(true);
  expect(isEnvironment('network', { isGuarded: true })).toBe(true);
  expect(isEnvironment('module')).toBe(true);
  expect(isEnvironment('file', { isGuarded: true })).toBe(false);
  expect(
    isEnvironment('module', { found: 'ImportError: LaTeX parsing requires antlr4', isGuarded: true }),
  ).toBe(true);
});

test('a guard that asks for a part of the machine is a fault of the machine', () => {
  const found = ["module 'lfs' not found:", 'sh: 1: git: not found', 'Text::CSV is not installed'];
  for (const one of found) expect(isEnvironment('module', { found: one, isGuarded: true })).toBe(true);
});

test.each([
  ['/srv/app/views/menu.txt', 0],
  ['views/menu.txt', 0],
  ['/etc/ssl/cert.pem', 1],
])('a caller in /srv/app lacks the file %s: %s', (path, file) => {
  const trace = parseTrace(`Error: ENOENT: no such file or directory, open '${path}'
    at render (/srv/app/node_modules/shop/menu.js:3:1)
    at main (/srv/app/index.js:9:1)`);
  const found = `ENOENT: no such file or directory, open '${path}'`;
  const report: EnvironmentReport = { facts: [], outdated: null, fault: { fact: 'file', found } };
  const features = measureEnvironmentFeatures(report, {
    ...{ guard: null, trace, frames: [] },
    owners: ['project', 'outside'],
  });
  expect(features.file).toBe(file);
});

test.each([
  ['No such file or directory @ rb_sysopen - production.env', 0],
  ["cannot open '': No such file or directory", 0],
  ['file(data/menu.csv): Failed to open stream: No such file or directory', 0],
  ['open /etc/shop.toml: no such file or directory', 1],
])('a program without a caller lacks a file: %s: %s', (found, file) => {
  const report: EnvironmentReport = { facts: [], outdated: null, fault: { fact: 'file', found } };
  const input = { guard: null, owners: ['project' as const], trace: parseTrace(found), frames: [] };
  expect(measureEnvironmentFeatures(report, input).file).toBe(file);
});

const COMPILED = 'src/shop/cart.go:12:9: undefined: errors.Join';
const IMPORTED = `Traceback (most recent call last):
  File "/srv/shop/__init__.py", line 1, in <module>
    from .cart import Cart
  File "/srv/shop/cart.py", line 3, in <module>
    TOTAL = re.compile(r'x', re.NOFLAG)
AttributeError: module 're' has no attribute 'NOFLAG'`;

test.each([
  ['the compiler rejects', COMPILED, ['cart.rows = append(cart.rows, row)', 'main()'], 1],
  ['an import runs', IMPORTED, ["TOTAL = re.compile(r'x', re.NOFLAG)", 'from .cart import Cart'], 1],
  ['a call runs', IMPORTED, ['return total / 0', 'print(cart.total())'], 0],
])('own code that %s', (_, text, quotes, expected) => {
  const trace = parseTrace(text);
  const frames = quotes.map((quote, depth) => ({
    ...{ frame: trace.frames[depth] ?? { path: 'main.go', line: 1 }, path: `${depth}`, line: 1 },
    ...{ depth, quote },
  })) as unknown as PlacedFrame[];
  const report: EnvironmentReport = { facts: [], outdated: null, fault: null };
  const owners = ['project' as const, 'project' as const];
  const features = measureEnvironmentFeatures(report, { guard: null, owners, trace, frames });
  expect(features.failsToLoad).toBe(expected);
});

test('the probabilities of the explanations add up to one', () => {
  const { fault: byFault, environment, intended: asIntended } = explainError(evidence);
  expect(byFault + environment + asIntended).toBeCloseTo(1);
  expect(explainError({ ...evidence, fault: { ...evidence.fault, workedBefore: 1 } }).fault).toBeGreaterThan(
    byFault,
  );
});
