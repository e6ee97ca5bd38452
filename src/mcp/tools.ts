/** The three tools. Their definitions have the same size whatever the number of collections. */

import {
  type CallToolResult,
  CLIENT_INFO_META_KEY,
  fromJsonSchema,
  McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { isRecord } from '../domain/is-record.ts'
import { slipsBetween } from '../domain/slips.ts'
import { toAgentName } from './agent-name.ts'
import type { Api, Call } from './api.ts'
import { describeOperation } from './describe-operation.ts'
import { isBatch, type Operation, type OperationIndex } from './operations.ts'
import { searchOperations } from './search.ts'

/** Characters of an answer that an agent gets. */
const mostAnswer = 200_000

const instructions = `Tandem serves the tables of a SQL database as collections. Find an operation with search_operations,
read its parameters with describe_operation, run it with execute_operation. You see and do what your token may. Try a
write with dry_run first. Several writes in one transaction: the operation runBatch. To undo what you did: read the ids of
your entries with readActivities (filter user_agent by "mcp"), then run revertActivity.`

const text = { type: 'string', maxLength: 500 } as const

const schemas = {
  search: {
    type: 'object',
    properties: {
      words: {
        ...text,
        description: 'What to do, such as "publish the article" or "who may edit"; empty lists the first operations.',
      },
      limit: { type: 'integer', minimum: 1, maximum: 50, description: 'How many operations; 20 if absent.' },
    },
    required: ['words'],
    additionalProperties: false,
  },
  describe: {
    type: 'object',
    properties: { operation: { ...text, description: 'The name that search_operations answered.' } },
    required: ['operation'],
    additionalProperties: false,
  },
  execute: {
    type: 'object',
    properties: {
      operation: { ...text, description: 'The name that search_operations answered.' },
      parameters: { type: 'object', description: 'Values of the path and of the query string, by name.' },
      body: { description: 'The body, if the operation has one.' },
      if_match: { ...text, description: 'Entity tag that the item must still have.' },
      dry_run: { type: 'boolean', description: 'Do the write, answer, and undo it.' },
    },
    required: ['operation'],
    additionalProperties: false,
  },
} as const

type Execution = {
  readonly operation: string
  readonly parameters?: { readonly [name: string]: unknown }
  readonly body?: unknown
  readonly if_match?: string
  readonly dry_run?: boolean
}

type Standard<Input> = ReturnType<typeof fromJsonSchema<Input>>

/** The schema as the library takes it. The library's own error does not name an unknown property. */
function inputOf<Input>(schema: (typeof schemas)[keyof typeof schemas]): Standard<Input> {
  const { '~standard': standard } = fromJsonSchema<Input>(schema)
  const names = Object.keys(schema.properties)
  const validate: typeof standard.validate = (given, options) => {
    const unknown = Object.keys(Object(given)).find((name) => !names.includes(name))
    if (unknown === undefined) return standard.validate(given, options)
    return { issues: [{ message: `Expected one of ${names.join(', ')} but received "${unknown.slice(0, 100)}"` }] }
  }
  return { '~standard': { ...standard, validate } }
}

export type ServerIdentity = { readonly name: string; readonly version: string }

/** A protocol server for one caller. It serves one request, or one connection. */
export function createToolServer(api: Api, identity: ServerIdentity): McpServer {
  const server = new McpServer(identity, { instructions, capabilities: { tools: { listChanged: false } } })
  addSearch(server, api)
  addDescription(server, api)
  addExecution(server, api)
  return server
}

const findOperation = async (api: Api, id: string): Promise<Operation | null> =>
  (await api.operations()).operations.get(id) ?? null

function addSearch(server: McpServer, api: Api): void {
  server.registerTool(
    'search_operations',
    {
      description: 'Find operations of the API by words. Answers name, method, path and summary of each.',
      inputSchema: inputOf<{ words: string; limit?: number }>(schemas.search),
      annotations: { readOnlyHint: true },
    },
    async ({ words, limit = 20 }) => {
      const operations = searchOperations(await api.operations(), words, limit)
      return answered(
        JSON.stringify(operations.map(({ id, method, path, summary }) => ({ operation: id, method, path, summary }))),
      )
    },
  )
}

function addDescription(server: McpServer, api: Api): void {
  server.registerTool(
    'describe_operation',
    {
      description: 'The parameters, body and answers of one operation, with their JSON Schemas.',
      inputSchema: inputOf<{ operation: string }>(schemas.describe),
      annotations: { readOnlyHint: true },
    },
    async ({ operation }) => {
      const match = await findOperation(api, operation)
      const index = await api.operations()
      return match === null ? notFound(index, operation) : answered(describeOperation(index, match))
    },
  )
}

function addExecution(server: McpServer, api: Api): void {
  server.registerTool(
    'execute_operation',
    {
      description: 'Run one operation with the rights of the caller. Answers its status and body.',
      inputSchema: inputOf<Execution>(schemas.execute),
      annotations: { destructiveHint: true },
    },
    async (execution, ctx) => {
      const match = await findOperation(api, execution.operation)
      if (match === null) return notFound(await api.operations(), execution.operation)
      return execute(api, match, { execution, agent: agentOf(server, ctx) })
    },
  )
}

type ExecuteOptions = { readonly execution: Execution; readonly agent: string | null }

async function execute(api: Api, operation: Operation, { execution, agent }: ExecuteOptions): Promise<CallToolResult> {
  const { parameters = {}, body, if_match: ifMatch, dry_run: dryRun = false } = execution
  const isWhole = isBatch(operation)
  if (dryRun && operation.method !== 'GET' && operation.definition['x-transactional'] !== true && !isWhole) {
    return failed(`Expected no "dry_run" for ${operation.id}: a transaction cannot undo it`)
  }
  const unknown = Object.keys(parameters).find((name) => locationOf(operation, name) === null)
  if (unknown !== undefined) {
    const names = operation.parameters
      .filter(({ name }) => locationOf(operation, name) !== null)
      .map(({ name }) => name)
    const expected = names.length === 0 ? 'none' : names.join(', ')
    return failed(`Expected a parameter of ${operation.id} (${expected}) but received "${unknown.slice(0, 100)}"`)
  }
  const call: Call = {
    path: pick(operation, parameters, 'path'),
    query: pick(operation, parameters, 'query'),
    dryRun: dryRun && !isWhole,
    ...(body === undefined ? {} : { body: dryRun && isWhole ? asDryRun(body) : body }),
    ...(ifMatch === undefined ? {} : { ifMatch }),
  }
  const { status, text: answer, headers } = await api.run(operation, call, agent)
  const ignored = headers?.['ignored-fields']?.split(', ')
  const more = [
    ...(dryRun ? [',"dry_run":true'] : []),
    ...(ignored === undefined ? [] : [`,"ignored_fields":${JSON.stringify(ignored)}`]),
  ]
  const whole = `{"status":${status},"body":${answer ?? 'null'}${more.join('')}}`
  if (whole.length > mostAnswer) {
    const size = `at most ${mostAnswer} characters but it has ${whole.length}`
    return failed(`Expected an answer of ${size}: ask for fewer "fields" or a smaller "limit"`)
  }
  return { ...answered(whole), ...(status > 399 ? { isError: true } : {}) }
}

/** A batch undoes itself. Other bodies than objects are refused as they are. */
const asDryRun = (body: unknown): unknown => (isRecord(body) ? { ...body, dry_run: true } : body)

function locationOf({ parameters }: Operation, name: string): 'path' | 'query' | null {
  const location = parameters.find((each) => each.name === name)?.in
  return location === 'path' || location === 'query' ? location : null
}

const pick = (operation: Operation, values: Call['path'], location: 'path' | 'query'): Call['path'] =>
  Object.fromEntries(Object.entries(values).filter(([name]) => locationOf(operation, name) === location))

const answered = (value: string): CallToolResult => ({ content: [{ type: 'text', text: value }] })

const failed = (reason: string): CallToolResult => ({ ...answered(reason), isError: true })

/** Names the operations that are most like what was asked for, so that the next call can be right. */
function notFound(index: OperationIndex, operation: string): CallToolResult {
  const name = operation.slice(0, 100)
  const misspelt = [...index.operations.keys()].filter(
    (id) => Math.abs(id.length - name.length) <= 2 && slipsBetween(id, name) <= 2,
  )
  // Names of items end with their collection, which distinguishes them better than a verb.
  const related = searchOperations(index, name.split('_').at(-1) ?? name, 3).map(({ id }) => id)
  const similar = [...new Set([...misspelt, ...related])].slice(0, 3)
  const hint = similar.length === 0 ? '' : `; similar ones: ${similar.join(', ')}`
  return failed(`Expected an operation that search_operations answers but received "${name}"${hint}`)
}

/** Clients send their name with each message, or, before the revision of 2026, when a connection begins. */
function agentOf(server: McpServer, { mcpReq }: ServerContext): string | null {
  return toAgentName(mcpReq._meta?.[CLIENT_INFO_META_KEY] ?? server.server.getClientVersion())
}
