/** Executes an operation: each root field is one task, whose JSON text is inserted into the answer unparsed. */

import {
  type DocumentNode,
  executeSync,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLFormattedError,
  type GraphQLObjectType,
  getDirectiveValues,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql'
import { memoizeBy } from '../domain/memoize.ts'
import type { Root, ServedSchema } from './schema/schema-types.ts'
import { type FieldScope, type RootNodes, rootNodes, type SelectedField, toSelectedField } from './selected-field.ts'

/** The result of a root field: JSON text, or a value to complete. */
export type Answer =
  | { readonly kind: 'text'; readonly text: string | readonly string[] }
  | { readonly kind: 'value'; readonly value: unknown }

/** Resolves a root field in a generation. */
export type ResolveRoot = (root: Root, selected: SelectedField) => Promise<Answer>

/** Converts an error to GraphQL errors. */
export type ToErrors = (error: unknown) => readonly Pick<GraphQLFormattedError, 'message' | 'extensions'>[]

export type ExecuteOptions = {
  readonly work: ResolveRoot
  readonly toErrors: ToErrors
  /** Runs the fields of a mutation in one transaction; absent where there are no mutations. */
  readonly transact?: Transact
  /** Throws for a field that a transaction cannot undo. */
  readonly assertPart?: (root: Root, name: string) => void
  /** Whether all fields of a mutation are one transaction, regardless of `@transaction`. */
  readonly isTogether?: boolean
}

export type Transaction = { readonly dryRun: boolean }

/** Calls `fields` with the work of the transaction; more than once if the transaction is repeated. */
export type Transact = (transaction: Transaction, fields: (work: ResolveRoot) => Promise<void>) => Promise<void>

export type Operation = {
  readonly served: ServedSchema
  readonly document: DocumentNode
  readonly definition: OperationDefinitionNode
  /** Raw variables. */
  readonly variables: { readonly [name: string]: unknown }
  /** Variables coerced to their types. */
  readonly coerced: { readonly [name: string]: unknown }
}

/** The answer as JSON text in pieces, and whether there was no error. */
export type Outcome = { readonly pieces: readonly string[]; readonly isWhole: boolean }

/** Runs fields of a query concurrently and those of a mutation in sequence. */
export async function executeOperation(operation: Operation, conduct: ExecuteOptions): Promise<Outcome> {
  const { work, toErrors } = conduct
  const type = rootType(operation)
  const fragments = operation.document.definitions.filter((each) => each.kind === Kind.FRAGMENT_DEFINITION)
  const fieldScope: FieldScope = {
    schema: operation.served.schema,
    variables: operation.coerced,
    fragments: new Map(fragments.map((each) => [each.name.value, each])),
  }
  const roots = rootNodes(fieldScope, type, operation.definition.selectionSet)
  const selectionOf = memoizeBy((root: RootNodes) => toSelectedField(fieldScope, type, root))
  const run = (root: RootNodes): Promise<AnsweredFields> =>
    runField({ operation, selectionOf, fragments, type, root }, work).catch((error: unknown) =>
      failed(root, toErrors(error)),
    )
  if (operation.definition.operation === OperationTypeNode.QUERY)
    return assemble(type, roots, await Promise.all(roots.map(run)))
  const transaction = conduct.transact === undefined ? null : transactionOf(operation, conduct.isTogether === true)
  if (transaction === null || conduct.transact === undefined) {
    const done: AnsweredFields[] = []
    for (const root of roots) done.push(await run(root))
    return assemble(type, roots, done)
  }
  const meaningOf = ({ nodes }: RootNodes): Root => operation.served.mutation.get(nodes[0]?.name.value ?? '') ?? named
  const outcome = await runTogether({
    roots,
    toErrors,
    assertPart: (root) => conduct.assertPart?.(meaningOf(root), root.nodes[0]?.name.value ?? ''),
    transact: (fields) => conduct.transact?.(transaction, fields) ?? Promise.resolve(),
    runField: (root, inner) => runField({ operation, selectionOf, fragments, type, root }, inner),
  })
  return 'done' in outcome ? assemble(type, roots, outcome.done) : failure(outcome.failed.errors)
}

const named: Root = { kind: 'named' }

const failure = (errors: readonly GraphQLFormattedError[]): Outcome => ({
  pieces: [`{"data":null,"errors":${JSON.stringify(errors)}}`],
  isWhole: false,
})

/** The arguments of `@transaction`; null for a mutation without it, whose fields are transactions of their own. */
function transactionOf({ definition, served, variables }: Operation, isTogether: boolean): Transaction | null {
  const directive = served.schema.getDirective('transaction')
  const input = directive == null ? undefined : getDirectiveValues(directive, definition, variables)
  if (input === undefined) return isTogether ? { dryRun: false } : null
  return { dryRun: input['dry_run'] === true }
}

type MutationRun = {
  readonly roots: readonly RootNodes[]
  readonly toErrors: ToErrors
  readonly assertPart: (root: RootNodes) => void
  readonly transact: (fields: (work: ResolveRoot) => Promise<void>) => Promise<void>
  readonly runField: (root: RootNodes, work: ResolveRoot) => Promise<AnsweredFields>
}

/** Runs all fields in one transaction, up to the first that fails. An error of the commit has no path. */
async function runTogether({
  roots,
  toErrors,
  assertPart,
  transact,
  runField: runOne,
}: MutationRun): Promise<{ readonly done: readonly AnsweredFields[] } | { readonly failed: AnsweredFields }> {
  let running: RootNodes | null = null
  let incomplete: AnsweredFields | null = null
  let done: AnsweredFields[] = []
  try {
    for (const root of roots) {
      running = root
      assertPart(root)
    }
    await transact(async (work) => {
      done = []
      for (const root of roots) {
        running = root
        const one = await runOne(root, work)
        if (one.errors.length > 0) incomplete = one
        if (one.errors.length > 0) throw new Error('A field could not be completed')
        done.push(one)
      }
      running = null
    })
    return { done }
  } catch (error) {
    if (incomplete !== null) return { failed: incomplete }
    const errors = toErrors(error)
    return { failed: running === null ? { text: ['null'], errors } : failed(running, errors) }
  }
}

function rootType({ definition, served: { schema } }: Operation): GraphQLObjectType {
  const type = definition.operation === OperationTypeNode.QUERY ? schema.getQueryType() : schema.getMutationType()
  if (type == null) throw new Error(`Validation lets no ${definition.operation} pass that the schema has not`)
  return type
}

type AnsweredFields = { readonly text: readonly string[]; readonly errors: readonly GraphQLFormattedError[] }

function failed({ key, nodes }: RootNodes, errors: ReturnType<ToErrors>): AnsweredFields {
  const start = nodes[0]?.loc?.startToken
  const location = start === undefined ? {} : { locations: [{ line: start.line, column: start.column }] }
  return { text: ['null'], errors: errors.map((each) => ({ ...each, ...location, path: [key] })) }
}

type RootRun = {
  readonly operation: Operation
  readonly selectionOf: (root: RootNodes) => SelectedField
  readonly fragments: readonly FragmentDefinitionNode[]
  readonly type: GraphQLObjectType
  readonly root: RootNodes
}

async function runField(running: RootRun, work: ResolveRoot): Promise<AnsweredFields> {
  const { operation, selectionOf, root } = running
  const name = root.nodes[0]?.name.value ?? ''
  if (name.startsWith('__')) return complete(running, undefined)
  const { query, mutation } = operation.served
  const meaning = (operation.definition.operation === OperationTypeNode.QUERY ? query : mutation).get(name) ?? {
    kind: 'named',
  }
  const answer = await work(meaning, selectionOf(root))
  if (answer.kind === 'value') return complete(running, { [name]: answer.value })
  return { text: typeof answer.text === 'string' ? [answer.text] : answer.text, errors: [] }
}

/** Lets the library complete values and answer introspection. */
function complete({ operation, fragments, root }: RootRun, rootValue: object | undefined): AnsweredFields {
  const { definition, document, served, variables } = operation
  const selections: readonly FieldNode[] = root.nodes
  const own: OperationDefinitionNode = {
    ...definition,
    directives: [],
    variableDefinitions: definition.variableDefinitions ?? [],
    selectionSet: { kind: Kind.SELECTION_SET, selections },
  }
  const result = executeSync({
    schema: served.schema,
    document: { kind: document.kind, definitions: [own, ...fragments] },
    rootValue,
    variableValues: variables,
  })
  const { data, errors = [] } = result
  const value = data?.[root.key] ?? null
  return { text: [JSON.stringify(value)], errors: errors.map((each) => each.toJSON()) }
}

/** Assembles the answer. A failed non-null field makes all data null. */
function assemble(type: GraphQLObjectType, roots: readonly RootNodes[], done: readonly AnsweredFields[]): Outcome {
  const errors = done.flatMap((each) => each.errors)
  const tail = errors.length === 0 ? '}' : `,"errors":${JSON.stringify(errors)}}`
  const isNull = roots.some(({ nodes }, at) => {
    const field = type.getFields()[nodes[0]?.name.value ?? '']
    return field !== undefined && isNonNullType(field.type) && isNullText(done[at])
  })
  if (isNull) return { pieces: [`{"data":null${tail}`], isWhole: false }
  const pieces = roots.flatMap(({ key }, at) => [
    `${at === 0 ? '{"data":{' : ','}${JSON.stringify(key)}:`,
    ...(done[at]?.text ?? ['null']),
  ])
  return { pieces: [...(roots.length === 0 ? ['{"data":{'] : pieces), `}${tail}`], isWhole: errors.length === 0 }
}

const isNullText = (done: AnsweredFields | undefined): boolean => done?.text.length === 1 && done.text[0] === 'null'
