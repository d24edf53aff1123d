import type { IncomingMessage } from 'node:http';
import { API_PREFIX } from '#contract/route.ts';

/** Routes of the specification, section 7, which its clients call without the prefix. */
const SPEC_ROUTES = `
  POST            /auth/login
  POST            /auth/register
  GET PUT         /auth/me
  POST            /auth/logout
  POST            /auth/refresh
  POST            /auth/forgot-password
  POST            /auth/reset-password
  POST            /auth/me/subscription
  GET POST        /projects
  GET             /projects/{}
  POST            /projects/{}/refresh
  GET             /projects/{}/commits
  POST            /debug
  POST            /debug/rag
  GET             /history/commits/{}
  POST            /history/feedback
  GET             /history/feedback/{}
  GET             /ide/projects/{}/files
  GET POST        /ide/projects/{}/files/**
  POST            /ide/projects/{}/debug/ide
  GET             /notifications
  POST            /notifications/{}/read
  POST            /notifications/read-all
  DELETE          /notifications/{}
  GET             /notifications/unread-count
  GET POST DELETE /chat/projects/{}/messages
  GET             /chat/projects/{}/summaries
  POST            /payments/create-order
  POST            /payments/verify-payment
  GET             /payments/config
  GET             /payments/subscription
  GET             /payments/history
  POST            /payments/subscription/cancel
  POST            /payments/refund/{}
`;

interface SpecRoute {
  methods: string[];
  path: RegExp;
}

const SPEC_PATTERNS: SpecRoute[] = SPEC_ROUTES.trim()
  .split('\n')
  .map((line) => {
    const words = line.trim().split(/\s+/);
    const path = words.pop()!.replace('**', '.+').replaceAll('{}', '[^/]+');
    return { methods: words, path: new RegExp(`^${path}$`) };
  });

/**
 * Rewrites the URL of a request: routes of the specification get the prefix `/api`, unless it is a GET that accepts HTML;
 * all others stay unchanged.
 */
export function rewriteSpecPath(request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): string {
  const { url = '/', headers } = request;
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  if (method === 'GET' && headers.accept?.includes('text/html')) return url;
  const path = url.split('?', 1)[0]!;
  const isCall = SPEC_PATTERNS.some((call) => call.methods.includes(method ?? '') && call.path.test(path));
  return isCall ? API_PREFIX + url : url;
}
