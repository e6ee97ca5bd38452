/** `tandem doctor`: checks everything that a server needs, and suggests what to do. */
import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { loadConfig } from '../../config/config.ts'
import type { Config } from '../../config/sections.ts'
import { print } from '../database.ts'
import { type Component, checks } from './checks.ts'
import { type Finding, fails, isFine, warns } from './findings.ts'

export type DoctorOptions = {
  readonly json: boolean
  /** Seconds for the check of one component: a folder on another machine may not answer at all. */
  readonly timeout: number
}

const program = fileURLToPath(new URL('./check.ts', import.meta.url))

/** Prints the findings as they come; the exit code is 1 if one is an error. Nothing is changed. */
export async function examine({ json, timeout }: DoctorOptions): Promise<number> {
  const findings: Finding[] = []
  const report = (componentFindings: readonly Finding[]): void => {
    findings.push(...componentFindings)
    if (!json) for (const line of componentFindings.flatMap(linesOf)) print(line)
  }
  report(settingsFindings(loadConfig()))
  for (const component of Object.keys(checks) as Component[]) report(await check(component, timeout))
  if (json) print(JSON.stringify(findings, null, 2))
  return findings.some(({ state }) => state === 'error') ? 1 : 0
}

/**
 * The findings about a component, from a process of its own: a call to a folder that does not answer cannot be cancelled,
 * and no process ends by itself while one of its threads waits for it.
 */
async function check(component: Component, seconds: number): Promise<readonly Finding[]> {
  const child = fork(program, [component], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const isOver = new AbortController()
  const { signal } = isOver
  const begun = Promise.withResolvers<void>()
  const findings = findingsOf(component, child, begun.resolve)
  try {
    // A slow start on a busy machine does not count against the component.
    await Promise.race([findings, begun.promise, sleep(longestStart, undefined, { signal })])
    return await Promise.race([findings, timeoutFinding(component, seconds, signal)])
  } finally {
    isOver.abort()
    child.kill('SIGKILL')
    if (child.connected) child.disconnect()
    child.unref()
  }
}

const longestStart = 60_000

/** `onBegun`: the program is loaded. */
function findingsOf(component: Component, child: ChildProcess, onBegun: () => void): Promise<readonly Finding[]> {
  const { promise, resolve } = Promise.withResolvers<readonly Finding[]>()
  child.on('message', (sent) => (sent === 'begun' ? onBegun() : resolve(sent as readonly Finding[])))
  child.once('exit', (code, signal) => {
    resolve([fails(component, `Its check ended with ${code ?? String(signal)}`, 'See the line before')])
  })
  return promise
}

async function timeoutFinding(component: Component, seconds: number, signal: AbortSignal): Promise<readonly Finding[]> {
  await sleep(seconds * 1000, undefined, { signal })
  const text = `It does not answer within ${seconds} seconds`
  const advice = 'Check whether this machine reaches it, and what else waits for it'
  return [fails(component, text, advice)]
}

const linesOf = ({ component, state, text, advice }: Finding): readonly string[] => [
  `${state.padEnd(6)}${component.padEnd(12)}${text}`,
  ...(advice === undefined ? [] : [`${' '.repeat(18)}→ ${advice}`]),
]

/** Warnings about settings that are valid and nevertheless wrong. */
function settingsFindings({ misspelt, database, secret, dataDir, http }: Config): readonly Finding[] {
  const isServer = database.kind === 'pg'
  const { publicUrl } = http
  const warnings: readonly (readonly [isGiven: boolean, text: string, advice: string])[] = [
    ...misspelt.map(({ name, suggestion }) => {
      const advice = suggestion === null ? 'Remove it: it has no effect' : `Rename it to ${suggestion}, or remove it`
      return [true, `Unknown setting ${name}`, advice] as const
    }),
    [
      isServer && secret === null,
      `SECRET is not set; each replica generates its own in ${dataDir}`,
      'Set SECRET to a random text of at least 32 characters, the same for all replicas',
    ],
    [
      secret !== null && new Set(secret).size < 8,
      'SECRET consists of less than 8 different characters',
      'Set SECRET to a random text: whoever guesses it can sign tokens of any user',
    ],
    [
      isServer && publicUrl !== null && isLoopback(publicUrl),
      `PUBLIC_URL is ${publicUrl}, which only this machine can open`,
      'Set PUBLIC_URL to the address that users open; links in mails lead there',
    ],
    [
      publicUrl === null,
      'PUBLIC_URL is not set; links in mails lead to the address that the server listens on',
      'Set PUBLIC_URL to the address that users open',
    ],
  ]
  const findings = warnings.flatMap(([isGiven, text, advice]) => (isGiven ? [warns('settings', text, advice)] : []))
  return findings.length > 0 ? findings : [isFine('settings', 'All settings are known')]
}

const isLoopback = (url: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)
