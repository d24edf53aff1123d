import { expect } from 'vitest';
import {
  all,
  answered,
  at,
  click,
  count,
  fill,
  has,
  leads,
  reload,
  see,
  sends,
  styled,
  unhindered,
  unseen,
} from './checks.ts';
import type { Screen } from './row.ts';
import { button, css, either, field, heading, link, role, tab, text, within } from './targets.ts';

const main = css('main');
const dialog = role('dialog');
const chatTab = either(tab('Chat'), within(main, link('Chat')));
const ideTab = either(tab('IDE'), within(main, link('IDE')));

/** Section 2, Notifications and Dashboard. */
export const overview: Screen[] = [
  {
    section: 2,
    title: 'Dashboard',
    as: 'user',
    open: '/dashboard',
    ready: within(main, text(/Total Projects/i)),
    rows: [
      { what: 'total projects', check: see(within(main, text(/Total Projects/i))) },
      { what: 'total commits', check: see(within(main, text(/Total Commits/i))) },
      { what: 'solved errors', check: see(within(main, text(/Solved Errors/i))) },
      { what: 'active projects', check: see(within(main, text(/Active Projects/i))) },
      { what: 'View Projects', check: leads(within(main, link('View Projects')), '/projects') },
      { what: 'Debug Code', check: leads(within(main, link('Debug Code')), '/debug') },
      { what: 'View History', check: leads(within(main, link('View History')), '/history') },
      {
        what: 'up to 3 recent projects',
        section: 9,
        check: count(within(main, link(/^View(?! (Projects|History))/)), 3),
      },
      { what: 'a recent project shows its git_url', check: see(within(main, text(/ledger\.git/))) },
      {
        what: 'View leads to the project',
        check: leads(within(main, link(/^View(?! (Projects|History))/)), /^\/projects\/[\w-]+$/),
      },
      {
        what: 'a failure shows, with Retry',
        section: 8,
        decision: '0025-visible-errors',
        check: all(answered(/\/api\/dashboard/, { status: 500 }), reload, see(within(main, button('Retry')))),
      },
    ],
  },
  {
    section: 2,
    title: 'Dashboard without projects',
    as: 'newcomer',
    open: '/dashboard',
    ready: within(main, text(/Total Projects/i)),
    rows: [{ what: 'there are no recent projects', check: unseen(within(main, text(/\.git/))) }],
  },
  {
    section: 2,
    title: 'Notifications',
    as: 'user',
    open: '/notifications',
    ready: button('Mark all read'),
    rows: [
      { what: 'a title', check: see(within(main, heading('Ledger is ready'))) },
      {
        what: 'a relative time',
        section: 9,
        check: see(within(main, text(/just now|\d+ ?m(in)?|minutes? ago/))),
      },
      { what: 'a message', check: see(within(main, text(/\d+ commits? indexed/))) },
      { what: 'an action link', check: leads(within(main, link(/View details/)), /^\/|^https?:/) },
      {
        what: 'mark as read',
        section: 4,
        check: sends(click(within(main, button(/^Mark as read/))), 'POST', /\/notifications\/[\w-]+\/read$/),
      },
      {
        what: 'delete removes it',
        section: 4,
        check: sends(click(within(main, button(/^Delete/))), 'DELETE', /\/notifications\/[\w-]+$/),
      },
      {
        what: 'Mark all read',
        section: 4,
        check: sends(click(button('Mark all read')), 'POST', /\/notifications\/read-all$/),
      },
      {
        what: 'then nothing is unread',
        section: 4,
        check: async (page, world) => {
          await unseen(within(main, button(/^Mark as read/)))(page, world);
          const unread = () =>
            world.call<{ count: number }>('GET /notifications/unread-count', { as: world.accounts.user });
          await expect.poll(async () => (await unread()).body.count).toBe(0);
        },
      },
      {
        what: 'a skeleton while loading',
        check: all(
          answered(/\/api\/notifications(\?|$)/, { afterMs: 2000 }),
          reload,
          see(within(main, css('[aria-busy=true], [role=status]'))),
        ),
      },
      {
        what: 'Failed to load notifications: {message}',
        section: 8,
        check: all(
          unhindered,
          answered(/\/api\/notifications(\?|$)/, { status: 500 }),
          reload,
          see(text('Failed to load notifications: The disk is on holiday.')),
        ),
      },
      {
        what: 'a 404 is an empty list',
        section: 8,
        check: all(
          unhindered,
          answered(/\/api\/notifications(\?|$)/, { status: 404 }),
          reload,
          unseen(text('Failed to load notifications')),
          see(within(main, text(/no notifications|nothing/i))),
        ),
      },
    ],
  },
  {
    section: 2,
    title: 'Notifications, none yet',
    as: 'user',
    open: '/notifications',
    ready: heading(/Notifications/),
    rows: [
      {
        what: 'the empty state',
        check: all(
          answered(/\/api\/notifications(\?|$)/, { json: [] }),
          reload,
          see(within(main, text(/no notifications|nothing/i))),
        ),
      },
    ],
  },
];

/** Section 2, Projects and Project detail. */
export const projects: Screen[] = [
  {
    section: 2,
    title: 'Projects of a newcomer',
    as: 'newcomer',
    open: '/projects',
    ready: heading('Your Projects'),
    rows: [
      { what: 'No projects yet', check: see(text('No projects yet')) },
      { what: 'Add Your First Project', check: see(button('Add Your First Project')) },
      { what: 'name', check: see(within(main, field('Name'))) },
      { what: 'git_url', check: see(within(main, field('Git URL'))) },
      {
        what: 'name is required',
        section: 5,
        check: all(
          click(button('Add Your First Project')),
          has(within(main, field('Name')), 'aria-invalid', 'true'),
        ),
      },
      {
        what: 'git_url is required',
        section: 5,
        check: has(within(main, field('Git URL')), 'aria-invalid', 'true'),
      },
      {
        what: 'git_url has the form of an address',
        section: 5,
        check: all(
          fill(within(main, field('Name')), 'Something'),
          fill(within(main, field('Git URL')), 'not an address'),
          click(button('Add Your First Project')),
          has(within(main, field('Git URL')), 'aria-invalid', 'true'),
        ),
      },
      {
        what: '422 shows the validation error',
        check: all(
          answered(/\/api\/repositories\/check$/, {
            method: 'POST',
            json: { git_url: 'https://example.org/r', name: 'r', branch: 'main', duplicate_of: null },
          }),
          answered(/\/api\/projects$/, {
            method: 'POST',
            status: 422,
            json: {
              error: {
                code: 'invalid_input',
                message: 'Validation error: Please check your input.',
                request_id: 'r1',
              },
              detail: 'Validation error: Please check your input.',
            },
          }),
          fill(within(main, field('Git URL')), 'https://example.org/some/repository.git'),
          click(button('Add Your First Project')),
          see(text('Validation error: Please check your input.')),
        ),
        section: 5,
      },
    ],
  },
  {
    section: 2,
    title: 'Projects',
    as: 'user',
    open: '/projects',
    ready: link(/View Details.*Ledger|^View Details/),
    rows: [
      { what: 'Your Projects', check: see(heading('Your Projects')) },
      { what: 'refresh', check: see(button('Refresh Ledger')) },
      { what: 'description', check: see(within(main, text('Ledger adds up amounts.'))) },
      { what: 'git_url', check: see(within(main, text(/\/ledger\.git/))) },
      { what: 'created date', check: see(within(main, text(/Created/))) },
      { what: 'View Details', check: leads(link(/View Details ?: Ledger/), /^\/projects\/[\w-]+$/) },
      {
        what: 'chat',
        check: leads(within(main, link(/Chat.*Ledger|Ledger.*chat/i)), /^\/projects\/[\w-]+\/chat$/),
      },
      { what: 'the external link', check: has(link(/Open the repository of Ledger/), 'target', '_blank') },
      {
        what: 'the external link opens git_url',
        check: leads(link(/Open the repository of Ledger/), /ledger\.git$/),
      },
      {
        what: 'refresh asks the server',
        check: sends(click(button('Refresh Ledger')), 'POST', /\/projects\/[\w-]+\/refresh$/),
      },
      { what: 'Add Project', check: click(button('Add Project')) },
      { what: 'the Add New Project dialog', check: see(within(dialog, heading('Add New Project'))) },
      {
        what: 'description is optional',
        section: 5,
        check: see(within(dialog, field(/Description.*optional/i))),
      },
      {
        what: 'a failed load shows, with Retry',
        section: 8,
        decision: '0025-visible-errors',
        check: all(answered(/\/api\/projects$/, { status: 500 }), reload, see(within(main, button('Retry')))),
      },
    ],
  },
  {
    section: 2,
    title: 'Project',
    as: 'user',
    open: ({ project }) => `/projects/${project.id}`,
    ready: heading(/Ledger/),
    rows: [
      { what: 'the way back', check: leads(within(main, link(/Projects|Back/)), '/projects') },
      { what: 'the name', check: see(heading(/Ledger/)) },
      { what: 'the git url', check: see(within(main, text(/\/ledger\.git/))) },
      { what: 'the tab Commits', check: see(either(tab('Commits'), within(main, link('Commits')))) },
      { what: 'the tab Chat', check: see(chatTab) },
      { what: 'the tab IDE', check: see(ideTab) },
      {
        what: 'the external link to the git url',
        check: leads(within(main, link(/Repository|Open the/)), /ledger\.git$/),
      },
      { what: 'commits with message', check: see(within(main, text('Say how to run it'))) },
      {
        what: 'the chat tab is a card 600px high',
        check: all(click(chatTab), see(text('Chat with Ledger')), styled('main *', 'height', '600px')),
      },
      {
        what: 'the tab IDE goes to the editor',
        check: all(click(ideTab), at(/^\/ide\/[\w-]+$/)),
      },
    ],
  },
  {
    section: 2,
    title: 'Project that is not there',
    as: 'user',
    open: '/projects/0199-not-there',
    ready: text('Project not found'),
    rows: [
      { what: 'Project not found', section: 8, check: see(text('Project not found')) },
      { what: 'Back to Projects', check: leads(link('Back to Projects'), '/projects') },
    ],
  },
];
