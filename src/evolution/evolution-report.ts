import type { Coupling, Evolution, FileActivity, MeasuredScope } from '#contract/evolution.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { yieldIfDue } from '#scheduling/yield.ts';
import { measureActivity } from './activity.ts';
import { readAuthors } from './authors.ts';
import { findCoupledPairs } from './coupled-pairs.ts';
import { type FileChanges, findConcentration, measureFileChanges, rankHotspots } from './file-changes.ts';
import { measureFolderRisk } from './folder-risk.ts';
import { type HistoryFacts, readHistoryFacts } from './history-facts.ts';
import { measureKnowledge } from './knowledge.ts';
import { dividePeriods } from './periods.ts';
import { type HistoryScope, selectChanges } from './scoped-changes.ts';

/** Part of the history as a reader asks for it: days such as `2024-05-31`, both included, and a folder or file. */
export interface EvolutionScope {
  from?: string | undefined;
  to?: string | undefined;
  path?: string | undefined;
}

interface EvolutionSource {
  repo: string;
  index: RepositoryIndex;
  signal?: AbortSignal | undefined;
}

const DAY = 86_400;
const DEFAULT_DAYS = 365;
const MAX_HOTSPOTS = 200;
const MAX_FIXED_FILES = 100;
const MAX_PAIRS = 100;

/** Measures a scope of the history from the index; git is asked for `.mailmap` only. */
export async function measureEvolution(source: EvolutionSource, query: EvolutionScope): Promise<Evolution> {
  const { index, signal } = source;
  const { facts, scope, measured } = resolveScope(index, query);
  const authors = await readAuthors(source);
  const changes = selectChanges(index, facts, scope);
  await yieldIfDue(signal);
  const { unit, starts } = dividePeriods(scope.from, scope.to);
  const activity = measureActivity(changes, { facts, authors, starts, from: scope.from });
  const files = measureFileChanges(index, facts, changes);
  await yieldIfDue(signal);
  const knowledge = measureKnowledge(index, { facts, authors, path: scope.path, to: scope.to });
  await yieldIfDue(signal);
  const risk = measureFolderRisk(changes, { facts, authors, path: scope.path, to: scope.to });
  const fixed = files
    .filter(({ fixes }) => fixes > 0)
    .sort((a, b) => b.fixes - a.fixes || b.changes - a.changes);
  const sum = (field: 'commits' | 'bots' | 'fixes' | 'reverts') =>
    activity.periods.reduce((total, period) => total + period[field], 0);
  return {
    scope: measured,
    unit,
    periods: activity.periods.map(({ start, ...counts }) => ({ start: isoDay(start), ...counts })),
    activity: {
      commits: sum('commits'),
      bot_commits: sum('bots'),
      people: activity.people.length,
      new_people: activity.newPeople,
      contributors: activity.people.slice(0, 50).map(presentContributor),
      bots: activity.bots.slice(0, 20).map(presentContributor),
    },
    hotspots: presentFiles(index, rankHotspots(files), { limit: MAX_HOTSPOTS, value: ({ changes: n }) => n }),
    fixes: {
      ...presentFiles(index, fixed, { limit: MAX_FIXED_FILES, value: ({ fixes }) => fixes }),
      fixes: sum('fixes'),
      reverts: sum('reverts'),
    },
    knowledge: {
      files: knowledge.files,
      bus_factor: knowledge.busFactor,
      people_count: knowledge.people.length,
      people: knowledge.people
        .slice(0, 50)
        .map(({ last, ...person }) => ({ ...person, last_day: isoDay(last) })),
      orphaned_count: knowledge.orphaned.length,
      orphaned: knowledge.orphaned
        .slice(0, 100)
        .map(({ last, ...file }) => ({ ...file, last_day: isoDay(last) })),
    },
    risk: risk.slice(0, 100),
  };
}

/** Finds the coupled pairs of a scope. */
export async function measureCoupling(
  { index, signal }: EvolutionSource,
  query: EvolutionScope,
): Promise<Coupling> {
  const { facts, scope, measured } = resolveScope(index, query);
  const changes = selectChanges(index, facts, scope);
  await yieldIfDue(signal);
  const pairs = findCoupledPairs(index, facts, changes, MAX_PAIRS);
  return {
    scope: measured,
    pairs: pairs.map(({ changesA, changesB, last, ...pair }) => ({
      ...pair,
      changes_a: changesA,
      changes_b: changesB,
      last_commit: index.commits.oid(last),
    })),
  };
}

/** Resolves a scope: the 12 months up to the newest commit by default, never beyond the history. */
function resolveScope(
  index: RepositoryIndex,
  query: EvolutionScope,
): { facts: HistoryFacts; scope: HistoryScope; measured: MeasuredScope } {
  const facts = readHistoryFacts(index);
  const { first, last } = findExtent(facts.times);
  const isEmpty = first > last;
  const end = isEmpty ? startOfDay(Date.now() / 1000) : startOfDay(last);
  const to = query.to === undefined ? end : Math.min(parseDay(query.to), end);
  const from = query.from === undefined ? to - DEFAULT_DAYS * DAY : parseDay(query.from);
  const start = Math.min(to, isEmpty ? from : Math.max(from, startOfDay(first)));
  const path = normalizeFolder(query.path);
  const measured = {
    ...{ commit: index.revision, from: isoDay(start), to: isoDay(to), path },
    first_day: isEmpty ? null : isoDay(first),
    last_day: isEmpty ? null : isoDay(last),
  };
  return { facts, scope: { from: start, to: to + DAY, path }, measured };
}

/** First and last author time that can be true: some commits carry 1970 or a time to come. */
function findExtent(times: Float64Array): { first: number; last: number } {
  const now = Date.now() / 1000;
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const time of times) {
    if (!(time >= DAY && time <= now + DAY)) continue;
    first = Math.min(first, time);
    last = Math.max(last, time);
  }
  return { first, last };
}

/** Path without slashes at its ends. */
export function normalizeFolder(path: string | undefined): string {
  return (path ?? '').replace(/^\/+|\/+$/g, '');
}

function presentContributor({
  first,
  last,
  ...rest
}: ReturnType<typeof measureActivity>['people'][number]): Evolution['activity']['contributors'][number] {
  return { ...rest, first_day: isoDay(first), last_day: isoDay(last) };
}

function presentFiles(
  { commits }: RepositoryIndex,
  ranked: readonly FileChanges[],
  { limit, value }: { limit: number; value: (file: FileChanges) => number },
): Evolution['hotspots'] {
  return {
    count: ranked.length,
    concentration: findConcentration(ranked.map(value)),
    files: ranked.slice(0, limit).map(
      ({ last, lastFix, ...file }): FileActivity => ({
        ...file,
        last_commit: commits.oid(last),
        last_fix: lastFix < 0 ? null : commits.oid(lastFix),
      }),
    ),
  };
}

const parseDay = (day: string) => Date.parse(`${day}T00:00:00Z`) / 1000;
const startOfDay = (time: number) => Math.floor(time / DAY) * DAY;
const isoDay = (time: number) => new Date(time * 1000).toISOString().slice(0, 10);
