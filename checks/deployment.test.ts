import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript-api';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

interface Manifest {
  apiVersion: string;
  kind: string;
}

const FOLDERS = { manifests: 'deploy/kubernetes/*.yaml', templates: 'deploy/helm/templates/*.yaml' };

/** Manifests of YAML texts, sorted by kind and name. */
function parseManifests(texts: string[]): Manifest[] {
  const key = ({ kind, metadata }: Manifest & { metadata?: { name: string } }) => `${kind} ${metadata?.name}`;
  return texts
    .flatMap((text) => parseAllDocuments(text, { merge: true }).map((document) => document.toJS()))
    .toSorted((a, b) => key(a).localeCompare(key(b)));
}

function readAll(pattern: string): string[] {
  return globSync(pattern)
    .toSorted()
    .map((path) => readFileSync(path, 'utf8'));
}

/** Renders a template with the default values. Knows what these templates use: values, `quote`, `toYaml`, `with` and `range`. */
function render(template: string, values: Record<string, unknown>): string {
  const read = (path: string) =>
    path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], values);
  return template
    .replace(/^ *\{\{- (?:range|with) [^\n]*\n[\s\S]*?\{\{- end \}\}\n/gm, '')
    .replaceAll('{{ .Release.Name }}', 'hindsight')
    .replace(/\{\{-? (?:toYaml )?\.Values\.([\w.]+)(?: \| (?:quote|nindent \d+))? \}\}/g, (_, path) =>
      typeof read(path) === 'object' ? ` ${JSON.stringify(read(path))}` : JSON.stringify(read(path)),
    );
}

/** The module of a manifest's types: `v1` is in `core/v1`, `networking.k8s.io/v1` in `networking/v1`. */
function apiGroup({ apiVersion }: Manifest): string {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['core', apiVersion];
  return `${group!.replace('.k8s.io', '')}/${version}`;
}

/** Errors of manifests as values of the types that `kubernetes-types` has from the published OpenAPI of Kubernetes. */
function typeErrors(manifests: Manifest[]): string[] {
  // Inside of the checkout, so that the package is found.
  mkdirSync('.cache', { recursive: true });
  const folder = mkdtempSync('.cache/manifests-');
  try {
    const lines = manifests.map(
      (manifest, at) =>
        `import type { ${manifest.kind} as T${at} } from 'kubernetes-types/${apiGroup(manifest)}';\n` +
        `export const m${at}: T${at} = ${JSON.stringify(manifest)};`,
    );
    const file = join(folder, 'manifests.ts');
    writeFileSync(file, lines.join('\n'));
    const options = {
      module: ts.ModuleKind.Preserve,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      ...{ strict: true, skipLibCheck: true, noEmit: true, types: [], lib: ['lib.es5.d.ts'] },
    };
    const program = ts.createProgram([file], options);
    return ts
      .getPreEmitDiagnostics(program)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('the manifests have only fields of the published schemas of Kubernetes, and each that is required', () => {
  const manifests = parseManifests(readAll(FOLDERS.manifests));
  expect(manifests.map(({ kind }) => kind)).toContain('Deployment');
  expect(typeErrors(manifests)).toEqual([]);
  const wrong = manifests.map((one) => (one.kind === 'Ingress' ? { ...one, specification: {} } : one));
  expect(typeErrors(wrong)).toHaveLength(1);
});

test('the chart with its default values makes the manifests', () => {
  const values = parse(readFileSync('deploy/helm/values.yaml', 'utf8'));
  const rendered = readAll(FOLDERS.templates).map((template) => render(template, values));
  expect(rendered.filter((text) => text.includes('{{'))).toEqual([]);
  expect(parseManifests(rendered)).toEqual(parseManifests(readAll(FOLDERS.manifests)));
});

test('version and image of the chart are those of the package', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const chart = parse(readFileSync('deploy/helm/Chart.yaml', 'utf8'));
  const values = parse(readFileSync('deploy/helm/values.yaml', 'utf8'));
  expect([chart.version, chart.appVersion, values.image]).toEqual([version, version, `hindsight:${version}`]);
});

test('the compose file uses the variables of its example, and services that exist', () => {
  const text = readFileSync('deploy/compose.yml', 'utf8');
  const used = new Set([...text.matchAll(/(?<!\$)\$\{(\w+)\}/g)].map(([, name]) => name));
  const given = [...readFileSync('deploy/compose.env.example', 'utf8').matchAll(/^(\w+)=/gm)];
  expect([...used].toSorted()).toEqual(given.map(([, name]) => name).toSorted());
  const { services } = parse(text, { merge: true }) as {
    services: Record<string, { depends_on?: Record<string, unknown> | string[] }>;
  };
  const needed = Object.values(services).flatMap(({ depends_on: on = [] }) =>
    Array.isArray(on) ? on : Object.keys(on),
  );
  expect(needed.filter((name) => !(name in services))).toEqual([]);
});
