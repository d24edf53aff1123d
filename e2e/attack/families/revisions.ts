import type { HttpRequest } from '../client.ts';
import type { Family, Input } from '../family.ts';
import type { Who, World } from '../world.ts';

/*
 * Unpushed edits of one member, requested by others in every spelling. Invariant: only their author can read them, by any
 * way to name a revision, and commits that upstream removed are not readable.
 */

const DRAFT = 'draft-of-the-editor-51c8';
const REMOVED = 'removed-by-force-93ab';
const FILE = 'src/draft.js';

let project: string;
let sha = '';
let removedSha = '';

const branch = (world: World) => `hindsight/${world.users.editor.username}`;

/** Spellings of the branch, and of the commit, as a caller may write them. */
const NAMES: Record<string, (world: World) => string> = {
  'the branch': branch,
  'refs/heads': (world) => `refs/heads/${branch(world)}`,
  heads: (world) => `heads/${branch(world)}`,
  'the hash': () => sha,
  'eight digits': () => sha.slice(0, 8),
  'seven digits': () => sha.slice(0, 7),
  'the hash in capitals': () => sha.toUpperCase(),
  'the branch with ^0': (world) => `${branch(world)}^0`,
  'the branch with ~0': (world) => `${branch(world)}~0`,
  'the branch with @{0}': (world) => `${branch(world)}@{0}`,
  'the hash with ^{commit}': () => `${sha}^{commit}`,
  'a describe name': () => `x-1-g${sha.slice(0, 10)}`,
  'a range': (world) => `HEAD..${branch(world)}`,
  'a glob': () => 'hindsight/*',
  'a search of messages': () => ':/Draft',
  'what was removed by force': () => removedSha,
  'what was removed, eight digits': () => removedSha.slice(0, 8),
};

/** Ways to name a revision. */
const WAYS: Record<string, (name: string) => HttpRequest> = {
  tree: (name) => ({ path: `/api/ide/projects/${project}/files?ref=${encodeURIComponent(name)}` }),
  'file of the editor': (name) => ({
    path: `/api/ide/projects/${project}/files/${FILE}?ref=${encodeURIComponent(name)}`,
  }),
  'file of the project': (name) => ({
    path: `/api/projects/${project}/files/${FILE}?ref=${encodeURIComponent(name)}`,
  }),
  commit: (name) => ({ path: `/api/projects/${project}/commits/${encodeURIComponent(name)}` }),
  search: (name) => ({
    path: `/api/search?project_id=${project}&q=${DRAFT}&revision=${encodeURIComponent(name)}`,
  }),
  debug: (name) => ({
    ...{ method: 'POST', path: '/api/debug' },
    body: { error_message: `Error: ${DRAFT}\n    at f (${FILE}:1:1)`, project_id: project, revision: name },
  }),
  'read_file over MCP': (name) => mcp('read_file', { path: FILE, revision: name }),
  'show_commit over MCP': (name) => mcp('show_commit', { commit: name }),
  'compare_revisions over MCP': (name) => mcp('compare_revisions', { from: 'main', to: name }),
  'blame_lines over MCP': (name) => mcp('blame_lines', { path: FILE, from: 1, to: 1, revision: name }),
};

const mcp = (name: string, args: object): HttpRequest => ({
  ...{ method: 'POST', path: '/mcp', headers: { accept: 'application/json, text/event-stream' } },
  body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: { ...args, project } } },
});

const READERS: Who[] = ['viewer', 'owner'];

const inputs: Input[] = Object.entries(WAYS).map(([way, request]) => ({
  name: `${way}: every spelling by other members`,
  act: async (world) => {
    const found: string[] = [];
    for (const [name, spell] of Object.entries(NAMES)) {
      for (const who of way === 'debug' ? (['viewer'] as Who[]) : READERS) {
        const reply = await world.send(who, request(spell(world)));
        // What the caller sent may come back; the draft's own words are another text.
        if (reply.text.includes(`${DRAFT}-text`) || reply.text.includes(`${REMOVED}-text`)) {
          found.push(`${name} by ${who}`);
        } else if (way === 'tree' && reply.status === 200 && reply.text.includes('draft.js')) {
          found.push(`${name} by ${who}`);
        }
      }
    }
    return found.length === 0 ? null : `shown for: ${found.join(', ')}`;
  },
  short: /tree|commit$|search/.test(way),
}));

/** Places that show text of the project without a revision. */
const PLACES: Input[] = [
  ['search', () => `/api/search?project_id=${project}&q=${DRAFT}`],
  ['lines', () => `/api/search/lines?project_id=${project}&q=${DRAFT}`],
  ['changes', () => `/api/search/history?project_id=${project}&q=${DRAFT}&match=exact`],
  ['mentions', () => `/api/chat/projects/${project}/mentions?q=draft`],
  ['history', () => `/api/history/commits/${project}`],
  ['commits', () => `/api/projects/${project}/commits`],
  ['notifications', () => '/api/notifications'],
  ['dashboard', () => '/api/dashboard'],
].map(([name, path]) => ({
  name: `${name} without a revision`,
  as: 'viewer' as Who,
  requests: () => ({ path: (path as () => string)() }),
  check: ([reply]) => (reply?.text.includes(`${DRAFT}-text`) ? 'shows the draft' : null),
}));

export const revisions: Family = {
  name: 'revisions',
  modes: ['default'],
  async setup(world) {
    const { id } = await world.connect('owner', 'drafts', async (repo) => {
      await repo.commit({ message: 'Begin', files: { 'README.md': '# Drafts\n', 'src/a.js': 'a();\n' } });
      await repo.commit({ message: 'Removed later', files: { [FILE]: `// ${REMOVED}-text\n` } });
    });
    project = id;
    for (const [who, role] of [
      ['editor', 'editor'],
      ['viewer', 'viewer'],
    ] as const) {
      const body = { identifier: world.users[who].username, role };
      await world.prepare('owner', { method: 'POST', path: `/api/projects/${id}/members`, body });
    }
    const repo = world.repositories.open('drafts');
    removedSha = await repo.git(['rev-parse', 'main']);
    await repo.git(['update-ref', 'refs/heads/main', 'main~1']);
    await world.prepare('owner', { method: 'POST', path: `/api/projects/${id}/refresh` });
    await world.untilIndexed('owner', id);
    const body = { content: `// ${DRAFT}-text\n`, commit_message: `Draft ${DRAFT}-text` };
    const path = `/api/ide/projects/${id}/files/${FILE}`;
    sha = String((await world.prepare('editor', { method: 'POST', path, body })).commit);
  },
  inputs: [
    ...inputs,
    ...PLACES,
    {
      name: 'the author finds the draft',
      act: async (world) => {
        const reply = await world.send('editor', { path: `/api/ide/projects/${project}/files/${FILE}` });
        return reply.text.includes(`${DRAFT}-text`) ? null : `answered ${reply.status}`;
      },
      short: true,
    },
  ],
};
