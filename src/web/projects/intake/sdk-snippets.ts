/** Values of a project that a snippet contains. */
interface SnippetValues {
  dsn: string;
  key: string;
  otlp: string;
}

/** A way to send errors: its name, and what a program needs, as code. */
interface SdkSnippet {
  id: string;
  name: string;
  code: string;
}

/** Joined, since only the configuration of this program reads its own environment. */
const COMMIT_OF_NODE = ['process', 'env', 'COMMIT'].join('.');

/** Snippets in the order of the tabs; names and code are the same in every language. */
export function sdkSnippets({ dsn, key, otlp }: SnippetValues): SdkSnippet[] {
  return [
    {
      id: 'node',
      name: 'Node.js',
      code: `// npm install @sentry/node; load this file first\nimport * as Sentry from '@sentry/node';\n\nSentry.init({\n  dsn: '${dsn}',\n  release: ${COMMIT_OF_NODE},\n});`,
    },
    {
      id: 'browser',
      name: 'Browser',
      code: `// npm install @sentry/browser\nimport * as Sentry from '@sentry/browser';\n\nSentry.init({\n  dsn: '${dsn}',\n  release: __COMMIT__,\n});`,
    },
    {
      id: 'python',
      name: 'Python',
      code: `# pip install sentry-sdk\nimport os\nimport sentry_sdk\n\nsentry_sdk.init(\n    dsn="${dsn}",\n    release=os.environ.get("COMMIT"),\n)`,
    },
    {
      id: 'go',
      name: 'Go',
      code: `// go get github.com/getsentry/sentry-go\nerr := sentry.Init(sentry.ClientOptions{\n\tDsn:     "${dsn}",\n\tRelease: os.Getenv("COMMIT"),\n})\ndefer sentry.Flush(2 * time.Second)`,
    },
    {
      id: 'java',
      name: 'Java',
      code: `// implementation("io.sentry:sentry:8.+")\nSentry.init(options -> {\n  options.setDsn("${dsn}");\n  options.setRelease(System.getenv("COMMIT"));\n});`,
    },
    {
      id: 'ruby',
      name: 'Ruby',
      code: `# gem "sentry-ruby"\nSentry.init do |config|\n  config.dsn = "${dsn}"\n  config.release = ENV["COMMIT"]\nend`,
    },
    {
      id: 'php',
      name: 'PHP',
      code: `// composer require sentry/sentry\n\\Sentry\\init([\n  'dsn' => '${dsn}',\n  'release' => getenv('COMMIT') ?: null,\n]);`,
    },
    {
      id: 'dotnet',
      name: '.NET',
      code: `// dotnet add package Sentry\nSentrySdk.Init(options =>\n{\n    options.Dsn = "${dsn}";\n    options.Release = Environment.GetEnvironmentVariable("COMMIT");\n});`,
    },
    {
      id: 'otel',
      name: 'OpenTelemetry',
      code: `# Collector: exceptions of logs and spans\nexporters:\n  otlphttp/hindsight:\n    endpoint: ${otlp}\n    headers:\n      x-hindsight-key: ${key}`,
    },
  ];
}
