/** One visit of a deployment: finds out what it offers, makes the verifier's world, runs checks, removes the world. */
import { randomUUID } from 'node:crypto'
import { allChecks, type Deployment } from '../checks/all.ts'
import { differenceOf, type Flavor } from '../flavor/flavors.ts'
import { type Ask, createAsk, NoAnswer, type Tokens } from '../http/client.ts'
import { openSocket, type SocketPath } from '../http/socket.ts'
import { type Check, type Need, type Outcome, type Trial, titleOf } from '../run/check.ts'
import { Mismatch } from '../run/mismatch.ts'
import { runChecks } from '../run/runner.ts'
import { createConforms } from '../spec/conformance.ts'
import { readSpec, type ServedSpec } from '../spec/served.ts'
import { createJournal } from '../world/journal.ts'
import { createWorld, leftUnder, newPrefix, type World } from '../world/world.ts'
import { CouldNotRun } from './could-not-run.ts'

/** Repetitions of a request that is put off. */
const repeats = 5

export type SessionOptions = {
  readonly url: string
  readonly adminToken: string
  readonly flavor: Flavor
  /** Makes nothing; only checks of the deployment as it is. */
  readonly readOnly: boolean
  /** Longest time of one request in milliseconds. */
  readonly budget: number
  /** Text of an OpenAPI document, in place of the served one. */
  readonly specText: string | null
  readonly signal: AbortSignal
}

export type VisitOptions = {
  /** Another address of the same deployment. */
  readonly url?: string
  readonly only: readonly string[]
  readonly bail: boolean
  readonly concurrency: number
  readonly seed: number
  /** Random cases per random check. */
  readonly runs: number
  readonly onStart?: (checks: readonly Check[]) => void
  readonly onOutcome?: (outcome: Outcome) => void
}

export type Session = {
  readonly deployment: Deployment
  /** Prefix of everything made; null if nothing was. */
  readonly prefix: string | null
  /** Checks that do not apply to the flavor, with the reason. */
  readonly skipped: () => readonly (readonly [title: string, because: string])[]
  readonly visit: (options: VisitOptions) => Promise<readonly Outcome[]>
  /** Removes everything; returns what is left. Never throws. */
  readonly close: () => Promise<readonly string[]>
}

/** Throws `CouldNotRun`; then nothing is left behind. */
export async function openSession(options: SessionOptions): Promise<Session> {
  const { url, adminToken, flavor, budget, readOnly, signal } = options
  const tokens = { admin: adminToken, reader: null, public: null }
  const ask = createAsk({ url, tokens, budget, repeats, signal })
  // Removal goes on after an interruption.
  const { signal: never } = new AbortController()
  const removing = createAsk({ url, tokens, budget: Math.max(budget, 30_000), repeats, signal: never })
  const deployment = await discover(ask, (path) => openSocket(url, path, budget))
  const journal = createJournal()
  const prefix = readOnly ? null : newPrefix()
  const close = async (): Promise<readonly string[]> => {
    const left = await journal.removeAll(removing, prefix ?? '')
    if (prefix === null) return left
    const remaining = await leftUnder(removing, prefix).catch(() => ['unknown: the lists could not be read'])
    return [...new Set([...left, ...remaining])]
  }
  try {
    const world = prefix === null ? noWorld : await createWorld(ask, journal, prefix)
    const spec = await readServedSpec(ask, options.specText)
    const offered = { ...deployment, spec: flavor.trustsSpec ? spec : null }
    const conforms =
      spec === null || !flavor.trustsSpec ? null : createConforms(spec, new URL(url).pathname.replace(/\/$/, ''))
    const all = allChecks(offered, needsOf(readOnly))
    const applies = (check: Check): boolean => differenceOf(flavor, titleOf(check)) === null
    return {
      deployment,
      prefix,
      skipped: () =>
        all.flatMap((check) => {
          const difference = differenceOf(flavor, titleOf(check))
          return difference === null ? [] : [[titleOf(check), difference.because] as const]
        }),
      visit: (visit) => {
        const checks = all.filter((check) => applies(check) && isSelected(check, visit.only))
        if (checks.length === 0) {
          const among = readOnly ? ' among those of --read-only' : ''
          throw new CouldNotRun(
            `--only: expected a text in the title of a check${among}, got "${visit.only.join('", "')}"`,
          )
        }
        visit.onStart?.(checks)
        const at = visit.url ?? url
        const trial = trialOf(world, { ...options, url: at }, visit, {
          remove: journal.add,
          removeNamed: journal.addNamed,
          spec,
        })
        return runChecks({ ...visit, checks, trial, conforms, signal })
      },
      close,
    }
  } catch (error) {
    const left = await close()
    const more = left.length === 0 ? '' : `; left behind: ${left.join(', ')}`
    throw new CouldNotRun(`The set-up failed: ${reasonOf(error)}${more}`, { cause: error })
  }
}

const needsOf = (readOnly: boolean): readonly Need[] => (readOnly ? ['deployment'] : ['deployment', 'world'])

const isSelected = (check: Check, only: readonly string[]): boolean =>
  only.length === 0 || only.some((part) => titleOf(check).toLowerCase().includes(part.toLowerCase()))

function trialOf(
  world: World,
  { url, adminToken, flavor, budget, signal }: SessionOptions,
  { seed, runs }: VisitOptions,
  made: Pick<Trial, 'remove' | 'removeNamed' | 'spec'>,
): Trial {
  const tokens: Tokens = { admin: adminToken, reader: world.reader.token, public: null }
  return {
    ask: createAsk({ url, tokens, budget, repeats, signal }),
    tokens,
    connect: (path) => openSocket(url, path, budget),
    world,
    flavor,
    random: { seed, runs },
    mark: () => `mark-${randomUUID()}`,
    ...made,
  }
}

async function discover(ask: Ask, connect: Trial['connect']): Promise<Deployment> {
  try {
    const me = await ask('GET /users/me', { query: { fields: 'id' } })
    if (me.status === 401 || me.status === 403)
      throw new CouldNotRun(`The administrator's token is refused with ${me.status}`)
    if (me.status !== 200)
      throw new CouldNotRun(`GET /users/me answers ${me.status}: this is no API of the current generation`)
    const model = await ask('GET /permissions', { query: { limit: 1 } })
    if (model.status !== 200) throw new CouldNotRun('The token is not that of an administrator')
    const info = await ask('GET /server/info')
    const { version = null } = ((info.json as { readonly data?: object } | undefined)?.data ?? {}) as {
      readonly version?: string | null
    }
    const legacy = await ask('GET /_/')
    const api = (legacy.json as { readonly data?: { readonly api?: unknown } } | undefined)?.data?.api
    const graphql = await ask('POST /graphql', { body: { query: '{ __typename }' } })
    const events = await ask('GET /server/specs/asyncapi')
    // Only what is there refuses the method, and nothing is sent that could write.
    const batch = await ask('GET /batch')
    const hasSocket = async (path: SocketPath): Promise<boolean> => {
      const socket = await connect(path)
      socket?.close()
      return socket !== null
    }
    return {
      version,
      generations: legacy.status === 200 && api !== undefined ? ['current', 'legacy'] : ['current'],
      hasGraphql: graphql.status === 200,
      hasChanges: events.status === 200,
      hasBatch: batch.status === 405,
      hasSockets: await hasSocket('/websocket'),
      hasSubscriptions: await hasSocket('/graphql'),
    }
  } catch (error) {
    if (error instanceof CouldNotRun) throw error
    throw new CouldNotRun(reasonOf(error), { cause: error })
  }
}

async function readServedSpec(ask: Ask, input: string | null): Promise<ServedSpec | null> {
  if (input !== null) return readSpec(input)
  const exchange = await ask('GET /server/specs/oas')
  return exchange.status === 200 ? readSpec(exchange.text) : null
}

function reasonOf(error: unknown): string {
  if (error instanceof Mismatch) {
    const { exchange, received } = error.detail
    const request =
      exchange === null ? '' : ` (${exchange.request.method} ${new URL(exchange.request.address).pathname})`
    return `${error.message}${request}: ${String(received)}`
  }
  if (error instanceof NoAnswer) return `${error.message} (${error.request.method} ${error.request.address})`
  return error instanceof Error ? error.message : String(error)
}

/** The world of `--read-only`, which no check of the deployment looks at. */
const noWorld: World = {
  prefix: '',
  names: { articles: '', authors: '', tags: '', links: '', drafts: '', notes: '', settings: '' },
  rows: { articles: [], authors: [], tags: [] },
  visible: [],
  reader: { id: '', role: '', policy: '', email: '', password: '', token: '' },
}
