import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import { RouterProvider } from 'react-router/dom';
import { followSignOut, showSignedIn } from './access-token.ts';
import { speak } from './api.ts';
import { inReadersWords } from './error-words.ts';
import { createQueryClient } from './query.ts';
import { createRouter } from './router.tsx';
import './style.css';
import { createTexts } from './texts.ts';
import { ToastProvider } from './ui/toast.tsx';

followSignOut();
showSignedIn();
const texts = await createTexts();
speak((sentence) => inReadersWords(sentence, texts.getResourceBundle(texts.language, 'errors') ?? {}));

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <I18nextProvider i18n={texts}>
      <QueryClientProvider client={createQueryClient()}>
        <ToastProvider>
          <RouterProvider router={createRouter()} />
        </ToastProvider>
      </QueryClientProvider>
    </I18nextProvider>
  </StrictMode>,
);
