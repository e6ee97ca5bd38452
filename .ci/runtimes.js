/** Installs the packed SDK into an empty folder, and reads a list with it in Bun and in Deno, which come from npm. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'tandem-runtimes-'))
const server = createServer((_, res) => res.setHeader('content-type', 'application/json').end('{"data":[{"id":1}]}'))
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${server.address().port}`

const runtimes = { bun: ['bun@1.4.5', 'run'], deno: ['deno@2.9.6', 'run', '--allow-all'] }
const script = `import { createCurrentClient } from '@tandem/sdk'
const client = createCurrentClient({ url: process.argv[2], token: 't' })
for await (const { id } of client.items('articles').each({ limit: 1 })) console.log('item', id)
`
try {
  await run('npm', ['pack', '--pack-destination', folder], { cwd: join(import.meta.dirname, '../sdk/dist') })
  writeFileSync(join(folder, 'package.json'), '{ "name": "app", "private": true, "type": "module" }')
  writeFileSync(join(folder, 'app.js'), script)
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], { cwd: folder })
  for (const [name, [packed, ...parameters]] of Object.entries(runtimes)) {
    const command = ['--yes', `--package=${packed}`, '--', name, ...parameters, 'app.js', url]
    const { stdout } = await run('npx', command, { cwd: folder, timeout: 240_000 })
    if (stdout.trim() !== 'item 1') throw new Error(`${name} printed: ${stdout}`)
    console.log(`${packed}: read a list`)
  }
} finally {
  server.close()
  rmSync(folder, { recursive: true, force: true })
}
