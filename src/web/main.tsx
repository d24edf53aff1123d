import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { syncSignedInCookie, watchSignOut } from './access-token.ts';
import { setErrorTranslator } from './api.ts';
import { createErrorTranslator } from './error-translator.ts';
import { createQueryClient } from './query-client.ts';
import { createRouter } from './router.tsx';
import './style.css';
import { createAppI18n, I18nContext } from './i18n.ts';

/** The first page loads its data before the texts of the others. */
const OTHER_TEXTS_DELAY_MS = 2_000;

watchSignOut();
syncSignedInCookie();
// The scripts have been read in one task; the router, which starts the first requests, takes another.
await new Promise((resolve) => setTimeout(resolve));
const client = createQueryClient();
const router = createRouter(client);
// Until the first page is there, the frame of the document stays.
const [texts] = await Promise.all([createAppI18n(), whenReady()]);
setErrorTranslator(createErrorTranslator(texts));

// Texts of errors and of other pages: a failed call cannot load its own, and no page waits for them later.
const load = (names: string[] | 'all') => void texts.load(names).catch(() => undefined);
const whenIdle = globalThis.requestIdleCallback ?? ((work: () => void) => work());
load(['errors']);
setTimeout(() => whenIdle(() => load('all')), OTHER_TEXTS_DELAY_MS);

// A transition renders in slices, so that the first page blocks no input.
startTransition(() =>
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <I18nContext value={texts}>
        <QueryClientProvider client={client}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </I18nContext>
    </StrictMode>,
  ),
);

/** Waits for the scripts of the first page. */
function whenReady(): Promise<void> {
  return new Promise((resolve) => {
    if (router.state.initialized) return resolve();
    const unsubscribe = router.subscribe(({ initialized }) => {
      if (!initialized) return;
      unsubscribe();
      resolve();
    });
  });
}
