/** Every text of the application in this language: path of its file → texts. One script, loaded for readers of this language only. */
export const files = import.meta.glob<Record<string, unknown>>(
  ['../../locales/es/*.json', '!../../locales/es/{mail,site}.json'],
  {
    eager: true,
    import: 'default',
  },
);
