import type { ContextUse } from '#contract/chat.ts';
import { useTranslation } from '../i18n.ts';

/** Classes of each part of the bar; instructions and tools are what remains. */
const PART_CLASSES = {
  conversation: 'bg-age-1',
  evidence: 'bg-age-3',
  attachments: 'bg-warning',
  other: 'bg-muted',
} as const;

type Part = keyof typeof PART_CLASSES;
const PARTS = Object.keys(PART_CLASSES) as Part[];

/** Share of the model's context that the newest answer took, by part. Without a known size only the tokens are given. */
export function ContextGauge({ context }: { context: ContextUse }) {
  const { t, i18n } = useTranslation('chat');
  const { tokens, window, is_estimate } = context;
  const { conversation, evidence, attachments } = context.parts;
  const other = Math.max(0, tokens - conversation - evidence - attachments);
  const amounts: Record<Part, number> = { conversation, evidence, attachments, other };
  const number = (value: number) =>
    new Intl.NumberFormat(i18n.language, { notation: 'compact', maximumFractionDigits: 1 }).format(value);
  const share = window === null ? null : tokens / window;
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 0 });
  const params = { tokens: number(tokens), window: number(window ?? 0), share: percent.format(share ?? 0) };
  const total = window ?? tokens;
  return (
    <details className="min-w-0 text-sm text-muted">
      <summary className="inline-flex min-h-6 max-w-full cursor-pointer list-none items-center gap-2 rounded-sm hover:text-foreground [&::-webkit-details-marker]:hidden">
        {window !== null && (
          <span aria-hidden className="flex h-1.5 w-16 shrink-0 overflow-hidden rounded-sm bg-border">
            {PARTS.map((part) => (
              <span
                key={part}
                className={PART_CLASSES[part]}
                style={{ width: `${Math.min(100, (amounts[part] / total) * 100)}%` }}
              />
            ))}
          </span>
        )}
        <span className="truncate tabular-nums">
          {t(window === null ? 'context.unknown' : 'context.of', params)}
        </span>
      </summary>
      <dl className="mt-1 mb-2 grid grid-cols-[auto_auto] justify-start gap-x-4 gap-y-0.5">
        {PARTS.filter((part) => amounts[part] > 0).map((part) => (
          <div key={part} className="contents">
            <dt className="flex items-center gap-2">
              <span aria-hidden className={`size-2 rounded-sm ${PART_CLASSES[part]}`} />
              {t(`context.part.${part}`)}
            </dt>
            <dd className="text-right tabular-nums">≈ {number(amounts[part])}</dd>
          </div>
        ))}
      </dl>
      <p className="mb-1 max-w-[60ch]">
        {t(is_estimate ? 'context.estimated' : 'context.reported')}{' '}
        {window === null && t('context.no_window')}
      </p>
    </details>
  );
}
