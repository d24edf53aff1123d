import { expect, test } from 'vitest';
import type { EnvironmentFact } from '#contract/debug.ts';
import type { FoundGuard } from '../guard/find-guard.ts';
import { decideKind } from './error-kind.ts';

type Input = Parameters<typeof decideKind>[0];

const match: Input['match'] = {
  ...{ frames: 2, matchedFrames: 2, originShare: 0, definesError: false, namesPackage: false, names: [] },
  ...{ hasLanguage: true, topic: 0, score: 4 },
};
const foreign = { ...match, matchedFrames: 0, score: 0 };
const guard = { isInvariant: false } as FoundGuard;
const fault = (fact: EnvironmentFact['fact'], found = 'x') => ({
  environment: { facts: [], outdated: null, fault: { fact, found } },
});
const caller = (faultProbability: number, evidence: Partial<Input['caller']> = {}) => {
  const features = { workedBefore: 0, recency: 0, frameRecency: 0 };
  const chances = { faultProbability, probability: 1 - faultProbability };
  return { caller: { ...chances, features, failedAt: null, ...evidence } } as Pick<Input, 'caller'>;
};
const failedAt = { isInRepository: false } as Input['caller']['failedAt'];
const recent = { workedBefore: 0, recency: 0.8, frameRecency: 0 } as Input['caller']['features'];

test.each<[string, Partial<Input>, string]>([
  ['a fault of the project', caller(0.7), 'defect'],
  ['a misuse', caller(0.3), 'caller'],
  ['code of others that the project calls back', caller(0.9, { failedAt }), 'caller'],
  ['the same after a change of the project', caller(0.9, { failedAt, features: recent }), 'defect'],
  ['no place', { ...caller(0.7), isUnlocated: true }, 'unclear'],
  ['a guard', { ...caller(0.3), guard }, 'raised_on_purpose'],
  ['a guard without a place', { ...caller(0.3), guard, isUnlocated: true }, 'raised_on_purpose'],
  ['a guard that the project runs into itself', { ...caller(0.7), guard }, 'defect'],
  ['a failed invariant', { ...caller(0.7), guard: { ...guard, isInvariant: true } }, 'defect'],
  ['another project', { match: foreign }, 'unclear'],
  [
    'another program that failed to load this package',
    { ...caller(0.3), match: { ...foreign, namesPackage: true } },
    'caller',
  ],
  ['a full disk', fault('disk'), 'environment'],
  ['a full disk that a guard reports', { ...fault('disk'), guard }, 'environment'],
  ['a missing file that a guard reports', { ...fault('file'), ...caller(0.3), guard }, 'raised_on_purpose'],
  ['a refused connection that the project passes on', { ...fault('network'), guard }, 'environment'],
  [
    'a report in words',
    { ...caller(0.4), match: { ...foreign, frames: 0, topic: 0.9 }, owners: [] },
    'defect',
  ],
  ['words of another project', { match: { ...foreign, frames: 0, topic: 0.1 }, owners: [] }, 'unclear'],
  [
    'an optional dependency that a guard asks for',
    { ...fault('module', 'ImportError: LaTeX parsing requires antlr4'), guard },
    'environment',
  ],
  ['a port that the runtime alone reports', { ...fault('port'), match: foreign }, 'environment'],
  [
    'a port that another program reports',
    { ...fault('port'), match: foreign, owners: ['outside', 'runtime'] },
    'unclear',
  ],
])('%s', (_, input, kind) => {
  const base: Input = {
    ...{ match, environment: { facts: [], outdated: null, fault: null }, guard: null },
    ...{ ...caller(0.5), owners: ['runtime'], isUnlocated: false },
  };
  expect(decideKind({ ...base, ...input })).toBe(kind);
});
