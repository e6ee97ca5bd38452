/** Runs the blocks of one page of the guide against a server of its own, in their order. */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parse as parseYaml } from 'yaml'
import { createDatabase } from '../../src/cli/test-program.ts'
import { python } from '../languages/generated.ts'
import { type OwnDatabase, openOwnDatabase } from '../own-database.ts'
import { type Block, readBlocks } from './blocks.ts'
import { difference } from './compare.ts'
import { openPrograms, type Programs } from './programs.ts'
import { openShell, type Ran, type Shell } from './shell.ts'

const docs = new URL('../../docs/', import.meta.url)

export const readPage = (path: string): string => readFileSync(new URL(`${path}.md`, docs), 'utf8')

/** Pages in languages that not every machine has: `npm run test:languages` runs them. */
export const pagesInLanguages: readonly string[] = ['recipes/go', 'recipes/python']

/** The server, the token and the address of the guide, in place of those that it is read with. */
type World = {
  readonly own: OwnDatabase
  readonly shell: Shell
  readonly programs: Programs
  readonly adapt: (text: string) => string
  readonly close: () => Promise<void>
}

const shownToken = 'my-first-static-token'
const shownUrl = 'http://localhost:8055'

const settings = { WEBSOCKETS_ENABLED: 'true', CACHE_ENABLED: 'false', TUS_ENABLED: 'true' }

/** `hasCommands`: the page runs the program, which gets a database beside the one of the server. */
async function openWorld(hasCommands: boolean): Promise<World> {
  const own = await openOwnDatabase('select 1', settings)
  const ofCommands = hasCommands ? await createDatabase({ isMigrated: true }) : null
  const programs = openPrograms()
  const shell = openShell(programs.folder, ofCommands?.settings ?? {})
  const { host } = new URL(own.url)
  return {
    own,
    shell,
    programs,
    adapt: (text) =>
      text
        .replaceAll(shownUrl, own.url)
        .replaceAll('ws://localhost:8055', `ws://${host}`)
        .replaceAll('localhost:8055', host)
        .replaceAll(shownToken, own.adminToken),
    async close() {
      shell.close()
      programs.close()
      await own.close()
      await ofCommands?.remove()
    },
  }
}

const blocksOf = (path: string): readonly Block[] =>
  readBlocks(path, readPage(path)).filter(({ exception }) => exception === null)

/** What the page of the first steps makes: the function `call`, two tables and two articles. */
const preparing = (): readonly Block[] => blocksOf('start').slice(1, 3)

/** Failures of the blocks of a page, by place. Pages other than the first find what the first has made. */
export async function runPage(path: string): Promise<readonly string[]> {
  const blocks = blocksOf(path)
  if (blocks.length === 0) return []
  const world = await openWorld(blocks.some(({ text }) => /\btandem\b/.test(text)))
  const failures: string[] = []
  const run = async (block: Block): Promise<void> => {
    const failure = await runBlock(block, world).catch((error: unknown) => String(error))
    if (failure !== null) failures.push(`${block.place}: ${failure}`)
  }
  try {
    if (path !== 'start') for (const block of preparing()) await run(block)
    for (const block of blocks) await run(block)
    failures.push(...(await world.programs.compile()))
  } finally {
    await world.close()
  }
  return failures
}

type Runner = (block: Block, world: World) => Promise<string | null>

const compareWith = ({ result }: Block, came: string, { adapt }: World): string | null => {
  if (result === null) return null
  const text = difference(adapt(result.text), came)
  return text === null ? null : `Expected the result in line ${result.place.split(':')[1]} but received ${text}`
}

const isRefusal = ({ result }: Block): boolean => result !== null && /"errors?":/.test(result.text)

const runShell: Runner = async (block, world) => {
  const ran: Ran = await world.shell.run(world.adapt(block.text))
  if (ran.failed.length > 0) return `${ran.failed.join('; ')} failed: ${ran.error} ${ran.out}`
  const refused = ran.statuses.find((status) => status >= 400 || status === 0)
  if (refused !== undefined && !isRefusal(block))
    return `Expected an answer without error but received ${refused}: ${ran.out}`
  return compareWith(block, ran.out, world)
}

const runHttp: Runner = async (block, world) => {
  const [head = '', ...body] = world.adapt(block.text).split(/\n\n/)
  const [line = '', ...headers] = head.split('\n')
  const [method = 'GET', target = '/'] = line.split(' ')
  const sent = new Headers(
    headers.map((each): [string, string] => [each.split(': ', 1)[0] ?? '', each.slice(each.indexOf(': ') + 2)]),
  )
  if (!sent.has('authorization')) sent.set('authorization', `Bearer ${world.own.adminToken}`)
  if (sent.get('authorization') === 'none') sent.delete('authorization')
  if (body.length > 0 && !sent.has('content-type')) sent.set('content-type', 'application/json')
  const response = await fetch(`${world.own.url}${target.replaceAll(' ', '%20')}`, {
    method,
    headers: sent,
    ...(body.length > 0 ? { body: body.join('\n\n') } : {}),
  })
  const text = await response.text()
  if (response.status >= 400 && !isRefusal(block)) return `Expected an answer without error but received ${text}`
  return compareWith(block, text, world)
}

const runGraphql: Runner = async (block, world) => {
  const path = block.words.includes('legacy')
    ? '/_/gql'
    : block.words.includes('system')
      ? '/graphql/system'
      : '/graphql'
  const { body } = await world.own.ask(`POST ${path}`, { body: { query: world.adapt(block.text) } })
  const text = JSON.stringify(body)
  if ((body as { errors?: unknown }).errors !== undefined && !isRefusal(block))
    return `Expected no errors but received ${text}`
  return compareWith(block, text, world)
}

const runProgram: Runner = async (block, world) => {
  const file = block.file ?? `${block.place.replaceAll(/\W+/g, '-')}.${block.language}`
  world.programs.add(file, world.adapt(block.text))
  return block.file === null ? compareWith(block, await world.programs.run(file), world) : null
}

/** The steps of a workflow that are commands, as CI would run them. */
const runYaml: Runner = async (block, world) => {
  const document = parseYaml(block.text) as {
    readonly jobs?: { readonly [name: string]: { readonly steps: readonly { readonly run?: string }[] } }
  }
  const steps = Object.values(document.jobs ?? {}).flatMap((job) =>
    job.steps.flatMap(({ run }) => (run === undefined ? [] : [run])),
  )
  if (steps.length === 0) return 'Expected a workflow with steps'
  for (const text of steps) {
    const failure = await runShell({ ...block, text, result: null }, world)
    if (failure !== null) return failure
  }
  return null
}

/** A program in another language, in a file of its own. `command` runs such a file. */
const runFile =
  (command: readonly [program: string, ...options: string[]], extension: string): Runner =>
  async (block, world) => {
    const [program, ...options] = command
    const file = join(world.programs.folder, `program.${extension}`)
    writeFileSync(file, world.adapt(block.text))
    const env = { ...process.env, GO111MODULE: 'off' }
    const { stdout } = await promisify(execFile)(program, [...options, file], { env, timeout: 100_000 })
    return compareWith(block, stdout, world)
  }

/** The tables of a reader, which another program makes. */
const runSql: Runner = async (block, { own }) => {
  for (const statement of block.text.split(/;\s*$/m)) if (statement.trim() !== '') await own.rows(statement)
  await own.app.refresh()
  return null
}

/** A file or a body that is shown by itself: it is JSON. */
const runJson: Runner = async ({ text }) => {
  if (!text.includes('…')) JSON.parse(text)
  return null
}

const runners: { readonly [language: string]: Runner } = {
  sh: runShell,
  http: runHttp,
  graphql: runGraphql,
  ts: runProgram,
  tsx: runProgram,
  js: runProgram,
  yaml: runYaml,
  sql: runSql,
  json: runJson,
  python: runFile([python], 'py'),
  go: runFile(['go', 'run'], 'go'),
}

const runBlock: Runner = (block, world) => {
  const runner = Object.hasOwn(runners, block.language) ? runners[block.language] : undefined
  if (runner === undefined)
    return Promise.resolve(`No runner for "${block.language}": mark it, or make it the result of a block`)
  return runner(block, world)
}

export const docsFolder = fileURLToPath(docs)
