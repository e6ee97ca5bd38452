/** The commands of the guide to projects as files, run as they are written. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createDatabase, openServer, run } from '../test-program.ts'

// Each step opens the database.
vi.setConfig({ testTimeout: 120_000 })

const guide = readFileSync(new URL('../../../docs/project-as-files.md', import.meta.url), 'utf8')
const commands = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.trim().split('\n'))

test('every command of the guide ends as it says', async () => {
  const database = await createDatabase({ isMigrated: true })
  const folder = mkdtempSync(join(tmpdir(), 'tandem-test-'))
  try {
    expect(commands).toHaveLength(7)
    for (const line of commands) {
      const [, words = '', expected = '0'] = /^tandem (.*?)(?: \|\| test \$\? -eq (\d))?$/.exec(line) ?? []
      const named = words.split(' ').map((word) => word.replace(/^project(?=$|\/)/, join(folder, 'project')))
      const { code, out } = await run(database.settings, ...named)
      if (words === 'plan project')
        for (const expectedLine of guide.match(/^Create .*$/gm) ?? []) expect(out.split('\n')).toContain(expectedLine)
      expect([line, code]).toEqual([line, Number(expected)])
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await database.remove()
  }
})

test('the files of the guide make a project, whose rights are as they say', async () => {
  const files = [...guide.matchAll(/```yaml\n# (\S+)\n([\s\S]*?)```/g)]
  expect(files.map(([, path]) => path)).toEqual([
    'collections/recipes.yaml',
    'policies/readers.yaml',
    'policies/cooks.yaml',
    'roles/cook.yaml',
    'settings.yaml',
    'webhooks.yaml',
  ])
  const database = await createDatabase({ isMigrated: true })
  const folder = mkdtempSync(join(tmpdir(), 'tandem-test-'))
  try {
    for (const [, path = '', text = ''] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    expect(await run(database.settings, 'push', folder, '--yes')).toMatchObject({ code: 0 })
    expect(await run(database.settings, 'plan', folder)).toMatchObject({ code: 0 })
    await database.onDatabase((db) =>
      db.run({
        text: `insert into recipes (title, status) values ('Soup', 'published'), ('Cake', 'draft')`,
        values: [],
      }),
    )
    const server = await openServer({ ...database.settings, LOG_LEVEL: 'error', ADMIN_SETUP: 'false' })
    const read = await fetch(`${server.url}/items/recipes`)
    expect(await read.json()).toEqual({ data: [{ id: 1, title: 'Soup', based_on: null }] })
    expect((await fetch(`${server.url}/items/recipes?fields=status`)).status).toBe(403)
    await server.close()
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await database.remove()
  }
})
