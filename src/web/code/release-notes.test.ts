import { expect, test } from 'vitest';
import { draftReleaseNotes } from './release-notes.ts';

const commit = (subject: string, kind: 'fix' | 'merge' | 'change' | 'revert' = 'change') => ({
  ...{ hash: 'a1b2c3d4e5f6', author: 'Ada', timestamp: '', subject, kind },
});

test('changes are grouped by kind, prefixes become scopes, merges are left out', () => {
  const commits = [
    commit('feat(router)!: drop regexes'),
    commit('feat(router): add wildcards'),
    commit('fix(parser): handle empty bodies', 'fix'),
    commit("Merge branch 'side'", 'merge'),
    commit('Bump version'),
  ];
  const titles = { breaking: 'Breaking', features: 'Features', fixes: 'Fixes', other: 'Other' };
  expect(draftReleaseNotes(commits, { title: 'v2', titles })).toBe(
    '## v2\n\n### Breaking\n\n- Drop regexes (router) (a1b2c3d)\n\n### Features\n\n- Add wildcards (router) (a1b2c3d)\n\n' +
      '### Fixes\n\n- Handle empty bodies (parser) (a1b2c3d)\n\n### Other\n\n- Bump version (a1b2c3d)\n',
  );
});
