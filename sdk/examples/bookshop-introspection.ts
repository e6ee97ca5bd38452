/* eslint-disable */
/* prettier-ignore */

/** An IntrospectionQuery representation of your schema.
 *
 * @remarks
 * This is an introspection of your schema saved as a file by GraphQLSP.
 * You may import it to create a `graphql()` tag function with `gql.tada`
 * by importing it and passing it to `initGraphQLTada<>()`.
 *
 * @example
 * ```
 * import { initGraphQLTada } from 'gql.tada';
 * import type { introspection } from './introspection';
 *
 * export const graphql = initGraphQLTada<{
 *   introspection: typeof introspection;
 *   scalars: {
 *     DateTime: string;
 *     Json: any;
 *   };
 * }>();
 * ```
 */
const introspection = {
  __schema: {
    queryType: {
      kind: 'OBJECT',
      name: 'Query',
    },
    mutationType: null,
    subscriptionType: null,
    types: [
      {
        kind: 'SCALAR',
        name: 'Boolean',
      },
      {
        kind: 'SCALAR',
        name: 'ID',
      },
      {
        kind: 'SCALAR',
        name: 'Int',
      },
      {
        kind: 'OBJECT',
        name: 'Query',
        fields: [
          {
            name: 'books',
            type: {
              kind: 'NON_NULL',
              ofType: {
                kind: 'LIST',
                ofType: {
                  kind: 'NON_NULL',
                  ofType: {
                    kind: 'OBJECT',
                    name: 'books',
                  },
                },
              },
            },
            args: [
              {
                name: 'limit',
                type: {
                  kind: 'SCALAR',
                  name: 'Int',
                },
              },
              {
                name: 'sort',
                type: {
                  kind: 'LIST',
                  ofType: {
                    kind: 'SCALAR',
                    name: 'String',
                  },
                },
              },
            ],
            isDeprecated: false,
          },
        ],
        interfaces: [],
      },
      {
        kind: 'SCALAR',
        name: 'String',
      },
      {
        kind: 'OBJECT',
        name: 'authors',
        fields: [
          {
            name: 'id',
            type: {
              kind: 'NON_NULL',
              ofType: {
                kind: 'SCALAR',
                name: 'ID',
              },
            },
            args: [],
            isDeprecated: false,
          },
          {
            name: 'name',
            type: {
              kind: 'NON_NULL',
              ofType: {
                kind: 'SCALAR',
                name: 'String',
              },
            },
            args: [],
            isDeprecated: false,
          },
        ],
        interfaces: [],
      },
      {
        kind: 'OBJECT',
        name: 'books',
        fields: [
          {
            name: 'author',
            type: {
              kind: 'OBJECT',
              name: 'authors',
            },
            args: [],
            isDeprecated: false,
          },
          {
            name: 'id',
            type: {
              kind: 'NON_NULL',
              ofType: {
                kind: 'SCALAR',
                name: 'ID',
              },
            },
            args: [],
            isDeprecated: false,
          },
          {
            name: 'title',
            type: {
              kind: 'NON_NULL',
              ofType: {
                kind: 'SCALAR',
                name: 'String',
              },
            },
            args: [],
            isDeprecated: false,
          },
        ],
        interfaces: [],
      },
    ],
    directives: [],
  },
} as const

export { introspection }
