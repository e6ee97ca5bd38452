/** The operations that the mock answers itself, by generation. */

import { items } from '../../../src/current/handlers/items.ts'
import { createView } from '../../../src/current/views/schema-view.ts'
import { readCredentials } from '../../../src/current/wire/credentials.ts'
import { toErrorBody } from '../../../src/current/wire/errors.ts'
import type { Route } from '../../../src/domain/ports/operation.ts'
import type { Credentials } from '../../../src/domain/rights/actor.ts'
import type { TandemError } from '../../../src/domain/rights/errors.ts'
import type { Schema } from '../../../src/domain/schema/schema.ts'
import type { View } from '../../../src/domain/schema/view.ts'
import { currentRoutes } from '../../../src/generated/current.ts'
import currentSpec from '../../../src/generated/current-spec.json' with { type: 'json' }
import type { AnyHandler } from '../../../src/http/app/handlers.ts'
import type { ErrorAnswer } from '../../../src/http/app/server.ts'
import type { HttpRequest } from '../../../src/http/request/request.ts'
import type { SpecDocument } from '../../../src/http/validation/enforcement.ts'
import { graphql } from './graphql.ts'
import { people } from './people.ts'

/** A generation as the mock uses it. */
export type MockGeneration = {
  readonly name: 'current' | 'legacy'
  readonly spec: SpecDocument
  readonly routes: readonly Route[]
  /** Of the operations that are answered from rows. */
  readonly handlers: { readonly [operationId: string]: AnyHandler }
  readonly createView: (schema: Schema) => View
  readonly toErrorBody: (error: TandemError | null, request: HttpRequest) => ErrorAnswer
  readonly readCredentials: (request: HttpRequest, read: (token: string) => Credentials) => Credentials
}

export const current: MockGeneration = {
  name: 'current',
  spec: currentSpec,
  routes: currentRoutes,
  handlers: { ...items, ...people, ...graphql },
  createView,
  toErrorBody,
  readCredentials,
}
