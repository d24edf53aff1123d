import { useTranslation } from 'react-i18next';
import { Navigate } from 'react-router';
import { accessToken } from '../access-token.ts';
import { ButtonLink } from '../ui/button.tsx';
import { AnswerShape } from './answer-shape.tsx';

const STEPS = ['connect', 'ingest', 'debug'];
const FEATURES = ['evolution', 'debugging', 'history', 'solutions', 'context', 'knowledge'];

/** `/`: what Hindsight is, for a visitor; somebody who is signed in goes on to their projects. */
export function Component() {
  if (accessToken() !== null) return <Navigate to="/projects" replace />;
  return <Landing />;
}

function Landing() {
  const { t } = useTranslation('site');
  return (
    <div className="mx-auto max-w-[1040px]">
      <title>{t('landing.tab_title')}</title>
      <div className="grid gap-x-16 gap-y-12 pt-[4vh] md:grid-cols-[minmax(0,1fr)_320px]">
        <div>
          <h1 className="landing-title whitespace-pre-line">{t('landing.title')}</h1>
          <p className="mt-4 max-w-[58ch] text-answer text-muted">{t('landing.lead')}</p>
          <div className="mt-6 flex flex-wrap gap-2">
            <ButtonLink kind="primary" to="/signup">
              {t('landing.start')}
            </ButtonLink>
            <ButtonLink to="/login">{t('landing.sign_in')}</ButtonLink>
          </div>
        </div>
        <AnswerShape />
      </div>
      <section className="mt-16">
        <h2 className="text-answer">{t('landing.steps_title')}</h2>
        <ol className="mt-3 grid gap-x-10 md:grid-cols-3">
          {STEPS.map((step, index) => (
            <li key={step} className="border-t border-rule py-3">
              <h3>
                <span className="mr-2 font-mono text-muted">{index + 1}</span>
                {t(`landing.steps.${step}.title`)}
              </h3>
              <p className="mt-1 text-muted">{t(`landing.steps.${step}.text`)}</p>
            </li>
          ))}
        </ol>
      </section>
      <section className="mt-12">
        <h2 className="text-answer">{t('landing.features_title')}</h2>
        <dl className="mt-3 grid gap-x-10 md:grid-cols-2">
          {FEATURES.map((feature) => (
            <div key={feature} className="grid gap-x-4 border-t border-rule py-3 sm:grid-cols-[176px_1fr]">
              <dt className="font-semibold">{t(`landing.features.${feature}.title`)}</dt>
              <dd className="text-muted">{t(`landing.features.${feature}.text`)}</dd>
            </div>
          ))}
        </dl>
      </section>
    </div>
  );
}
