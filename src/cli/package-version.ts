import description from '../../package.json' with { type: 'json' };

/** Version of this program. */
export const PACKAGE_VERSION: string = description.version;
