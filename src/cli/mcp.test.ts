import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, expect, test } from 'vitest'
import { openOwnDatabase } from '../../contract-tests/own-database.ts'

const own = await openOwnDatabase(
  `create table notes (id serial primary key, title text not null);
    insert into platform_collections (collection) values ('notes')`,
)
afterAll(() => own.close())

const main = fileURLToPath(new URL('../main.js', import.meta.url))

test('`tandem mcp` serves a server elsewhere on standard input and output', async () => {
  const client = new Client({ name: 'shopkeeper', version: '2.1' })
  const env = { TANDEM_TOKEN: own.adminToken, PATH: process.env['PATH'] ?? '' }
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [main, 'mcp', '--url', own.url], env }),
  )
  const run = async (input: object): Promise<unknown> => {
    const { content } = await client.callTool({ name: 'execute_operation', arguments: { ...input } })
    return JSON.parse((content as unknown as readonly [{ readonly text: string }])[0].text)
  }
  try {
    const create = { operation: 'createItems_notes', body: { title: 'By hand' } }
    expect(await run({ ...create, dry_run: true })).toEqual({
      status: 200,
      body: { data: { id: 1, title: 'By hand' } },
      dry_run: true,
    })
    expect(await own.rows('select title from notes')).toEqual([])
    expect(await run(create)).toMatchObject({ status: 200, body: { data: { title: 'By hand' } } })
    const { body } = (await run({ ...create, body: { title: null } })) as { readonly body: object }
    expect(body).toMatchObject({ error: { code: 'FAILED_VALIDATION' } })
    const titles = {
      operation: 'readItems_notes',
      parameters: { fields: 'title', filter: { title: { _contains: 'hand' } } },
    }
    expect(await run(titles)).toEqual({ status: 200, body: { data: [{ title: 'By hand' }] } })
    expect(await own.rows('select user_agent from platform_activity order by id desc limit 1')).toEqual([
      { user_agent: 'mcp shopkeeper/2.1' },
    ])
  } finally {
    await client.close()
  }
})
