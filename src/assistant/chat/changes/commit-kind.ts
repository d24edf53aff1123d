import { isFixCommit, isNonSource } from '#evolution/fixes.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';

/** Kinds of changes, in the order in which a reader wants them. */
export const COMMIT_KINDS = ['security', 'added', 'fixed', 'removed', 'changed', 'maintenance'] as const;
export type CommitKind = (typeof COMMIT_KINDS)[number];

/** `feat(scope)!: ` of conventional commits, `[scope] ` and `scope: ` of others. */
const PREFIX = /^(?:(?<type>[a-z]+)(?:\([^)]*\))?!?:\s+|\[[^\]]{1,30}\]\s*|[\w./-]{1,24}:\s+)/i;
const ADVISORY = /\b(?:CVE-\d{4}-\d+|GHSA-[\w-]+)\b/i;
const SECURITY =
  /^sec(?:urity)?\b|\bsecurity (?:fix|patch|issue|hole|bug|problem|vulnerabilit)|\bvulnerabilit(?:y|ies)\b/i;
const ADDED =
  /^(?:add(?:s|ed|ing)?|allow(?:s|ed|ing)?|implement(?:s|ed|ing)?|introduc(?:e[sd]?|ing)|support(?:s|ed|ing)?|new|enabl(?:e[sd]?|ing)|expos(?:e[sd]?|ing)|provid(?:e[sd]?|ing)|accept(?:s|ed|ing)?|creat(?:e[sd]?|ing))\b|\b(?:add|adds|added) (?:support|a|an|the|new|option|method|ability)\b|\bsupport for\b/i;
const REMOVED =
  /^(?:remov(?:e[sd]?|ing)|drop(?:s|ped|ping)?|delet(?:e[sd]?|ing)|deprecat(?:e[sd]?|ing)|disallow(?:s|ed|ing)?|revert(?:s|ed|ing)?)\b/i;
const MAINTENANCE =
  /^(?:merge|bump|release|prepare|version|changelog|update (?:changelog|readme|copyright|authors|dependenc|deps)|typo|lint|format|reformat|style|ci\b|tests?\b|docs?\b|chore|build\(|cleanup|clean up|rubocop|prettier|whitespace)|\b(?:typos?|dependabot|readme|changelog|copyright|gitignore|codecov|github actions?)\b/i;
/** Beginning of a subject that contradicts the type `feat`. */
const FIXES = /^fix(?:e[sd]|ing)?\b/i;
const MAINTENANCE_TYPES = new Set([
  'chore',
  'docs',
  'doc',
  'ci',
  'test',
  'tests',
  'style',
  'build',
  'deps',
  'release',
]);
const VERSION = /\bv?\d+(?:\.\d+)+\S*/;
/** Words of `chore: release acme 2.0.0`, `Prepare acme v2.0.0`, `Bump version to 2.0`. */
const RELEASE_WORDS = new Set(
  'release releases released releasing prepare prepares preparing version versions bump bumps bumped bumping cut tag set update updates make publish changelog notes new next for the of to v final development iteration'.split(
    ' ',
  ),
);
const VERSION_SUBJECT = /^v?\d+(?:\.\d+)+\S*$/;

/** True for a commit that only makes a release, of which every question with a version has the words. */
export function isVersionCommit({ commits }: RepositoryIndex, commit: number): boolean {
  const subject = commits.subject(commit).replace(/\(#\d+\)/g, ' ');
  if (!VERSION.test(subject)) return false;
  const words =
    subject
      .replace(PREFIX, '')
      .replace(VERSION, ' ')
      .toLowerCase()
      .match(/[a-z]+(?:-[a-z]+)*/g) ?? [];
  const others = words.filter((word) => !RELEASE_WORDS.has(word));
  // One more word is the name of the project.
  return others.length === 0 || (others.length === 1 && words.length > 1);
}

/** Classifies a commit by its message and paths. Merges and commits without source files are maintenance. */
export function commitKind(index: RepositoryIndex, commit: number): CommitKind {
  const { commits } = index;
  const subject = commits.subject(commit);
  const prefix = PREFIX.exec(subject);
  const type = prefix?.groups?.type?.toLowerCase() ?? '';
  const rest = prefix ? subject.slice(prefix[0].length) : subject;
  if (commits.parents(commit).length > 1 || VERSION_SUBJECT.test(rest)) return 'maintenance';
  if (ADVISORY.test(commits.message(commit))) return 'security';
  if (type === 'feat' || type === 'feature') return FIXES.test(rest) ? 'fixed' : 'added';
  if (MAINTENANCE_TYPES.has(type) || MAINTENANCE.test(subject) || !touchesSource(index, commit))
    return 'maintenance';
  if (SECURITY.test(subject)) return 'security';
  if (type === 'fix' || isFixCommit(index, commit)) return 'fixed';
  if (REMOVED.test(rest)) return 'removed';
  return ADDED.test(rest) ? 'added' : 'changed';
}

function touchesSource({ commits }: RepositoryIndex, commit: number): boolean {
  const paths = commits.paths(commit);
  return paths.length === 0 || paths.some((path) => !isNonSource(commits.path(path)));
}
