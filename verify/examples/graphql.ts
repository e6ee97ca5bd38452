/** Changes of a GraphQL schema, by the kinds of graphql-inspector. */
import type { Severity } from '../src/diff/change.ts'

export const wholeSchema = `directive @cost(by: Int!, at: String = "a") on FIELD_DEFINITION | QUERY
interface Named { name: String }
enum State { OLD NEW @deprecated(reason: "Gone") }
union Found = Thing | Place
input Wanted { name: String = "a" size: Int }
type Thing implements Named { name: String size(in: Int = 1): Int old: Int @deprecated state: State }
type Place { id: ID }
type Query { things(wanted: Wanted, first: Int): [Thing] found: Found }
type Mutation { make: Thing }
type Subscription { made: Thing }
type Other { made: Thing }
`

/** The kind of graphql-inspector, what is replaced in the schema, and the severity here. */
export const graphqlExamples: readonly (readonly [
  kind: string,
  from: string,
  to: string,
  severity: Severity | 'none',
])[] = [
  ['FIELD_ARGUMENT_DEFAULT_CHANGED', 'in: Int = 1', 'in: Int = 2', 'perhaps'],
  ['FIELD_ARGUMENT_TYPE_CHANGED', 'first: Int)', 'first: String)', 'breaking'],
  ['FIELD_ARGUMENT_ADDED', 'first: Int)', 'first: Int, last: Int)', 'perhaps'],
  ['FIELD_ARGUMENT_ADDED, demanded', 'first: Int)', 'first: Int, last: Int!)', 'breaking'],
  ['FIELD_ARGUMENT_REMOVED', ', first: Int)', ')', 'breaking'],
  ['DIRECTIVE_REMOVED', 'directive @cost(by: Int!, at: String = "a") on FIELD_DEFINITION | QUERY', '', 'breaking'],
  ['DIRECTIVE_ADDED', 'interface Named', 'directive @new on QUERY\ninterface Named', 'safe'],
  ['DIRECTIVE_LOCATION_ADDED', '| QUERY', '| QUERY | FIELD', 'none'],
  ['DIRECTIVE_LOCATION_REMOVED', ' | QUERY', '', 'breaking'],
  ['DIRECTIVE_ARGUMENT_ADDED', 'by: Int!', 'by: Int!, of: Int!', 'breaking'],
  ['DIRECTIVE_ARGUMENT_REMOVED', 'by: Int!, ', '', 'breaking'],
  ['DIRECTIVE_ARGUMENT_DEFAULT_VALUE_CHANGED', 'at: String = "a"', 'at: String = "b"', 'perhaps'],
  ['DIRECTIVE_ARGUMENT_TYPE_CHANGED', 'by: Int!', 'by: String!', 'breaking'],
  ['DIRECTIVE_ARGUMENT_TYPE_CHANGED, wider', 'by: Int!', 'by: Int', 'safe'],
  ['ENUM_VALUE_REMOVED', 'OLD ', '', 'breaking'],
  ['ENUM_VALUE_ADDED', 'OLD ', 'OLD ODD ', 'perhaps'],
  ['ENUM_VALUE_DEPRECATION_REASON_ADDED', 'OLD ', 'OLD @deprecated ', 'safe'],
  ['ENUM_VALUE_DEPRECATION_REASON_REMOVED', ' @deprecated(reason: "Gone")', '', 'safe'],
  ['FIELD_REMOVED', ' old: Int @deprecated', '', 'breaking'],
  ['FIELD_ADDED', 'old: Int', 'new: Int old: Int', 'safe'],
  ['FIELD_TYPE_CHANGED', '): Int old', '): String old', 'breaking'],
  ['FIELD_TYPE_CHANGED, narrower', '): Int old', '): Int! old', 'none'],
  ['FIELD_DEPRECATION_ADDED', 'name: String size(', 'name: String @deprecated size(', 'safe'],
  ['FIELD_DEPRECATION_REMOVED', ' @deprecated state', ' state', 'safe'],
  ['INPUT_FIELD_REMOVED', ' size: Int }', ' }', 'breaking'],
  ['INPUT_FIELD_ADDED', ' size: Int }', ' size: Int new: Int }', 'perhaps'],
  ['INPUT_FIELD_ADDED, demanded', ' size: Int }', ' size: Int new: Int! }', 'breaking'],
  ['INPUT_FIELD_DEFAULT_VALUE_CHANGED', 'String = "a" size', 'String = "b" size', 'perhaps'],
  ['INPUT_FIELD_TYPE_CHANGED', ' size: Int }', ' size: Int! }', 'breaking'],
  ['OBJECT_TYPE_INTERFACE_ADDED', 'type Place {', 'type Place implements Named { name: String', 'perhaps'],
  ['OBJECT_TYPE_INTERFACE_REMOVED', 'Thing implements Named', 'Thing', 'breaking'],
  ['SCHEMA_QUERY_TYPE_CHANGED', 'interface Named', 'schema { query: Place }\ninterface Named', 'breaking'],
  [
    'SCHEMA_MUTATION_TYPE_CHANGED',
    'interface Named',
    'schema { query: Query mutation: Other subscription: Subscription }\ninterface Named',
    'breaking',
  ],
  [
    'SCHEMA_SUBSCRIPTION_TYPE_CHANGED',
    'interface Named',
    'schema { query: Query mutation: Mutation subscription: Other }\ninterface Named',
    'breaking',
  ],
  ['TYPE_REMOVED', 'type Other { made: Thing }', '', 'breaking'],
  ['TYPE_ADDED', 'type Other', 'type More { id: ID }\ntype Other', 'safe'],
  ['TYPE_KIND_CHANGED', 'type Other {', 'input Thing2 { id: ID }\ninterface Other {', 'breaking'],
  ['UNION_MEMBER_REMOVED', ' | Place', '', 'breaking'],
  ['UNION_MEMBER_ADDED', 'Thing | Place', 'Thing | Place | Other', 'perhaps'],
]
