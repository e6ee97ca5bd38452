/** The scripts of the pipelines in `docs/ci`, run with stand-ins for the program, `gh` and the API of GitLab. */
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { parse } from 'yaml'

/** Says what it was asked for, and ends with the code that the test sets. */
const program = `
const { TANDEM_TOKEN, CODE } = process.env
console.log('Delete field "a.b" (' + process.argv.slice(2).join(' ') + ', ' + TANDEM_TOKEN + ')')
if (CODE === '1') console.error('tandem: the server is away')
process.exit(Number(CODE))`

type Note = { readonly url: string; readonly token: unknown; readonly body: string }

const notes: Note[] = []
let folder: string

const server = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => (body += String(chunk)))
  request.on('end', () => {
    const { body: text } = JSON.parse(body) as { readonly body: string }
    notes.push({ url: request.url ?? '', token: request.headers['private-token'], body: text })
    response.end('{}')
  })
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
afterAll(() => server.close())

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-pipeline-'))
  notes.length = 0
  for (const each of ['tandem/src', 'application/project', 'project', 'bin'])
    mkdirSync(join(folder, each), { recursive: true })
  writeFileSync(join(folder, 'tandem/src/main.js'), program)
  writeFileSync(join(folder, 'tandem/package.json'), '{ "type": "module" }')
  addCommand('gh', 'echo "$PWD: $*" >"$HOME/gh.log"; cat "${@: -3:1}" >>"$HOME/gh.log"')
  for (const name of ['git', 'npm']) addCommand(name, 'true')
  return () => rmSync(folder, { recursive: true })
})

function addCommand(name: string, text: string): void {
  const file = join(folder, 'bin', name)
  writeFileSync(file, `#!/bin/bash\n${text}\n`)
  chmodSync(file, 0o755)
}

const readFile = (name: string): unknown => parse(readFileSync(join(import.meta.dirname, '../docs/ci', name), 'utf8'))

/** Runs a script as a runner does: it ends at the first command that fails. Resolves to its exit code. */
const run = (script: string, cwd: string, code: number): Promise<number | null> =>
  new Promise((resolve) => {
    const env = {
      PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
      HOME: folder,
      CODE: String(code),
      TANDEM_URL: 'https://api.example.com',
      TANDEM_TOKEN: 'the-token',
      PLAN_TOKEN: 'may-comment',
      CI_API_V4_URL: `${api}/api/v4`,
      CI_PROJECT_ID: '12',
      CI_MERGE_REQUEST_IID: '34',
    }
    spawn('bash', ['-e', '-c', script], { cwd, env, stdio: 'ignore' }).on('exit', resolve)
  })

/** Codes of a plan: no change, an error, changes, a change that breaks a client; and whether the job fails. */
const codes = [
  [0, 0],
  [1, 1],
  [2, 0],
  [3, 1],
] as const

const planned = 'Delete field "a.b" (plan project --url https://api.example.com --breaking, the-token)'

test.each(codes)('GitLab: a plan that ends with %i is a note, and the job ends with %i', async (code, ends) => {
  const { plan } = readFile('gitlab-plan.yml') as { readonly plan: { readonly script: readonly string[] } }
  const script = plan.script.join('\n').replaceAll('/tmp/tandem', join(folder, 'tandem'))
  expect(await run(script, folder, code)).toBe(ends)
  expect(notes).toEqual([
    {
      url: '/api/v4/projects/12/merge_requests/34/notes',
      token: 'may-comment',
      body: `### Plan\n\`\`\`\n${planned}\n${code === 1 ? 'tandem: the server is away\n' : ''}\`\`\``,
    },
  ])
})

test.each(codes)('GitHub: a plan that ends with %i is a comment, and the step ends with %i', async (code, ends) => {
  type Step = { readonly name?: string; readonly run?: string; readonly 'working-directory'?: string }
  const { jobs } = readFile('github-plan.yml') as {
    readonly jobs: { readonly plan: { readonly steps: readonly Step[] } }
  }
  const step = (wanted: string): Step => jobs.plan.steps.find(({ name }) => name === wanted) ?? {}
  expect(await run(step('Plan').run ?? '', folder, code)).toBe(ends)
  const { run: comment = '', 'working-directory': place = '' } = step('Comment')
  const text = comment.replaceAll('${{ github.event.pull_request.number }}', '7')
  expect(await run(text, join(folder, place), 0)).toBe(0)
  const body = `### Plan\n\`\`\`\n${planned.replace('plan project', 'plan application/project')}\n${code === 1 ? 'tandem: the server is away\n' : ''}\`\`\`\n`
  expect(readFileSync(join(folder, 'gh.log'), 'utf8')).toBe(
    `${join(folder, 'application')}: pr comment 7 --body-file ../comment.md --edit-last --create-if-none\n${body}`,
  )
})
