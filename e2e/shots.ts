// node e2e/shots.ts [name …]    writes pictures of all screens, or of those named, to ./shots
import { mkdir } from 'node:fs/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { createWorld, type Who, type World } from './spec/world.ts';

const FOLDER = 'shots';
const WIDTHS = [1440, 1024, 390];
const THEMES = ['light', 'dark'] as const;

interface Shot {
  name: string;
  address: string;
  /** `full` is a person with projects, answers and chats; `empty` one without anything. */
  states: (keyof typeof STATES)[];
}

/** What makes a state: whose browser, and what becomes of calls. */
const STATES = {
  visitor: { who: 'visitor', calls: 'answered' },
  full: { who: 'user', calls: 'answered' },
  empty: { who: 'newcomer', calls: 'answered' },
  loading: { who: 'user', calls: 'held' },
  error: { who: 'user', calls: 'failed' },
} as const satisfies Record<string, { who: Who; calls: 'answered' | 'held' | 'failed' }>;

const EVERY_STATE: Shot['states'] = ['full', 'empty', 'loading', 'error'];
const ONE_PROJECT: Shot['states'] = ['full', 'loading', 'error'];

const shotsOf = ({ project, talkative, session }: World): Shot[] => [
  { name: 'landing', address: '/', states: ['visitor'] },
  ...[
    ...[
      'login',
      'signup',
      'forgot-password',
      'how-to-use',
      'subscription',
      'about',
      'careers',
      'blog',
      'features',
    ],
    ...[
      'pricing',
      'docs',
      'privacy-policy',
      'terms-and-conditions',
      'refund-and-cancellation',
      'no-such-page',
    ],
  ].map((name): Shot => ({ name, address: `/${name}`, states: ['visitor'] })),
  { name: 'home', address: '/', states: EVERY_STATE },
  ...['dashboard', 'projects', 'debug', 'history', 'notifications'].map(
    (name): Shot => ({ name, address: `/${name}`, states: EVERY_STATE }),
  ),
  ...['profile', 'settings', 'subscription'].map(
    (name): Shot => ({ name: `my-${name}`, address: `/${name}`, states: ['full'] }),
  ),
  { name: 'search', address: `/search?q=amount&project_id=${project.id}`, states: EVERY_STATE },
  { name: 'project', address: `/projects/${project.id}`, states: ONE_PROJECT },
  { name: 'chat', address: `/projects/${talkative.id}/chat`, states: ONE_PROJECT },
  { name: 'chat-empty', address: `/projects/${project.id}/chat`, states: ['full'] },
  { name: 'answer', address: `/debug/${session.id}`, states: ONE_PROJECT },
  { name: 'ide', address: `/ide/${project.id}`, states: ONE_PROJECT },
];

/** Two seconds of quiet are enough to draw; a state that never becomes quiet is drawn as it then is. */
const QUIET_MS = 2_000;

async function shoot(page: Page, shot: Shot, label: string): Promise<void> {
  await page.goto(shot.address);
  await page.waitForLoadState('networkidle', { timeout: QUIET_MS }).catch(() => null);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: `${FOLDER}/${shot.name}-${label}-${width}.png`, fullPage: true });
  }
}

/** The theme of the account for people, of the cookie for visitors. */
async function wear(
  theme: string,
  { world, context, who }: { world: World; context: BrowserContext; who: Who },
) {
  await context.addCookies([{ name: 'theme', value: theme, url: world.url }]);
  if (who === 'visitor') return;
  await world.call('PUT /auth/me', { as: world.accounts[who], body: { preferences: { theme } } });
}

/** Holds or fails every call but those that say who is signed in; a 503 would be tried again before it is shown. */
async function hinder(page: Page, calls: (typeof STATES)[keyof typeof STATES]['calls']): Promise<void> {
  if (calls === 'answered') return;
  await page.route(/\/api\/(?!auth\/)/, async (route) => {
    if (calls === 'held') return;
    const message = 'The server ran into an error of its own.';
    await route.fulfill({
      status: 500,
      json: { error: { code: 'internal', message, request_id: 'r1' }, detail: message },
    });
  });
}

const names = process.argv.slice(2);
const world = await createWorld(process.env.CHROMIUM ?? 'chromium');
try {
  await mkdir(FOLDER, { recursive: true });
  const shots = shotsOf(world).filter(({ name }) => names.length === 0 || names.includes(name));
  for (const theme of THEMES) {
    for (const [state, { who, calls }] of Object.entries(STATES)) {
      const context = await world.contextOf(who);
      await wear(theme, { world, context, who });
      const page = await context.newPage();
      await hinder(page, calls);
      for (const shot of shots) {
        if (shot.states.includes(state as keyof typeof STATES)) await shoot(page, shot, `${state}-${theme}`);
      }
      await page.close();
    }
  }
  console.log(`${shots.length} screens are drawn in ./${FOLDER}`);
} finally {
  await world.close();
}
