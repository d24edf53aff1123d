import { expect } from 'vitest';
import {
  all,
  answered,
  append,
  at,
  brief,
  click,
  enabled,
  open,
  reload,
  see,
  sends,
  truth,
  unhindered,
} from './checks.ts';
import type { Screen } from './row.ts';
import { button, css, either, heading, link, role, type Target, text } from './targets.ts';

/** Something lies over the whole screen. */
const COVERS = `[...document.querySelectorAll('body *')].some((one) => {
  const { width, height } = one.getBoundingClientRect();
  return ['fixed', 'absolute'].includes(getComputedStyle(one).position) && width >= innerWidth && height >= innerHeight;
})`;

/** The editor's ground, drawn on a canvas to read it as red, green and blue. */
const DARK = `(() => {
  const canvas = document.createElement('canvas').getContext('2d');
  canvas.fillStyle = getComputedStyle(document.querySelector('.cm-editor')).backgroundColor;
  canvas.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
  return alpha > 0 && red + green + blue < 300;
})()`;

const ANALYSIS = {
  errors: [
    { line: 2, column: 1, end_line: 2, end_column: 2, message: 'Odd', severity: 'error', source: 'biome' },
  ],
  solution: 'Mend the second line.',
  checkers: ['biome'],
};

const banner: Target = (scope) => scope.getByRole('alert').filter({ hasText: 'The disk is on holiday.' });

const editor = css('.cm-content');
const file = (name: string) => either(role('treeitem', name), button(name), link(name));

/** Section 2, IDE. */
export const ide: Screen[] = [
  {
    section: 2,
    title: 'IDE',
    as: 'user',
    open: ({ talkative }) => `/ide/${talkative.id}`,
    ready: text('Select a file to start editing'),
    rows: [
      {
        what: 'an overlay over the whole screen',
        check: truth(COVERS),
      },
      { what: 'the project name', check: see(text('Talkative')) },
      { what: 'maximize', check: all(click(button('Maximize')), see(button('Restore size'))) },
      { what: 'and back', check: all(click(button('Restore size')), see(button('Maximize'))) },
      { what: 'close', check: see(button('Close editor')) },
      { what: 'Files', check: see(either(heading('Files'), text(/^Files$/))) },
      { what: 'folders expand', check: all(click(file('src')), see(file('cli.js'))) },
      { what: 'Select a file to start editing', check: see(text('Select a file to start editing')) },
      {
        what: 'a file opens in the editor',
        check: all(click(file('cli.js')), see(editor), see(text('readFileSync'))),
      },
      {
        what: 'in a dark theme',
        check: truth(DARK),
      },
      { what: 'Analyze', check: enabled(button('Analyze')) },
      { what: 'Save', check: see(button(/^Save/)) },
      {
        what: 'Issues Found',
        check: all(
          append(editor, '\nconst broken = ;\n'),
          click(button('Analyze')),
          see(text('Issues Found')),
        ),
      },
      { what: 'Line N: message', check: see(text(/Line \d+: /)) },
      {
        what: 'saving sends the content',
        section: 7,
        decision: '0030-saving-creates-a-commit',
        check: all(
          append(editor, '\n// saved\n'),
          sends(click(button(/^Save/)), 'POST', /\/files\/src(\/|%2F)cli\.js/, {
            content: expect.stringContaining('// saved'),
          }),
        ),
      },
      {
        what: 'the file is saved',
        section: 4,
        check: async (_, { call, accounts, talkative }) => {
          const params = { id: talkative.id, '*': 'src/cli.js' };
          const saved = () =>
            call<{ content: string }>('GET /ide/projects/:id/files/*', { as: accounts.user, params });
          await expect.poll(async () => (await saved()).body.content).toContain('// saved');
        },
      },
      {
        what: 'the commit says Update {path}',
        section: 7,
        check: async (_, { call, accounts, talkative }) => {
          const file = await call<{ commit: string }>('GET /ide/projects/:id/files/*', {
            as: accounts.user,
            params: { id: talkative.id, '*': 'src/cli.js' },
          });
          const params = { id: talkative.id, sha: file.body.commit };
          const { body } = await call<{ message: string }>('GET /projects/:id/commits/:sha', {
            as: accounts.user,
            params,
          });
          expect(body.message).toBe('Update src/cli.js');
        },
      },
      {
        what: 'analyzing shows that it loads',
        section: 4,
        check: all(
          answered(/\/debug\/ide$/, { afterMs: 1500 }),
          click(button('Analyze')),
          see(either(css('button[aria-busy=true]'), button(/Analyzing/))),
        ),
      },
      {
        what: 'a solution stands under AI Analysis:',
        section: 8,
        decision: '0029-no-browser-alerts',
        check: all(
          unhindered,
          answered(/\/debug\/ide$/, {
            json: ANALYSIS,
          }),
          click(button('Analyze')),
          see(text('AI Analysis:'), text('Mend the second line.')),
        ),
      },
      {
        what: 'a failure stands in a banner for 5 seconds',
        section: 8,
        check: all(
          unhindered,
          answered(/\/debug\/ide$/, { status: 500 }),
          brief(click(button('Analyze')), banner, 5_000),
          unhindered,
        ),
      },
      {
        what: 'close returns to the projects',
        check: all(click(button('Close editor')), at(/^\/projects/)),
      },
    ],
  },
  {
    section: 2,
    title: 'IDE of a project without files',
    as: 'user',
    open: ({ talkative }) => `/ide/${talkative.id}`,
    ready: text('Select a file to start editing'),
    rows: [
      {
        what: 'No files found',
        check: all(
          answered(/\/api\/ide\/projects\/[\w-]+\/files(\?|$)/, { json: {} }),
          reload,
          see(text('No files found')),
        ),
      },
    ],
  },
  {
    section: 2,
    title: 'IDE of a project that is not there',
    as: 'user',
    open: '/ide/0199-not-there',
    ready: text('Project not found'),
    rows: [
      { what: 'Project not found', check: see(text('Project not found')) },
      { what: 'Back to Projects', check: see(link('Back to Projects')) },
      { what: 'it is its own page', check: all(open('/ide/0199-not-there'), see(text('Project not found'))) },
    ],
  },
];
