/**
 * What operations have whose answer is kept under a key: `x-transactional: true` and `x-keyed` add `Idempotency-Key`, and
 * the answers to a key of another request and to one whose request is in progress.
 */

type Node = { readonly [key: string]: unknown }

const header = { $ref: '#/components/parameters/idempotencyKey' }

const answers = {
  '409': { $ref: '#/components/responses/Conflict' },
  '422': { $ref: '#/components/responses/Unprocessable' },
}

/**
 * The operations of a path, those that are transactional or keyed with the header and its answers.
 * @example withKeyHeader({ post: { 'x-transactional': true } })
 */
export const withKeyHeader = (operations: Node): Node =>
  Object.fromEntries(
    Object.entries(operations).map(([method, operation]) => [
      method,
      isOperation(operation) ? withAnswers(withHeader(operation)) : operation,
    ]),
  )

/** SCIM has errors of its own, and no 422. */
const scimAnswers = { '409': { $ref: '#/components/responses/ScimConflict' } }

const isScim = ({ tags }: Operation): boolean => Array.isArray(tags) && tags.includes('scim')

type Operation = Node & { readonly parameters?: readonly Node[]; readonly responses: Node }

const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'responses' in value

const withHeader = (operation: Operation): Operation =>
  operation['x-transactional'] === true || 'x-keyed' in operation
    ? { ...operation, parameters: [...(operation.parameters ?? []), header] }
    : operation

const withAnswers = (operation: Operation): Operation =>
  operation.parameters?.some(({ $ref }) => $ref === header.$ref) === true
    ? { ...operation, responses: { ...(isScim(operation) ? scimAnswers : answers), ...operation.responses } }
    : operation
