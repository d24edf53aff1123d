import type { ReactNode } from 'react';
import { getAccessToken } from '../access-token.ts';
import { useTranslation } from '../i18n.ts';
import { TimelineItem, TimelineList } from '../parts/timeline-list.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { PageHeader } from '../ui/page-header.tsx';

/** Steps of a new user, in order. */
const STEPS = ['connect', 'watch', 'ask', 'read', 'answer', 'keep'] as const;
const NOTES = ['error', 'evidence', 'thin', 'search', 'model'] as const;

/** `/how-to-use`: steps from connecting a repository to a solved error, and tips. */
export function Component() {
  const { t } = useTranslation('guide');
  const signedIn = getAccessToken() !== null;
  return (
    <div className="max-w-[760px]">
      <PageHeader
        title={t('how.title')}
        lead={t('how.lead')}
        actions={
          <ButtonLink kind="primary" to={signedIn ? '/projects' : '/signup'}>
            {t(signedIn ? 'how.begin' : 'how.sign_up')}
          </ButtonLink>
        }
      />
      <TimelineList label={t('how.steps')} pending>
        {STEPS.map((step) => (
          <TimelineItem key={step}>
            <h2 className="text-answer">{t(`how.step.${step}.title`)}</h2>
            <Text>{t(`how.step.${step}.text`)}</Text>
          </TimelineItem>
        ))}
      </TimelineList>
      <h2 className="mt-4 mb-3 text-answer">{t('how.notes')}</h2>
      <dl>
        {NOTES.map((note) => (
          <div key={note} className="grid gap-x-4 border-t border-border py-3 sm:grid-cols-[176px_1fr]">
            <dt className="font-semibold">{t(`how.note.${note}.title`)}</dt>
            <dd>
              <Text>{t(`how.note.${note}.text`)}</Text>
            </dd>
          </div>
        ))}
      </dl>
      <p className="border-t border-border pt-4">
        <a href="/docs/contents" className="link">
          {t('how.docs')}
        </a>
      </p>
    </div>
  );
}

function Text({ children }: { children: ReactNode }) {
  return <p className="max-w-[68ch] text-muted">{children}</p>;
}
