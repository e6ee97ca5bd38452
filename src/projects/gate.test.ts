/** The request that opens a project is subject to what the project allows. */
import { expect, test } from 'vitest'
import { loadConfig } from '../config/config.ts'
import { silentLog } from '../sql/testing/test-database.ts'
import { createGate } from './gate.ts'
import type { Project } from './project.ts'
import { createRegistry } from './registry.ts'

const config = loadConfig({ PROJECTS_DIR: '/nowhere' }, '/nowhere')
const cors = { origin: ['https://late.example.com'] }
const late = { method: 'GET', headers: {}, path: '/late/items/x', project: 'late', ip: '192.0.2.1' } as const

function lateProject(open: () => Promise<void>) {
  const counted: string[] = []
  const project = {
    admission: (request: { readonly ip: string }, { enter }: { readonly enter: () => void }) => {
      counted.push(request.ip)
      enter()
    },
    config: { http: { cors } },
  } as unknown as Project
  const registry = createRegistry(silentLog)
  registry.add({
    key: 'late',
    file: 'json',
    isHidden: false,
    open: async () => {
      await open()
      return project
    },
    toFault: (error) => error as never,
  })
  return { counted, gate: createGate(config, registry) }
}

test('a request waits for the project, and is counted by its limit and sees its origins', async () => {
  const { counted, gate } = lateProject(() => Promise.resolve())
  expect(gate.opened?.({ path: '/server/ping', project: 'late' })).toBeNull()
  expect(gate.opened?.({ path: '/elsewhere/items', project: 'elsewhere' })).toBeNull()
  await gate.opened?.(late)
  expect(gate.opened?.(late)).toBeNull()
  expect(gate.corsOf?.('Late')).toEqual(cors)
  gate.admission?.(late, { enter: () => {}, refuse: () => {}, counted: () => {} })
  expect(counted).toEqual(['192.0.2.1'])
})

test('a project that cannot be opened stops no request here', async () => {
  const { counted, gate } = lateProject(() => Promise.reject(new Error('no database')))
  await expect(gate.opened?.(late)).resolves.toBeNull()
  expect(counted).toEqual([])
})
