/** Clients in five more languages compile as they are generated, and those in Python and Go do forty calls. */
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OwnDatabase, openOwnDatabase } from '../own-database.ts'
import { type Answer, type Caller, callTables, doCalls, inClasses } from '../spec-calls.ts'
import { compileClient, generateClient, goIn, type LanguageName, languages, openWorld, python } from './generated.ts'

let own: OwnDatabase
const world = openWorld()
/** The served document holds the operations of the current generation. */
const documents = {
  served: '/server/specs/oas?openapi=3.0',
  legacy: '/docs/legacy.json?openapi=3.0',
}
type DocumentName = keyof typeof documents

beforeAll(async () => {
  own = await openOwnDatabase(callTables)
})
afterAll(async () => {
  await own.close()
  world.close()
})

async function readDocument(name: DocumentName): Promise<string> {
  const response = await fetch(own.url + documents[name], { headers: { authorization: `Bearer ${own.adminToken}` } })
  return response.text()
}

const folders = new Map<string, string>()

test.concurrent.each(
  Object.keys(languages).flatMap((language) =>
    Object.keys(documents).map((name) => [name as DocumentName, language as LanguageName] as const),
  ),
)('the client of the %s document in %s compiles', async (name, language) => {
  const folder = await generateClient(world.path, name, language, await readDocument(name))
  folders.set(`${language} ${name}`, folder)
  expect(await compileClient(world.path, language, folder)).toBe('')
})

function openProgram(program: string, options: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(program, [...options, own.url, own.adminToken], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const call: Caller = async (name, input) => {
    child.stdin.write(`${JSON.stringify({ name, ...input })}\n`)
    const { done, value } = await lines.next()
    if (done === true) throw new Error(`The client ended at ${name}.`)
    return JSON.parse(value) as Answer
  }
  return { call, close: () => child.kill() }
}

const folderOf = (language: LanguageName): string => folders.get(`${language} served`) ?? ''

test.each(Object.keys(documents))('types of the %s document have names, and no numbers in place of them', (name) => {
  const models = readdirSync(join(folders.get(`python ${name}`) ?? '', 'openapi_client/models'))
  expect(models.filter((file) => /inline_|all_of|any_of|one_of|\d\.py$/.test(file))).toEqual([])
})

test('the client in Python does forty calls', async () => {
  const env = { ...process.env, PYTHONPATH: folderOf('python') }
  const { call, close } = openProgram(python, [join(import.meta.dirname, 'call.py')], env)
  await doCalls(own, call, inClasses).finally(close)
})

test('the client in Go does forty calls', async () => {
  const program = join(world.path, 'src/tandem/call')
  mkdirSync(program)
  cpSync(join(import.meta.dirname, 'call.go'), join(program, 'main.go'))
  const env = goIn(world.path)
  const { call, close } = openProgram('go', ['run', program], env)
  await doCalls(own, call, inClasses).finally(close)
})
