import {
  all,
  answered,
  at,
  brief,
  choose,
  chosen,
  click,
  count,
  enabled,
  fill,
  has,
  inWorld,
  reads,
  reload,
  see,
  sends,
  unhindered,
  unseen,
} from './checks.ts';
import type { Screen } from './row.ts';
import { button, css, either, field, heading, link, role, tab, text, within } from './targets.ts';

const main = css('main');

/** Section 2, Debug Assistant. */
export const debug: Screen[] = [
  {
    section: 2,
    title: 'Debug Assistant',
    as: 'user',
    open: '/debug',
    ready: button('Find Solution'),
    rows: [
      { what: 'its name', check: see(heading('Debug Assistant')) },
      { what: 'error message', check: see(field('Error message')) },
      { what: 'code snippet', check: see(field('Code snippet')) },
      { what: 'file path', check: see(field('File path')) },
      { what: 'project', check: see(field('Project')) },
      { what: 'Select a project', check: chosen(field('Project'), 'Select a project') },
      { what: 'additional context', check: see(field('Additional context')) },
      { what: 'Find Solution', check: enabled(button('Find Solution')) },
      {
        what: 'a placeholder until a result arrives',
        check: see(within(main, text(/will appear here/))),
      },
      {
        what: 'the error message is required',
        section: 5,
        check: all(click(button('Find Solution')), has(field('Error message'), 'aria-invalid', 'true')),
      },
      { what: 'the project is required', section: 5, check: has(field('Project'), 'aria-invalid', 'true') },
      {
        what: 'a failure shows, with Retry',
        section: 8,
        decision: '0025-visible-errors',
        check: all(
          answered(/\/api\/debug$/, { status: 500 }),
          inWorld(({ error }) => fill(field('Error message'), error)),
          choose(field('Project'), 'Ledger'),
          click(button('Find Solution')),
          see(text('The disk is on holiday.')),
          unhindered,
        ),
      },
      {
        what: 'the payload: error_message, code_snippet, file_path, additional_context, project_id',
        section: 3,
        check: all(
          fill(field('Code snippet'), 'parseAmount(entry.amount)'),
          fill(field('File path'), 'src/read/amount.js'),
          fill(field('Additional context'), 'Since the clean-up'),
          inWorld(({ project, error }) =>
            sends(click(button('Find Solution')), 'POST', /\/debug$/, {
              error_message: error.trim(),
              code_snippet: 'parseAmount(entry.amount)',
              file_path: 'src/read/amount.js',
              additional_context: 'Since the clean-up',
              project_id: project.id,
            }),
          ),
        ),
      },
      {
        what: 'the result arrives',
        check: all(at(/^\/debug\/[\w-]+$/), see(text('Was this solution helpful?'))),
      },
    ],
  },
  {
    section: 2,
    title: 'Result',
    as: 'user',
    open: ({ session }) => `/debug/${session.id}`,
    ready: text('Was this solution helpful?'),
    rows: [
      { what: 'AI Solution', check: see(heading('AI Solution')) },
      { what: 'a confidence percentage, rounded', section: 9, check: reads(main, /\b\d{1,3}\s?%/) },
      { what: 'Recommended Fix', check: see(heading('Recommended Fix')) },
      {
        what: 'a copied indicator for 2 seconds',
        section: 9,
        check: brief(click(within(main, button(/^Copy/))), text(/Copied/), 2_000),
      },
      { what: 'Similar Past Solutions', check: see(heading(/Similar Past Solutions/)) },
      {
        what: 'at most 2 of them, with a similarity',
        section: 9,
        check: count(within(main, text(/\d+% similar/)), 2),
      },
      { what: 'Best Practices', check: see(heading('Best Practices')) },
      { what: 'a list of them', check: see(css('section:has(:text("Best Practices")) li')) },
      { what: 'Was this solution helpful?', check: see(text('Was this solution helpful?')) },
      {
        what: 'No sends Solution needs improvement',
        section: 3,
        decision: '0027-feedback-session-id',
        check: inWorld(({ session }) =>
          sends(click(button('No')), 'POST', /\/history\/feedback$/, {
            debug_query_id: session.id,
            helpful: false,
            comments: 'Solution needs improvement',
          }),
        ),
      },
      {
        what: 'Yes sends Solution was helpful',
        section: 3,
        check: sends(click(button('Yes')), 'POST', /\/history\/feedback$/, {
          helpful: true,
          comments: 'Solution was helpful',
        }),
      },
      { what: 'Thanks for your feedback!', check: see(text('Thanks for your feedback!')) },
      {
        what: 'a failure of sending feedback shows, with Retry',
        section: 8,
        decision: '0025-visible-errors',
        check: all(
          answered(/\/api\/history\/feedback$/, { status: 500 }),
          click(button('No')),
          see(text('The disk is on holiday.'), button('Retry')),
        ),
      },
    ],
  },
];

/** Section 2, History. */
export const history: Screen[] = [
  {
    section: 2,
    title: 'History',
    as: 'user',
    open: '/history',
    ready: tab('Commit History'),
    rows: [
      { what: 'the first project is preselected', check: chosen(field('Project'), 'Ledger') },
      { what: 'Commit History', check: see(tab('Commit History')) },
      { what: 'Feedback', check: see(tab('Feedback')) },
      { what: 'count N commits', check: see(within(main, text(/\b\d+ commits\b/))) },
      { what: 'message', check: see(within(main, text('Say how to run it'))) },
      { what: 'author', check: see(within(main, text('Bea Ortiz'))) },
      {
        what: 'a short US date and time',
        check: see(within(main, text(/Mar 20, 2024,? \d{1,2}:\d{2} [AP]M/))),
      },
      {
        what: 'the first 7 characters of the hash',
        section: 9,
        check: see(within(main, text(/^[0-9a-f]{7}$/))),
      },
      { what: 'up to 3 changed files and +N more', section: 9, check: see(within(main, text(/^\+2 more$/))) },
      {
        what: 'count N responses',
        check: all(click(tab('Feedback')), see(within(main, text(/\b\d+ responses?\b/)))),
      },
      {
        what: 'thumbs up',
        check: see(within(main, css('svg.lucide-thumbs-up'))),
      },
      { what: 'the comment', check: see(within(main, text('Solution was helpful'))) },
      { what: 'the date', check: see(within(main, css('time'))) },
      {
        what: 'a project without feedback',
        check: all(choose(field('Project'), 'Abacus'), see(text('No feedback yet for this solution'))),
      },
      {
        what: 'a project without commits',
        check: all(
          click(tab('Commit History')),
          choose(field('Project'), 'Missing'),
          see(text('No commits found for this project')),
        ),
      },
      {
        what: 'a broken date is Invalid time',
        check: all(
          answered(/\/api\/(history\/commits\/|projects\/[\w-]+\/commits)/, {
            json: {
              commits: [
                {
                  id: 'a',
                  hash: 'a'.repeat(40),
                  message: 'When?',
                  author: 'X',
                  timestamp: '',
                  files_changed: [],
                },
              ],
              total: 1,
              has_more: false,
            },
          }),
          choose(field('Project'), 'Talkative'),
          see(within(main, text('Invalid time'))),
        ),
      },
      {
        what: 'a failure shows, with Retry',
        section: 8,
        decision: '0025-visible-errors',
        check: all(
          unhindered,
          answered(/\/api\/(history\/commits\/|projects\/[\w-]+\/commits)/, { status: 500 }),
          reload,
          see(within(main, button('Retry'))),
        ),
      },
    ],
  },
  {
    section: 2,
    title: 'History without a project',
    as: 'newcomer',
    open: '/history',
    ready: heading(/History/),
    rows: [
      {
        what: 'Select a project to view history.',
        check: see(within(main, text('Select a project to view history.'))),
      },
      { what: 'nothing is preselected', check: unseen(either(link(/Ledger/), role('option', 'Ledger'))) },
    ],
  },
];
