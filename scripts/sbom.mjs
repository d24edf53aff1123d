// Writes the software bill of materials of the package in the format CycloneDX 1.6, from the lockfile alone.
//   npm run --silent sbom > sbom.cdx.json
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './node24.mjs';
import { listShippedPackages } from './shipped-packages.mjs';

/** The bill of materials. Two calls for the same lockfile are equal: it has no time and no serial number. */
function createSbom() {
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const components = new Map();
  for (const shipped of listShippedPackages()) {
    const component = toComponent(shipped);
    components.set(component['bom-ref'], component);
  }
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': `pkg:npm/${own.name}@${own.version}`,
        name: own.name,
        version: own.version,
        purl: `pkg:npm/${own.name}@${own.version}`,
      },
    },
    components: [...components.values()],
  };
}

function toComponent({ name, version, license, integrity, optional }) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const scoped = /^(@[^/]+)\/(.+)$/.exec(name);
  const isExpression = /\s|see/.test(license);
  return {
    type: 'library',
    'bom-ref': purl,
    ...(scoped ? { group: scoped[1], name: scoped[2] } : { name }),
    version,
    scope: optional ? 'optional' : 'required',
    ...(integrity ? { hashes: [toHash(integrity)] } : {}),
    licenses: isExpression ? [{ license: { name: license } }] : [{ license: { id: license } }],
    purl,
  };
}

/** `sha512-BASE64` of the lockfile in the form of CycloneDX. */
function toHash(integrity) {
  const [algorithm, base64] = integrity.split('-');
  return { alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(base64, 'base64').toString('hex') };
}

console.log(JSON.stringify(createSbom(), null, 2));
