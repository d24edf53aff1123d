/** Prerendered pages: path → name of the page. */
export const SITE_PAGES = {
  '/': 'landing',
  '/about': 'about',
  '/careers': 'careers',
  '/blog': 'blog',
  '/features': 'features',
  '/pricing': 'pricing',
  '/docs': 'docs',
  '/privacy-policy': 'privacy-policy',
  '/terms-and-conditions': 'terms-and-conditions',
  '/refund-and-cancellation': 'refund-and-cancellation',
  '/licenses': 'licenses',
} as const;

/** Documents of `docs` that are served below `/docs`; `contents` is its README. */
export const DOC_NAMES = [
  'contents',
  'accounts',
  'agents',
  'api',
  'backup',
  'billing',
  'chat',
  'ci',
  'command-line',
  'configure',
  'debug',
  'deploy',
  'design',
  'editor',
  'errors',
  'errors-intake',
  'evolution',
  'first-hour',
  'fixes',
  'glossary',
  'how-answers-are-made',
  'install',
  'issues',
  'models',
  'monitoring',
  'notifications',
  'private-repositories',
  'proofs',
  'regressions',
  'reliability',
  'sandbox',
  'scaling',
  'searching',
  'security',
  'sharing',
  'single-sign-on',
  'troubleshooting',
  'upgrade',
  'webhooks',
] as const;

/** A document of `docs`. */
export type DocName = (typeof DOC_NAMES)[number];

/** Paths of the documents and of their search: path → name of the prerendered file. */
export const DOC_PATHS: Record<string, string> = Object.fromEntries(
  [...DOC_NAMES, 'search'].map((name) => [`/docs/${name}`, `docs/${name}`]),
);

export type SitePath = keyof typeof SITE_PAGES;
