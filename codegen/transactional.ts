/**
 * The header of operations whose answer is kept under a key: `x-transactional: true` and `x-keyed` add `Idempotency-Key`.
 */

type Node = { readonly [key: string]: unknown }

const header = { $ref: '#/components/parameters/idempotencyKey' }

/**
 * The operations of a path, those that are transactional or keyed with the header.
 * @example withKeyHeader({ post: { 'x-transactional': true } })
 */
export const withKeyHeader = (operations: Node): Node =>
  Object.fromEntries(
    Object.entries(operations).map(([method, operation]) => [
      method,
      isTransactional(operation) ? { ...operation, parameters: [...(operation.parameters ?? []), header] } : operation,
    ]),
  )

type Transactional = Node & { readonly parameters?: readonly unknown[] }

const isTransactional = (value: unknown): value is Transactional =>
  typeof value === 'object' &&
  value !== null &&
  (('x-transactional' in value && value['x-transactional'] === true) || 'x-keyed' in value)
