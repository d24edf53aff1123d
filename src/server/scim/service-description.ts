export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const MAX_RESULTS = 200;

/** Capabilities (RFC 7643, section 5). */
export function serviceProviderConfig(baseUrl: string) {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MAX_RESULTS },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: false },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'A token that an administrator creates',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${baseUrl}/ServiceProviderConfig` },
  };
}

/** Kinds of resources (RFC 7643, section 6). */
export function resourceTypes(baseUrl: string) {
  const type = (id: string, endpoint: string, schema: string) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id,
    name: id,
    endpoint,
    schema,
    meta: { resourceType: 'ResourceType', location: `${baseUrl}/ResourceTypes/${id}` },
  });
  return [type('User', '/Users', USER_SCHEMA), type('Group', '/Groups', GROUP_SCHEMA)];
}

interface Attribute {
  name: string;
  type?: 'string' | 'boolean' | 'complex' | 'reference';
  required?: boolean;
  multiValued?: boolean;
  mutability?: 'readOnly' | 'readWrite' | 'immutable';
  uniqueness?: 'none' | 'server';
  subAttributes?: Attribute[];
}

/** Adds the characteristics that RFC 7643, section 2.2, gives to every attribute. */
function attribute({ subAttributes, ...given }: Attribute): object {
  return {
    type: 'string',
    multiValued: false,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    ...given,
    ...(subAttributes && { subAttributes: subAttributes.map(attribute) }),
  };
}

const USER_ATTRIBUTES: Attribute[] = [
  { name: 'userName', required: true, uniqueness: 'server' },
  {
    name: 'name',
    type: 'complex',
    subAttributes: ['formatted', 'givenName', 'familyName'].map((name) => ({ name })),
  },
  { name: 'displayName' },
  { name: 'preferredLanguage' },
  { name: 'active', type: 'boolean' },
  {
    name: 'emails',
    type: 'complex',
    multiValued: true,
    required: true,
    subAttributes: [{ name: 'value' }, { name: 'type' }, { name: 'primary', type: 'boolean' }],
  },
  {
    name: 'groups',
    type: 'complex',
    multiValued: true,
    mutability: 'readOnly',
    subAttributes: [
      { name: 'value', mutability: 'readOnly' },
      { name: 'display', mutability: 'readOnly' },
    ],
  },
];

const GROUP_ATTRIBUTES: Attribute[] = [
  { name: 'displayName', required: true, uniqueness: 'server' },
  {
    name: 'members',
    type: 'complex',
    multiValued: true,
    subAttributes: [
      { name: 'value', mutability: 'immutable' },
      { name: 'display', mutability: 'readOnly' },
    ],
  },
];

/** Schemas of the resources (RFC 7643, section 7). */
export function schemas(baseUrl: string) {
  const schema = (id: string, name: string, attributes: Attribute[]) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id,
    name,
    attributes: attributes.map(attribute),
    meta: { resourceType: 'Schema', location: `${baseUrl}/Schemas/${id}` },
  });
  return [schema(USER_SCHEMA, 'User', USER_ATTRIBUTES), schema(GROUP_SCHEMA, 'Group', GROUP_ATTRIBUTES)];
}
