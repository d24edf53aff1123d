import { ChevronRight } from 'lucide-react';
import type { AnswerStep } from '#contract/chat.ts';
import { useTranslation } from '../i18n.ts';

/** Searches and tool calls of an answer, folded: what was asked for, how much was found, and how long it took. */
export function KeptSteps({ steps }: { steps: AnswerStep[] }) {
  const { t, i18n } = useTranslation('chat');
  const seconds = (ms: number) =>
    new Intl.NumberFormat(i18n.language, {
      ...{ style: 'unit', unit: ms < 1000 ? 'millisecond' : 'second', maximumFractionDigits: 1 },
    }).format(ms < 1000 ? ms : ms / 1000);
  // Tool calls run side by side, so the sum is an upper bound of the time that passed.
  return (
    <details className="group mt-2 text-sm text-muted">
      <summary className="inline-flex min-h-6 cursor-pointer list-none items-center gap-1 rounded-sm hover:text-foreground [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="size-3.5 transition-transform group-open:rotate-90" />
        {t('steps.title', { count: steps.length })}
      </summary>
      <ol className="mt-1 ml-1.5 border-l border-border pl-3">
        {steps.map(({ tool, query, results, ms }, index) => (
          // Steps never move: the index is their identity.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <li key={index} className="flex min-h-6 flex-wrap items-baseline gap-x-2 py-0.5">
            <span className="text-foreground">
              {tool === 'search_index' || tool === 'read_log' ? (
                t(`steps.${tool}`)
              ) : (
                <code className="font-mono">{tool}</code>
              )}
            </span>
            <span className="min-w-0 flex-1 basis-40 truncate font-mono" title={query}>
              {query}
            </span>
            <span className="tabular-nums">
              {results === null ? t('steps.failed') : t('steps.results', { count: results })} · {seconds(ms)}
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
}
