import { all, answered, click, has, open, reload, see, unhindered } from './checks.ts';
import type { Check, Row, Screen } from './row.ts';
import { LANGUAGES } from './samples.ts';
import { button, css, heading, role, text, within } from './targets.ts';

const main = css('main');
const editor = css('.cm-content');
const NOTIFICATIONS = /\/api\/notifications(\?|$)/;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const openSample = (ending: string): Check =>
  all(
    click(within(role('tree'), role('treeitem', `one.${ending}`))),
    see(css(`nav[title="samples/one.${ending}"]`)),
  );

/** Section 9, where time and the endings of files decide. */
export const constants: Screen[] = [
  {
    section: 9,
    title: 'Relative time',
    as: 'user',
    open: '/notifications',
    ready: heading('Notifications'),
    rows: [
      { what: 'minutes under 60', check: all(happened(59 * MINUTE_MS), see(within(main, text(/59 ?m/)))) },
      { what: 'hours under 24', check: all(happened(23 * HOUR_MS), see(within(main, text(/23 ?h/)))) },
      { what: 'days under 7', check: all(happened(6 * DAY_MS), see(within(main, text(/6 ?d/)))) },
      {
        what: 'then the date',
        check: all(happened(8 * DAY_MS), see(within(main, text(dateOf(8 * DAY_MS))))),
      },
    ],
  },
  {
    section: 9,
    title: 'Languages of the editor',
    as: 'user',
    open: ({ samples }) => `/ide/${samples.id}`,
    ready: text('Select a file to start editing'),
    rows: [
      {
        what: 'the folder of samples',
        check: all(click(within(role('tree'), role('treeitem', 'samples'))), see(role('treeitem', 'one.js'))),
      },
      ...Object.entries(LANGUAGES).map(
        ([ending, language]): Row => ({
          what: `${ending} is ${language}`,
          check: all(openSample(ending), has(editor, 'data-language', language)),
        }),
      ),
      {
        what: 'anything else is plain text',
        check: all(openSample('txt'), has(editor, 'data-language', null)),
      },
      {
        what: 'a file that can not be loaded says so',
        section: 8,
        decision: '0025-visible-errors',
        check: all(
          reload,
          see(text('Select a file to start editing')),
          answered(/\/api\/ide\/projects\/[\w-]+\/files\/.+/, { status: 500 }),
          click(within(role('tree'), role('treeitem', 'README.md'))),
          see(text('The disk is on holiday.')),
          unhindered,
        ),
      },
      {
        what: 'a tree that can not be loaded says so, with Retry',
        section: 8,
        decision: '0025-visible-errors',
        check: all(
          answered(/\/api\/ide\/projects\/[\w-]+\/files(\?|$)/, { status: 500 }),
          reload,
          see(button('Retry')),
        ),
      },
    ],
  },
  {
    section: 8,
    title: 'Loads that fail',
    as: 'user',
    open: '/projects',
    ready: heading('Your Projects'),
    rows: [
      {
        what: 'commits of a project, with Retry',
        decision: '0025-visible-errors',
        check: all(
          answered(/\/api\/projects\/[\w-]+\/commits/, { status: 500 }),
          opened('/commits'),
          see(within(main, button('Retry'))),
        ),
      },
      {
        what: 'the overview of a project, with Retry',
        decision: '0025-visible-errors',
        check: all(
          unhindered,
          answered(/\/api\/projects\/[\w-]+\/overview/, { status: 500 }),
          opened(),
          see(within(main, button('Retry'))),
        ),
      },
      {
        what: 'feedback, with Retry',
        decision: '0025-visible-errors',
        check: all(
          unhindered,
          answered(/\/api\/history\/feedback/, { status: 500 }),
          open('/history'),
          click(role('tab', 'Feedback')),
          see(within(main, button('Retry'))),
        ),
      },
      {
        what: 'a project that fails to load',
        decision: '0025-visible-errors',
        check: all(
          unhindered,
          answered(/\/api\/projects\/[\w-]+$/, { status: 500 }),
          opened(),
          see(within(main, button('Retry'))),
        ),
      },
    ],
  },
];

/** The page of the ledger, or one of its tabs. */
function opened(tab = ''): Check {
  return async (page, world) => {
    await page.goto(`/projects/${world.project.id}${tab}`);
  };
}

/** One notification of so long ago. */
function happened(agoMs: number): Check {
  return async (page, world) => {
    const sentence = { code: 'notifications.none', params: {}, text: 'Something happened' };
    const notification = {
      id: 'n1',
      type: 'info',
      title: sentence.text,
      message: sentence.text,
      sentence: { title: sentence, message: sentence },
      read: true,
      created_at: new Date(Date.now() - agoMs - 1_000).toISOString(),
      action_url: null,
    };
    await unhindered(page, world);
    await answered(NOTIFICATIONS, { json: [notification] })(page, world);
    await page.reload();
  };
}

/** `Nov 12`, in whatever order and with or without its year. */
function dateOf(agoMs: number): RegExp {
  const date = new Date(Date.now() - agoMs - 1_000);
  return new RegExp(date.toLocaleDateString('en-US', { month: 'short', day: 'numeric' }));
}
