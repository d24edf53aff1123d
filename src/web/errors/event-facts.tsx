import type { ErrorEventDetail } from '#contract/error-events.ts';
import { useTranslation } from '../i18n.ts';
import { Verbatim } from '../parts/verbatim.tsx';

type Fact = { name: string; value: string };

/** Facts of an event as they were sent, after personal data was removed: request, tags, contexts and further values. */
export function EventFacts({ event }: { event: ErrorEventDetail }) {
  const { t } = useTranslation('errors-page');
  const { request, sdk } = event;
  const fact = (name: string, value: string | null | undefined): Fact[] =>
    value ? [{ name: t(`facts.${name}`), value }] : [];
  const blocks: Record<string, Fact[]> = {
    request: [...fact('method', request?.method), ...fact('url', request?.url)],
    tags: event.tags,
    contexts: event.contexts,
    extra: event.extra,
    source: [
      ...fact('logger', event.logger),
      ...fact('server', event.server_name),
      ...fact('trace', event.trace_id),
      ...fact('platform', event.platform),
      ...fact('sdk', sdk && `${sdk.name} ${sdk.version}`),
      ...fact('event', event.id),
    ],
  };
  return (
    <div className="grid gap-x-8 gap-y-6 lg:grid-cols-2">
      {Object.entries(blocks).map(
        ([name, facts]) =>
          facts.length > 0 && <FactBlock key={name} title={t(`facts.${name}`)} facts={facts} />,
      )}
    </div>
  );
}

function FactBlock({ title, facts }: { title: string; facts: Fact[] }) {
  return (
    <section className="min-w-0">
      <h3 className="mb-1">{title}</h3>
      <dl className="border-b border-border">
        {facts.map(({ name, value }) => (
          <div key={name} className="flex min-h-8 gap-4 border-t border-border py-1.5">
            <dt className="w-32 shrink-0 wrap-anywhere text-muted">
              <Verbatim text={name} />
            </dt>
            <dd className="min-w-0 flex-1 font-mono text-code wrap-anywhere whitespace-pre-wrap">
              <Verbatim text={value} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
