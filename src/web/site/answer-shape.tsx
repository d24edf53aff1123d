import { clsx } from 'clsx';
import { useTranslation } from 'react-i18next';

const STEPS = [
  { step: 'born', age: 'bg-age-5' },
  { step: 'fixed', age: 'bg-age-4' },
  { step: 'suspect', age: 'bg-age-3' },
  { step: 'seen', age: 'bg-age-2' },
  { step: 'now', age: 'bg-age-1' },
];

/** What an answer is made of, as the timeline that a reader will meet: steps by age, joined by the thread. */
export function AnswerShape() {
  const { t } = useTranslation('site');
  return (
    <section aria-labelledby="answer-shape">
      <h2 id="answer-shape" className="mb-4 text-muted">
        {t('landing.shape_title')}
      </h2>
      <ol>
        {STEPS.map(({ step, age }) => {
          const suspect = step === 'suspect';
          return (
            <li key={step} className="group relative pb-4 pl-8">
              <span
                aria-hidden="true"
                className="absolute top-2.5 -bottom-2.5 left-[5.25px] w-[1.5px] bg-thread group-last:hidden"
              />
              <span
                aria-hidden="true"
                className={clsx(
                  'absolute top-1 left-0 size-3 rounded-full border-2 border-thread',
                  suspect ? 'bg-thread' : 'bg-ground',
                )}
              />
              <h3 className="flex items-center gap-2">
                <span aria-hidden="true" className={clsx('h-1.5 w-6', age)} />
                <span className={clsx(suspect && 'text-thread')}>{t(`landing.shape.${step}.title`)}</span>
              </h3>
              <p className="text-muted">{t(`landing.shape.${step}.text`)}</p>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
