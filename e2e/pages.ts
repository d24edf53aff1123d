/** Ids that addresses of pages contain. */
interface PageIds {
  project: string;
  session: string;
  /** Two answers of the chat to one question. */
  answers: [string, string];
  error: string;
  commit: string;
  team: string;
  gitUrl: string;
}

/** A page, as seen by a signed-in administrator or by a visitor. */
export interface PageEntry {
  name: string;
  url: string;
  who: 'user' | 'visitor';
  /** A document of its own: a prerendered page, or one with another Content-Security-Policy than the rest. */
  isDocument: boolean;
}

export const SITE_PATHS = ['about', 'careers', 'blog', 'features', 'pricing', 'docs'];
export const LEGAL_PATHS = ['privacy-policy', 'terms-and-conditions', 'refund-and-cancellation'];
export const FORM_PATHS = [
  'login',
  'signup',
  'forgot-password',
  'reset-password',
  'verify-email',
  'invitation',
];
export const ADMIN_TABS = [
  'users',
  'signup',
  'sign-in',
  'projects',
  'jobs',
  'model',
  'audit',
  'egress',
  'switches',
  'server',
];

/** Lists every page: those of visitors, of an account, and of a project. */
export function listPages(ids: PageIds): PageEntry[] {
  const site = ['', ...SITE_PATHS, ...LEGAL_PATHS].map(
    (path): PageEntry => ({ name: path || 'landing', url: `/${path}`, who: 'visitor', isDocument: true }),
  );
  const forms = FORM_PATHS.map((path): PageEntry => ({ ...entry(path, `/${path}`), who: 'visitor' }));
  return [...site, ...forms, ...accountPages(ids), ...projectPages(ids)];
}

function accountPages({ team }: PageIds): PageEntry[] {
  const paths = [
    ...['dashboard', 'projects', 'projects/import', 'debug', 'search', 'history', 'history?tab=feedback'],
    ...['notifications', 'profile', 'settings', 'settings/billing', 'teams', 'how-to-use', 'no-such-page'],
    'set-up-two-factor',
    ...ADMIN_TABS.map((tab) => `admin?tab=${tab}`),
  ];
  return [
    // A document of `/` is the landing page.
    ...paths.map((path) => entry(path.replaceAll(/[/?=]/g, '-'), `/${path}`)),
    entry('team', `/teams/${team}`),
    entry('home', '/'),
    { ...entry('subscription', '/subscription'), isDocument: true },
  ];
}

function projectPages({ project, session, answers, error, commit, gitUrl }: PageIds): PageEntry[] {
  const tabs = [
    'commits',
    'errors',
    'releases',
    'tests',
    'evolution',
    'trust',
    'branches',
    'settings',
    'chat',
  ];
  const found = `/search?q=amount&project_id=${project}`;
  return [
    entry('project', `/projects/${project}`),
    ...tabs.map((tab) => entry(`project-${tab}`, `/projects/${project}/${tab}`)),
    entry('project-chat-tab', `/projects/${project}?tab=chat`),
    entry('chat-compare', `/projects/${project}/chat/compare/${answers.join('/')}`),
    entry('error', `/projects/${project}/errors/${error}`),
    entry('commit', `/projects/${project}/commits/${commit}`),
    entry('issue', `/projects/${project}/issues/7?kind=pull_request`),
    entry('folder', `/projects/${project}/files/src/`),
    entry('file', `/projects/${project}/files/src/total.js`),
    entry('file-blame', `/projects/${project}/files/src/total.js?view=blame`),
    entry('function', `/projects/${project}/functions/src/read/amount.js?name=parseAmount`),
    entry('compare', `/projects/${project}/compare/v1.0...main`),
    entry('from', `/from/${gitUrl}`),
    entry('search-results', found),
    ...['history', 'lines'].map((view) => entry(`search-${view}`, `${found}&view=${view}`)),
    entry('search-issues', `/search?q=${encodeURIComponent('type:issues amounts')}&at=0`),
    entry('search-preview', `${found}&at=0`),
    entry('answer', `/debug/${session}`),
    entry('answer-compare', `/debug/${session}/compare`),
    entry('editor', `/ide/${project}?file=src/total.js`),
    entry('conflicts', `/ide/${project}/conflicts`),
  ];
}

function entry(name: string, url: string): PageEntry {
  return { name, url, who: 'user', isDocument: false };
}
