import { expect, test } from 'vitest'
import { fromSessionId, toAgentName, toSessionId } from './agent-name.ts'

const initialize = (clientInfo: unknown) => ({ method: 'initialize', params: { clientInfo } })

test('the id of a session holds the name of the agent', () => {
  const id = toSessionId(initialize({ name: 'Krämer 店', version: '2.1' }))
  expect(id).toMatch(/^agent\.[\w-]+$/)
  expect(fromSessionId(id ?? undefined)).toBe('mcp Krämer 店/2.1')
})

test.each([
  { method: 'tools/list', params: { clientInfo: { name: 'x' } } },
  { method: 'initialize' },
  { method: 'initialize', params: null },
  initialize({ name: 7 }),
  initialize({ name: '' }),
  null,
  [],
  'initialize',
])('%j opens none', (body) => {
  expect(toSessionId(body)).toBeNull()
})

test.each([undefined, '', 'x', 'agent.', 'agent.%%%', `agent.${Buffer.from('root').toString('base64url')}`])(
  '%s names nobody',
  (id) => {
    expect(fromSessionId(id)).toBeNull()
  },
)

test('names are at most 200 characters long, and need no version', () => {
  expect(toAgentName({ name: 'x'.repeat(500) })).toHaveLength(200)
  expect(toAgentName({ name: 'x', version: 7 })).toBe('mcp x/')
  const forged = `agent.${Buffer.from(`mcp ${'x'.repeat(5000)}`).toString('base64url')}`
  expect(fromSessionId(forged)).toHaveLength(200)
})
