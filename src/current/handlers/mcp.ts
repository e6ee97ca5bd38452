/** `POST /mcp`: tools for agents, which run the operations of this API with the rights of the caller. */
import { runBatch, type Step } from '../../core/batch/run-batch.ts'
import type { Context } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { CurrentMcpOperations } from '../../generated/current.ts'
import type { ToSteps } from '../../http/app/batch/step-types.ts'
import type { HandlerInput, Handlers } from '../../http/app/handlers.ts'
import { empty, jsonText, withHeaders } from '../../http/reply/reply.ts'
import { requestBounds } from '../../http/settings.ts'
import type { Answer, Api, Call } from '../../mcp/api.ts'
import { type Operation, type OperationIndex, readOperations } from '../../mcp/operations.ts'
import { memoizeByRights, type Scope } from '../views/current-spec.ts'
import { specialisedSpec } from '../views/specialised-spec.ts'
import { toErrorBody } from '../wire/errors.ts'

export const mcp = {
  async runMcp(ctx, { body, request, steps }) {
    if (!ctx.server.agents) throw new TandemError({ kind: 'route-not-found', path: request.path })
    const { api, escaped } = apiOf(ctx, { request, steps: steps as ToSteps })
    const headers = request.headers as { readonly [name: string]: string }
    const { answerMessage } = await import('../../mcp/answer.ts')
    const { status, text, session } = await answerMessage(
      api,
      { name: 'tandem', version: ctx.server.version },
      { body, headers },
    )
    for (const error of escaped) throw error
    if (text === null) return empty(202)
    return withHeaders(
      { ...jsonText(text), status: status as 200 },
      session === null ? {} : { 'mcp-session-id': session },
    )
  },
} satisfies Handlers<CurrentMcpOperations>

/** The operations are read once per schema and rights. */
const operationsOf = memoizeByRights(
  (scope: Scope): OperationIndex => readOperations(JSON.parse(specialisedSpec(scope))),
)

type Part = Pick<HandlerInput<object>, 'request'> & { readonly steps: ToSteps }

/** `escaped`: errors that are no answer to an agent, such as that of an outdated schema. */
function apiOf(ctx: Context, part: Part): { readonly api: Api; readonly escaped: readonly unknown[] } {
  const escaped: unknown[] = []
  const api: Api = {
    operations: async () => operationsOf(ctx),
    async run(operation, call, agent) {
      try {
        const userAgent = agent ?? `mcp ${ctx.request.userAgent ?? ''}`.trimEnd()
        const named = { ...ctx, request: { ...ctx.request, userAgent } }
        return await run(named, part, { operation, call })
      } catch (error) {
        if (error instanceof TandemError && !(await isOutdated(ctx))) return toAnswer(error)
        escaped.push(error)
        throw error
      }
    },
  }
  return { api, escaped }
}

type OperationCall = { readonly operation: Operation; readonly call: Call }

async function run(ctx: Context, { request, steps }: Part, { operation, call }: OperationCall): Promise<Answer> {
  const { method, path } = operation
  const { path: parameters, query, body, ifMatch } = call
  const input = { method, path, parameters, query, body, if_match: ifMatch, references: false }
  const [step] = (await steps({ ctx, request, path: {}, allows: () => true }, [input])) as readonly [Step]
  if (operation.definition['x-transactional'] !== true) return step.run(ctx, step.value)
  const [answer] = await runBatch(ctx, [step], { dryRun: call.dryRun, mostFilled: requestBounds.filled })
  return answer as Answer
}

function toAnswer(error: TandemError): Answer {
  const { status, body } = toErrorBody(error)
  return { status, text: JSON.stringify(body) }
}

/** Whether the schema changed since the request began: then the whole request runs again. */
async function isOutdated({ again, schema }: Pick<Context, 'again' | 'schema'>): Promise<boolean> {
  const now = await again?.()
  return now !== undefined && now.schema !== schema
}
