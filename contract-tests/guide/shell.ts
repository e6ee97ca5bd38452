/** A shell that keeps variables and functions from block to block, as the terminal of a reader does. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

export type Ran = {
  readonly out: string
  readonly error: string
  readonly failed: readonly string[]
  /** Statuses of the answers that curl got. */
  readonly statuses: readonly number[]
}

export type Shell = { readonly run: (text: string) => Promise<Ran>; readonly close: () => void }

/**
 * `curl` notes the status of each answer. `npm start` reads the settings that are given to it, and ends; other commands
 * of the program run as they are.
 */
const preparation = (folder: string): string => `
set -E
trap 'echo "$BASH_COMMAND" >>"${folder}/failed"' ERR
curl() { command curl -sSg --max-time 20 -w '%{stderr}status %{http_code}\\n' "$@" 2>>"${folder}/curl"; }
tandem() { node --conditions=tandem-src "${root}src/main.js" "$@"; }
npm() {
  case "$1 $2" in
    'ci '*|'install '*|'pkg '*) ;;
    'start '*) node --conditions=tandem-src "${root}contract-tests/guide/read-settings.ts" ;;
    'run tandem') shift 2; [ "\${1-}" = -- ] && shift; tandem "$@" ;;
    *) echo "the guide does not know npm $*" >&2; return 1 ;;
  esac
}
npx() {
  case "$1" in
    tandem) shift; tandem "$@" ;;
    tandem-verify|@tandem/verify) shift; node --conditions=tandem-src "${root}verify/src/main.ts" "$@" ;;
    @tandem/sdk) shift; node --conditions=tandem-src "${root}sdk/src/project-types/main.ts" "$@" ;;
    node) "$@" ;;
    openapi-typescript) command npx --no-install "$@" ;;
    *) echo "the guide does not know npx $*" >&2; return 1 ;;
  esac
}
`

/** `settings` are the environment of the program; commands run in `cwd`. */
export function openShell(cwd: string, settings: { readonly [name: string]: string }): Shell {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-guide-'))
  const bash = spawn('bash', ['--noprofile', '--norc'], {
    cwd,
    env: { PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`, HOME: folder, ...settings },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let heard = ''
  let onLine: (() => void) | null = null
  bash.stdout.on('data', (chunk: Buffer) => {
    heard += String(chunk)
    onLine?.()
  })
  bash.stdin.write(preparation(folder))
  const read = async (name: string): Promise<string> => {
    const { readFile } = await import('node:fs/promises')
    return readFile(join(folder, name), 'utf8').catch(() => '')
  }
  return {
    async run(text) {
      for (const name of ['failed', 'curl']) writeFileSync(join(folder, name), '')
      heard = ''
      bash.stdin.write(`{\n${text}\n} >"${folder}/out" 2>"${folder}/error" </dev/null\necho done\n`)
      await new Promise<void>((resolve, reject) => {
        onLine = () => heard.includes('done\n') && resolve()
        bash.once('exit', () => reject(new Error('the shell ended')))
      })
      const [out, error, failed, answers] = await Promise.all(['out', 'error', 'failed', 'curl'].map(read))
      return {
        out: out ?? '',
        error: `${error ?? ''}${(answers ?? '').replaceAll(/^status \d+\n/gm, '')}`,
        failed: (failed ?? '').split('\n').filter((line) => line !== ''),
        statuses: [...(answers ?? '').matchAll(/^status (\d+)$/gm)].map(([, status]) => Number(status)),
      }
    },
    close: () => {
      bash.removeAllListeners('exit')
      bash.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
