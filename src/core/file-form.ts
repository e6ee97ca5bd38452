/** A form with one file and its properties around it, in whatever order they come. */
import type { Context } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import type { Changes, Key } from '../domain/mutation.ts'
import type { Part } from '../domain/upload.ts'
import { storeContents } from './file-contents.ts'
import { assertCreatable, createStored, type Waiting } from './files.ts'
import { abandon, keeperOf } from './stored-objects.ts'

type Said = { readonly [name: string]: string }

/** What the values of the form mean: properties, and the name of the file if it is not that of its part. */
export type FormReading = (said: Said) => { readonly changes: Changes; readonly filename: string | null }

/** Creates the file of the form. What is known of it before its contents is checked before they are read. */
export async function createFromForm(
  ctx: Context,
  parts: AsyncIterable<Part>,
  read: FormReading,
): Promise<readonly Key[]> {
  let said: Said = {}
  let waiting: Waiting | null = null
  try {
    for await (const part of parts) {
      if (part.kind === 'value') {
        said = { ...said, [part.name]: part.value }
        continue
      }
      if (waiting !== null) throw failed('several', 'Batch upload is not allowed: expected one file but received more')
      const { changes, filename } = read(said)
      const to = { storage: assertCreatable(ctx, changes), id: ctx.ids.uuid() }
      const name = filename ?? part.filename
      if (name === null) throw failed('missing', 'No file was uploaded')
      waiting = { id: to.id, changes, contents: await storeContents(ctx, { ...part, filename: name }, to) }
    }
    if (waiting === null) throw failed('missing', 'No file was uploaded')
    const { changes } = read(said)
    assertCreatable(ctx, changes)
    waiting = { ...waiting, changes }
  } catch (error) {
    if (waiting !== null) await abandon(keeperOf(ctx), [waiting.contents.place])
    throw error
  }
  return createStored(ctx, [waiting])
}

const failed = (problem: 'several' | 'missing', reason: string): TandemError =>
  new TandemError({ kind: 'upload-failed', problem, reason })
