import { useState } from 'react';
import { useTranslation } from '../../i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Textarea } from '../../ui/field.tsx';
import type { AnalysisStep } from './use-analysis.ts';

interface AnalyzeErrorFormProps {
  /** Progress of the analysis; null when idle. */
  step: AnalysisStep | null;
  onAnalyze: (error: string) => void;
  onStop: () => void;
}

/** Asks about an error that the checkers cannot detect. */
export function AnalyzeErrorForm({ step, onAnalyze, onStop }: AnalyzeErrorFormProps) {
  const { t } = useTranslation('ide');
  const [error, setError] = useState('');
  return (
    <form
      className="flex flex-col items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        onAnalyze(error);
      }}
    >
      <div className="w-full">
        <Field label={t('analysis.error')} hint={t('analysis.error_hint')}>
          <Textarea
            rows={2}
            className="font-mono text-code"
            value={error}
            onChange={(event) => setError(event.target.value)}
          />
        </Field>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" loading={step !== null} disabled={error.trim() === ''}>
          {t('analysis.ask')}
        </Button>
        {step && step !== 'retrieving' && (
          <>
            <Button onClick={onStop}>{t('parts:progress.stop')}</Button>
            <span role="status" className="text-muted">
              {t(`parts:progress.${step}`)}
            </span>
          </>
        )}
      </div>
    </form>
  );
}
