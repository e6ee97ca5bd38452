/** What the server explains of rights. */
import type { client } from '../client.ts'

export type Explanation = Awaited<ReturnType<typeof client.permissions.explain>>
export type Explained = Explanation['actions'][number]
export type Rule = Explained['rules'][number]
export type Cause = Explained['causes'][number]
export type Holder = Explanation['policies'][number]['holders'][number]
