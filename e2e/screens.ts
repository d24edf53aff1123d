import type { Page } from 'playwright-core';
import { ADMIN_TABS, FORM_PATHS, LEGAL_PATHS, SITE_PATHS } from './pages.ts';
import type { Who, World } from './spec/world.ts';

/** A screen, or a panel of one, in the states in which it is drawn. */
export interface Shot {
  name: string;
  url: string;
  /** `full` is a user with projects, answers and chats; `empty` one without data; `shop` accepts payments. */
  states: State[];
  /** Calls that `loading` delays and `error` fails: by default all but those that load the signed-in user. */
  calls?: RegExp;
  /** Opens the panel when the URL alone does not. */
  open?: (page: Page) => Promise<unknown>;
}

/** States of a screen: signed-in user, and fate of API calls. */
export const STATES = {
  visitor: { who: 'visitor', calls: 'answered' },
  full: { who: 'user', calls: 'answered' },
  empty: { who: 'newcomer', calls: 'answered' },
  loading: { who: 'user', calls: 'held' },
  error: { who: 'user', calls: 'failed' },
  shop: { who: 'buyer', calls: 'answered' },
} as const satisfies Record<string, { who: Who; calls: 'answered' | 'held' | 'failed' }>;

export type State = keyof typeof STATES;

const EVERY_STATE: State[] = ['full', 'empty', 'loading', 'error'];
const ONE_PROJECT: State[] = ['full', 'loading', 'error'];
const WITHOUT_ANSWER: State[] = ['loading', 'error'];

/** Every screen: those of visitors, of an account, of a project, then what opens over them. */
export async function shotsOf(world: World): Promise<Shot[]> {
  return [...visitorShots(), ...accountShots(world), ...(await projectShots(world)), ...openedShots(world)];
}

function visitorShots(): Shot[] {
  const names = [...FORM_PATHS, 'how-to-use', 'subscription', ...SITE_PATHS, ...LEGAL_PATHS, 'no-such-page'];
  return [
    { name: 'landing', url: '/', states: ['visitor'] },
    ...names.map((name): Shot => ({ name, url: `/${name}`, states: ['visitor'] })),
  ];
}

function accountShots({ samples }: World): Shot[] {
  const profile = /\/api\/auth\/me/;
  return [
    { name: 'home', url: '/', states: EVERY_STATE },
    ...['dashboard', 'projects', 'debug', 'history', 'notifications'].map(
      (name): Shot => ({ name, url: `/${name}`, states: EVERY_STATE }),
    ),
    { name: 'my-profile', url: '/profile', states: ONE_PROJECT, calls: profile },
    { name: 'my-settings', url: '/settings', states: ONE_PROJECT, calls: profile },
    { name: 'billing', url: '/settings/billing', states: WITHOUT_ANSWER, calls: /\/payments\// },
    { name: 'sign-ins', url: '/settings', states: WITHOUT_ANSWER, calls: /\/auth\/sessions/ },
    ...ADMIN_TABS.map(
      (tab): Shot => ({
        name: `admin-${tab}`,
        url: `/admin?tab=${tab}`,
        states: ONE_PROJECT,
        calls: /\/(admin\/|auth\/setup)/,
      }),
    ),
    { name: 'two-factor', url: '/settings', states: WITHOUT_ANSWER, calls: /\/auth\/two-factor/ },
    { name: 'my-subscription', url: '/subscription', states: [...ONE_PROJECT, 'shop'] },
    { name: 'feedback', url: '/history?tab=feedback', states: ONE_PROJECT, calls: /\/feedback\// },
    { name: 'feedback-none', url: `/history?project_id=${samples.id}&tab=feedback`, states: ['full'] },
  ];
}

async function projectShots({ project, talkative, session, call, accounts }: World): Promise<Shot[]> {
  const { body } = await call<{ commits: { hash: string }[] }>('GET /projects/:id/commits', {
    as: accounts.user,
    params: { id: project.id },
  });
  const { body: projects } = await call<{ id: string; status: string }[]>('GET /projects', {
    as: accounts.user,
  });
  const failed = projects.find(({ status }) => status === 'failed')!;
  const [page, commits, messages] = [`/projects/${project.id}`, /\/commits/, /\/chat\//];
  const ide = `/ide/${project.id}`;
  return [
    { name: 'project', url: page, states: ONE_PROJECT },
    { name: 'project-import', url: '/projects/import', states: ['full'] },
    {
      name: 'project-settings',
      url: `${page}/settings`,
      states: ONE_PROJECT,
      calls: /\/(?:members|credential)$/,
    },
    { name: 'project-failed', url: `/projects/${failed.id}`, states: ['full'] },
    { name: 'commits', url: `${page}/commits`, states: WITHOUT_ANSWER, calls: commits },
    {
      name: 'commit',
      url: `${page}/commits/${body.commits[0]!.hash}`,
      states: ONE_PROJECT,
      calls: commits,
    },
    { name: 'file', url: `${page}/files/src/total.js`, states: ONE_PROJECT, calls: /\/files\// },
    { name: 'search', url: `/search?q=amount&project_id=${project.id}`, states: EVERY_STATE },
    {
      name: 'search-history',
      url: `/search?q=amount&project_id=${project.id}&view=history`,
      states: EVERY_STATE,
    },
    {
      name: 'search-lines',
      url: `/search?q=amount&project_id=${project.id}&view=lines`,
      states: EVERY_STATE,
    },
    { name: 'search-none', url: `/search?q=zzzz&project_id=${project.id}`, states: ['full'] },
    { name: 'found', url: `/search?q=amount`, states: WITHOUT_ANSWER, calls: /\/api\/search/ },
    { name: 'chat', url: `/projects/${talkative.id}/chat`, states: ONE_PROJECT },
    { name: 'chat-empty', url: `${page}/chat`, states: ['full'] },
    { name: 'messages', url: `${page}/chat`, states: WITHOUT_ANSWER, calls: messages },
    { name: 'answer', url: `/debug/${session.id}`, states: ONE_PROJECT },
    { name: 'ide', url: ide, states: ONE_PROJECT },
    { name: 'ide-files', url: ide, states: WITHOUT_ANSWER, calls: /\/files/ },
    { name: 'ide-file', url: `${ide}?file=src/total.js`, states: ONE_PROJECT, calls: /\/files\// },
  ];
}

function openedShots({ project, talkative, session }: World): Shot[] {
  const page = `/projects/${project.id}`;
  return [
    {
      name: 'bell',
      url: '/dashboard',
      states: EVERY_STATE,
      calls: /\/unread-count/,
      open: (shown) => shown.locator('header a[href="/notifications"]').focus(),
    },
    {
      name: 'suggestions',
      url: '/dashboard',
      states: EVERY_STATE,
      calls: /\/api\/search/,
      open: (shown) => shown.getByRole('combobox').fill('amount'),
    },
    {
      name: 'evidence',
      url: `/debug/${session.id}`,
      states: ONE_PROJECT,
      calls: /\/(commits|files)\//,
      open: (shown) => shown.locator('main a[href*="/commits/"]').first().click(),
    },
    {
      name: 'summaries',
      url: `/projects/${talkative.id}/chat`,
      states: ONE_PROJECT,
      calls: /\/summaries/,
      open: (shown) => shown.getByRole('group').locator('summary').click(),
    },
    {
      name: 'sales',
      url: '/subscription',
      states: ['full'],
      open: press('Contact sales'),
    },
    {
      name: 'two-factor-begin',
      url: '/settings',
      states: ['full'],
      open: press('Enable two-factor authentication'),
    },
    {
      name: 'two-factor-key',
      url: '/settings',
      states: ['full'],
      open: async (shown) => {
        await press('Enable two-factor authentication')(shown);
        await press('Continue')(shown);
      },
    },
    { name: 'delete-account', url: '/settings', states: ['full'], open: press('Delete your account') },
    { name: 'add-project', url: '/projects', states: ['full'], open: press('Add Project') },
    { name: 'delete-project', url: page, states: ['full'], open: press('Delete project') },
    {
      name: 'clear-chat',
      url: `/projects/${talkative.id}/chat`,
      states: ['full'],
      open: press('Clear Chat'),
    },
    {
      name: 'chats',
      url: `/projects/${talkative.id}/chat`,
      states: ONE_PROJECT,
      calls: /\/threads/,
      open: (shown) => shown.getByTitle('Chats').click(),
    },
    {
      name: 'chat-attach',
      url: `/projects/${talkative.id}/chat`,
      states: ['full'],
      open: (shown) => shown.getByRole('textbox').fill('Why is @a'),
    },
    {
      name: 'chat-menu',
      url: `/projects/${talkative.id}/chat`,
      states: ['full'],
      open: press('Chat actions'),
    },
    {
      name: 'chat-tab',
      url: `${page}?tab=chat`,
      states: ['full'],
    },
  ];
}

function press(name: string): NonNullable<Shot['open']> {
  return (page) => page.getByRole('button', { name }).first().click();
}
