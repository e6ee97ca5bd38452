/** The commands of the guide to projects as files, run as they are written. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createDatabase, run } from '../test-program.ts'

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
        for (const told of guide.match(/^Create .*$/gm) ?? []) expect(out.split('\n')).toContain(told)
      expect([line, code]).toEqual([line, Number(expected)])
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await database.remove()
  }
})
