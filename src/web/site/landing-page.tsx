import type { ReactNode } from 'react';
import { useTranslation } from '../i18n.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { buttonClass } from '../ui/button.tsx';
import { WALK_RECORDING } from './recorded.ts';
import { Walk } from './walk.tsx';

const STEPS = ['connect', 'index', 'debug'];
const FEATURES = ['evolution', 'debugging', 'history', 'solutions', 'context', 'knowledge'];
const QUESTIONS = ['what', 'how', 'free', 'model'];

/** `/` for visitors: the product, explained by a real error and the recorded pages that explain it. */
export function LandingPage() {
  const { t } = useTranslation('site');
  return (
    <>
      <Hero />
      <Walk />
      <LandingSection title={t('landing.features_title')}>
        <dl className="grid gap-x-14 md:grid-cols-2">
          {FEATURES.map((feature) => (
            <div key={feature} className="grid gap-x-4 border-t border-border py-3 sm:grid-cols-[184px_1fr]">
              <dt className="font-semibold">{t(`landing.features.${feature}.title`)}</dt>
              <dd className="text-muted">{t(`landing.features.${feature}.text`)}</dd>
            </div>
          ))}
        </dl>
      </LandingSection>
      <LandingSection title={t('landing.steps_title')}>
        <ol className="grid gap-x-14 md:grid-cols-3">
          {STEPS.map((step, index) => (
            <li key={step} className="border-t border-border py-3">
              <h3>
                <span className="mr-2 font-mono text-muted">{index + 1}</span>
                {t(`landing.steps.${step}.title`)}
              </h3>
              <p className="mt-1 text-muted">{t(`landing.steps.${step}.text`)}</p>
            </li>
          ))}
        </ol>
      </LandingSection>
      <LandingSection title={t('landing.faq_title')}>
        <Faq />
      </LandingSection>
    </>
  );
}

function Hero() {
  const { t } = useTranslation('site');
  return (
    <div className="grid items-end gap-x-14 gap-y-8 pt-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] lg:pt-12">
      <div className="min-w-0">
        <h1 className="landing-title whitespace-pre-line">{t('landing.title')}</h1>
        <p className="mt-4 max-w-[52ch] text-answer text-muted">{t('landing.lead')}</p>
        <div className="mt-6 flex flex-wrap gap-2">
          <a href="/signup" className={buttonClass('primary')}>
            {t('landing.start')}
          </a>
          <a href="/login" className={buttonClass('plain')}>
            {t('landing.sign_in')}
          </a>
        </div>
        <p className="mt-3 text-muted">{t('landing.plans')}</p>
      </div>
      <section className="min-w-0">
        <h2 className="mb-2">{t('landing.error_title')}</h2>
        <pre className="border-l-2 border-border pl-3 text-xs wrap-anywhere whitespace-pre-wrap">
          <Verbatim text={WALK_RECORDING.error} />
        </pre>
      </section>
    </div>
  );
}

/** Accordion: the browser keeps one `<details>` of a name open. */
function Faq() {
  const { t } = useTranslation('site');
  return (
    <div className="max-w-[760px] border-b border-border">
      {QUESTIONS.map((question, index) => (
        <details key={question} name="questions" open={index === 0} className="border-t border-border">
          <summary className="cursor-pointer py-3 font-semibold">
            {t(`landing.faq.${question}.title`)}
          </summary>
          <p className="max-w-[68ch] pb-4 text-answer text-muted">{t(`landing.faq.${question}.text`)}</p>
        </details>
      ))}
    </div>
  );
}

function LandingSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-16">
      <h2 className="mb-3 text-title">{title}</h2>
      {children}
    </section>
  );
}
