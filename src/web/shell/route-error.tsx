import { useTranslation } from 'react-i18next';
import { useRouteError } from 'react-router';
import { ScriptLoadError } from '../lazy-page.ts';
import { Button } from '../ui/button.tsx';
import { PageHeader } from '../ui/page-header.tsx';

/** What a page shows when it could not be loaded or broke while it was drawn. */
export function PageError() {
  const { t } = useTranslation('shell');
  const outdated = useRouteError() instanceof ScriptLoadError;
  return (
    <div role="alert">
      <PageHeader
        title={t(outdated ? 'failure.outdated_title' : 'failure.title')}
        lead={t(outdated ? 'failure.outdated_text' : 'failure.text')}
      />
      <Button kind="primary" onClick={() => location.reload()}>
        {t('failure.reload')}
      </Button>
    </div>
  );
}

/** The same for the whole screen, where the shell itself broke. */
export function ShellError() {
  return (
    <main className="page">
      <PageError />
    </main>
  );
}
