import {
  all,
  at,
  click,
  count,
  fill,
  has,
  hover,
  inWorld,
  leads,
  motion,
  open,
  press,
  reads,
  reload,
  see,
  sent,
  truth,
  unseen,
  wide,
} from './checks.ts';
import type { Row, Screen } from './row.ts';
import { button, css, heading, link, placeholder, role, text, within } from './targets.ts';

/** Leaves a note of what moved on the body. */
const WATCH_MOTION = `{
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) {
    document.body.dataset.moved = JSON.stringify(frames);
    return animate.call(this, frames, options);
  };
}`;

const bellLink = within(role('banner'), link(/notifications/i));
const searchBox = placeholder('Search projects, commits, or errors...');

const VISITOR_PAGES = [
  '/login',
  '/signup',
  '/subscription',
  '/how-to-use',
  '/about',
  '/careers',
  '/blog',
  '/features',
  '/pricing',
  '/docs',
  '/privacy-policy',
  '/terms-and-conditions',
  '/refund-and-cancellation',
];

const USER_PAGES = [
  '/dashboard',
  '/profile',
  '/notifications',
  '/subscription',
  '/settings',
  '/projects',
  '/debug',
  '/history',
  '/how-to-use',
];

const GUARDED = USER_PAGES.filter((page) => !VISITOR_PAGES.includes(page));

const stands = (address: string): Row => ({
  what: `${address} is a page`,
  check: all(sent(address, 200), at(address), see(heading()), unseen(heading('Page not found'))),
});

/** Section 1 and the routes of section 2 that need no account. */
export const site: Screen[] = [
  {
    section: 1,
    title: 'Landing page',
    as: 'visitor',
    open: '/',
    ready: heading(),
    rows: [
      {
        what: 'Get Started Free leads to /signup',
        check: leads(link('Get Started Free'), '/signup'),
        section: 2,
      },
      { what: 'Sign In leads to /login', check: leads(link('Sign In'), '/login'), section: 2 },
      { what: 'code evolution tracking', check: see(text(/code evolution tracking/i)) },
      { what: 'intelligent debugging', check: see(text(/intelligent debugging/i)) },
      { what: 'historical analysis', check: see(text(/historical analysis/i)) },
      { what: 'AI-powered solutions', check: see(text(/AI-powered solutions/i)) },
      { what: 'commit context retrieval', check: see(text(/commit context retrieval/i)) },
      { what: 'knowledge retention', check: see(text(/knowledge retention/i)) },
      { what: 'how it works', check: see(heading(/how it works/i)) },
      { what: 'step 1: connect a repository', check: see(heading(/Connect (a|your) repository/)) },
      {
        what: 'step 2: ingest commits and build the index',
        check: see(heading(/Ingest commits and build the index/)),
      },
      { what: 'step 3: debug with suggestions', check: see(heading(/Debug with AI suggestions/)) },
      { what: 'the FAQ has four items', check: count(css('details summary'), 4) },
      { what: 'FAQ: what it is', check: see(within(css('details'), text(/what is/i))) },
      {
        what: 'FAQ: how it works',
        check: see(css('summary:text-matches("how does it work|how it works", "i")')),
      },
      { what: 'FAQ: a free plan exists', check: see(css('summary:text-matches("free", "i")')) },
      { what: 'FAQ: the model', check: see(css('summary:text-matches("model", "i")')) },
      {
        what: 'FAQ: opening an item closes the one that was open',
        check: all(
          click(css('details:nth-of-type(2) > summary')),
          count(css('details[open]'), 1),
          click(css('details:nth-of-type(3) > summary')),
          count(css('details[open]'), 1),
          has(css('details:nth-of-type(3)'), 'open', /.*/),
        ),
      },
      ...['About', 'Careers', 'Blog', 'Features', 'Pricing', 'Docs'].map((page) => ({
        what: `the footer leads to ${page}`,
        section: 2,
        check: leads(
          within(role('contentinfo'), link(new RegExp(`^${page}`, 'i'))),
          `/${page.toLowerCase()}`,
        ),
      })),
      {
        what: 'the footer leads to the privacy policy',
        section: 2,
        check: leads(within(role('contentinfo'), link(/privacy/i)), '/privacy-policy'),
      },
      {
        what: 'the footer leads to the terms',
        section: 2,
        check: leads(within(role('contentinfo'), link(/terms/i)), '/terms-and-conditions'),
      },
      {
        what: 'the footer leads to refunds',
        section: 2,
        check: leads(within(role('contentinfo'), link(/refund/i)), '/refund-and-cancellation'),
      },
      {
        what: 'static pages have no transition',
        section: 2,
        check: all(
          motion('no-preference'),
          open('/about'),
          truth('document.getAnimations().length === 0'),
          motion('reduce'),
        ),
      },
    ],
  },
  {
    section: 2,
    title: 'Routes for visitors',
    as: 'visitor',
    open: '/login',
    ready: heading(),
    rows: [
      ...VISITOR_PAGES.map(stands),
      ...[...GUARDED, '/projects/1', '/projects/1/chat', '/ide/1'].map((address) => ({
        what: `${address} sends a visitor to sign in, and back afterwards`,
        decision: '0020-route-guards',
        check: all(open(address), at(`/login?next=${encodeURIComponent(address)}`)),
      })),
      {
        what: 'an unknown address is a page that says so',
        decision: '0021-additional-pages',
        check: all(sent('/no-such-page', 404), see(text('Page not found'))),
      },
    ],
  },
  {
    section: 2,
    title: 'Routes for users',
    as: 'user',
    open: '/',
    ready: heading(),
    rows: [
      { what: '/ is their home', check: all(at('/'), unseen(link('Get Started Free'))) },
      ...USER_PAGES.map(stands),
      {
        what: '/projects#{id} links to the details',
        check: inWorld(({ project }) => all(open(`/projects#${project.id}`), at(`/projects/${project.id}`))),
      },
      {
        what: '/projects/{id} is a page',
        check: inWorld(({ project }) => all(open(`/projects/${project.id}`), see(heading(/Ledger/)))),
      },
      {
        what: '/projects/{id}/chat is a page',
        check: inWorld(({ project }) =>
          all(open(`/projects/${project.id}/chat`), see(text('AI-powered assistance'))),
        ),
      },
      {
        what: '/ide/{projectId} is a page',
        check: inWorld(({ project }) =>
          all(open(`/ide/${project.id}`), see(text('Select a file to start editing'))),
        ),
      },
    ],
  },
];

/** Section 2, Shell. */
export const shell: Screen[] = [
  {
    section: 2,
    title: 'Shell for visitors',
    as: 'visitor',
    open: '/how-to-use',
    ready: heading(),
    rows: [
      { what: 'the menu is headed Menu', check: see(within(role('navigation'), text('Menu'))) },
      { what: 'Home', check: leads(within(role('navigation'), link('Home')), '/') },
      { what: 'How to Use', check: leads(within(role('navigation'), link('How to Use')), '/how-to-use') },
      {
        what: 'Subscription',
        check: leads(within(role('navigation'), link('Subscription')), '/subscription'),
      },
      { what: 'there is no menu toggle', check: unseen(button(/(open|close) menu/i)) },
      { what: 'Sign In', check: leads(within(role('banner'), link('Sign In')), /^\/login/) },
      { what: 'there is no bell', check: unseen(bellLink) },
      {
        what: 'the menu stays reachable below 1024 px',
        decision: '0020-route-guards',
        check: all(
          wide(800),
          click(button('Open menu')),
          see(within(role('dialog'), link('Subscription'))),
          press('Escape'),
          wide(1440),
        ),
      },
    ],
  },
  {
    section: 2,
    title: 'Shell for users',
    as: 'user',
    open: '/projects',
    ready: heading('Your Projects'),
    rows: [
      { what: 'the Main group', check: see(within(role('navigation'), text('Main'))) },
      { what: 'Dashboard', check: leads(within(role('navigation'), link('Dashboard')), '/dashboard') },
      { what: 'Profile', check: leads(within(role('navigation'), link('Profile')), '/profile') },
      {
        what: 'Notifications',
        check: leads(within(role('navigation'), link(/^Notifications/)), '/notifications'),
      },
      {
        what: 'Subscription',
        check: leads(within(role('navigation'), link('Subscription')), '/subscription'),
      },
      { what: 'the Development group', check: see(within(role('navigation'), text('Development'))) },
      { what: 'Projects', check: leads(within(role('navigation'), link('Projects')), '/projects') },
      { what: 'Debug', check: leads(within(role('navigation'), link('Debug')), '/debug') },
      { what: 'History', check: leads(within(role('navigation'), link('History')), '/history') },
      {
        what: 'Settings is reachable from the menu',
        decision: '0021-additional-pages',
        check: leads(within(role('navigation'), link('Settings')), '/settings'),
      },
      {
        what: 'How to Use is reachable from the menu',
        decision: '0021-additional-pages',
        check: leads(within(role('navigation'), link('How to Use')), '/how-to-use'),
      },
      { what: 'Logout at the bottom', check: see(within(role('complementary'), button('Logout'))) },
      {
        what: 'the menu toggle closes the sidebar',
        check: all(click(button(/^Close menu$/)), unseen(link('Dashboard'))),
      },
      {
        what: 'the menu toggle opens the sidebar',
        check: all(click(button(/^Open menu$/)), see(link('Dashboard'))),
      },
      { what: 'the brand', check: see(within(role('banner'), link(/Hindsight/))) },
      {
        what: 'the search box',
        check: see(searchBox),
      },
      {
        what: 'the search box finds commits',
        decision: '0022-working-controls',
        check: all(
          fill(searchBox, 'crash on lines without an amount'),
          see(role('option', /Fix crash on lines without an amount/)),
          press('Enter'),
          at(/^\/projects\/[\w-]+\/commits\/[0-9a-f]{7,40}/),
          see(within(role('main'), text('Fix crash on lines without an amount'))),
        ),
      },
      {
        what: 'a link closes the menu on screens narrower than 1024 px',
        check: all(
          wide(1000),
          click(button('Open menu')),
          click(within(role('dialog'), link('Projects'))),
          unseen(role('dialog')),
          wide(1440),
        ),
      },
      {
        what: 'the profile link shows the initial and the name',
        check: all(
          leads(within(role('banner'), link(/ada/)), '/profile'),
          reads(within(role('banner'), link(/ada/)), /A\s*ada/i),
        ),
      },
      {
        what: 'page content changes with a fade and slide',
        check: all(
          motion('no-preference'),
          async (page) => await page.evaluate(WATCH_MOTION),
          click(within(role('navigation'), link('Debug'))),
          has(css('body'), 'data-moved', /opacity.*translateY/),
          motion('reduce'),
        ),
      },
    ],
  },
];

/** The bell in the top bar. */
export const bell: Screen[] = [
  {
    section: 2,
    title: 'Bell',
    as: 'user',
    open: '/projects',
    ready: heading('Your Projects'),
    rows: [
      {
        what: 'a link to /notifications',
        check: leads(bellLink, '/notifications'),
      },
      { what: 'an unread badge', check: reads(bellLink, /[1-9]/) },
      {
        what: 'the panel says N unread',
        check: all(hover(bellLink), see(text(/\d+ unread/))),
      },
      { what: 'View all notifications', check: leads(link('View all notifications'), '/notifications') },
    ],
  },
  {
    section: 2,
    title: 'Bell with nothing new',
    as: 'guest',
    open: '/projects',
    ready: heading('Your Projects'),
    rows: [
      {
        what: 'No new notifications',
        check: all(
          async (_, { call, accounts }) => {
            await call('POST /notifications/read-all', { as: accounts.guest });
          },
          reload,
          hover(bellLink),
          see(text('No new notifications')),
        ),
      },
      { what: "You're all caught up!", check: see(text("You're all caught up!")) },
      {
        what: 'there is no badge',
        check: unseen(within(bellLink, text(/\d/))),
      },
    ],
  },
];
