import type { ReactNode } from 'react';
import { Examples, Specimen } from './specimen.tsx';

const COLORS = {
  page: ['background', 'surface', 'foreground', 'muted', 'border', 'control', 'select', 'alert'],
  action: ['action', 'action-strong', 'on-action', 'cause', 'cause-subtle', 'success', 'warning'],
  age: ['age-1', 'age-2', 'age-3', 'age-4', 'age-5'],
  chart: ['chart-1', 'chart-2', 'chart-3', 'chart-4', 'chart-5', 'chart-6', 'chart-axis', 'chart-grid'],
  person: ['person-1', 'person-2', 'person-3', 'person-4', 'person-5', 'person-6', 'on-person'],
  code: ['code-keyword', 'code-string', 'code-number', 'code-function'],
  diff: ['diff-add', 'diff-add-mark', 'diff-delete', 'diff-delete-mark'],
};

const TYPE: Record<string, ReactNode> = {
  'text-display': <p className="landing-title font-semibold">fastify.js:530</p>,
  'text-title': <p className="text-title font-semibold">fastify.js:530</p>,
  'text-answer': <p className="max-w-[68ch] text-answer">{'Why is the code the way it is? '.repeat(12)}</p>,
  'text-base': <p>{'Il1O0 '.repeat(12)}</p>,
  'text-sm': <p className="text-sm text-muted">{'Il1O0 '.repeat(12)}</p>,
  'text-xs': <p className="text-xs text-muted">{'Il1O0 '.repeat(12)}</p>,
  'text-code': <p className="font-mono text-code">{'Il1O0 '.repeat(12)}</p>,
};

/** Colors and type. */
export function TokenSpecimens() {
  return (
    <>
      {Object.entries(COLORS).map(([group, names]) => (
        <Specimen key={group} name={group}>
          <Examples>
            {names.map((name) => (
              <span key={name} className="flex w-40 items-center gap-2">
                <span
                  className="size-6 rounded-md border border-border"
                  style={{ background: `var(--${name})` }}
                />
                <code className="text-sm">{name}</code>
              </span>
            ))}
          </Examples>
        </Specimen>
      ))}
      <Specimen name="type">
        {Object.entries(TYPE).map(([name, example]) => (
          <div key={name} className="grid w-full gap-x-4 sm:grid-cols-[100px_1fr]">
            <code className="text-sm text-muted">{name}</code>
            {example}
          </div>
        ))}
      </Specimen>
    </>
  );
}
