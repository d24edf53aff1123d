import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { syncSignedInCookie, watchSignOut } from './access-token.ts';
import { setErrorTranslator } from './api.ts';
import { createErrorTranslator } from './error-translator.ts';
import { createQueryClient } from './query-client.ts';
import { createRouter } from './router.tsx';
import './style.css';
import { createAppI18n, I18nContext } from './i18n.ts';

watchSignOut();
syncSignedInCookie();
const texts = await createAppI18n();
setErrorTranslator(createErrorTranslator(texts));

// Texts of other pages, so that none waits for them later.
const whenIdle = globalThis.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 2_000));
addEventListener('load', () => whenIdle(() => void texts.load('all').catch(() => undefined)));

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <I18nContext value={texts}>
      <QueryClientProvider client={createQueryClient()}>
        <RouterProvider router={createRouter()} />
      </QueryClientProvider>
    </I18nContext>
  </StrictMode>,
);
