import { expect, test } from 'vitest';
import type { Project } from '#contract/projects.ts';
import { readListOptions, selectProjects } from './project-selection.ts';

const project = (name: string, more: Partial<Project> = {}): Project => ({
  ...{ id: name, name, git_url: `https://git.example/${name}`, description: null, role: 'owner' },
  ...{ created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z', status: 'ready' },
  ...{ activity: null, failure: null, branch: 'main', indexed_commit: 'a', indexed_at: null, coverage: null },
  ...{ fetched_at: null, behind: 0, weeks: null, may_push: false, may_push_default: false, may_run: false },
  ...more,
});
const names = (query: string, projects: Project[]) =>
  selectProjects(projects, readListOptions(new URLSearchParams(query))).projects.map(({ name }) => name);

test('projects are found, filtered and sorted by the address', () => {
  const projects = [
    project('beta', { behind: 3, created_at: '2026-03-01T00:00:00Z' }),
    project('alpha', { weeks: [0, 5] }),
    project('gamma', { status: 'queued', description: 'Alpha of the team' }),
  ];
  expect(names('', projects)).toEqual(['beta', 'alpha', 'gamma']);
  expect(names('sort=name', projects)).toEqual(['alpha', 'beta', 'gamma']);
  expect(names('sort=active', projects)[0]).toBe('alpha');
  expect(names('q=ALPHA', projects)).toEqual(['alpha', 'gamma']);
  expect(names('state=behind', projects)).toEqual(['beta']);
  expect(names('state=busy', projects)).toEqual(['gamma']);
  expect(names('state=odd&sort=odd&page=-1', projects)).toHaveLength(3);
});

test('a page beyond the last shows the last', () => {
  const projects = Array.from({ length: 30 }, (_, at) => project(`p${at}`));
  expect(names('page=2', projects)).toHaveLength(6);
  expect(names('page=99', projects)).toHaveLength(6);
});
