/** Applies differences to a test model; later contexts see them. */
import type { TestModel } from '../../core/testing/test-model.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import { applyDiff, type SchemaDiff } from '../sync/schema-sync.ts'

export async function applyTo(model: TestModel, diff: SchemaDiff): Promise<{ readonly schema: Schema }> {
  await applyDiff(model.ctx(), diff)
  return { schema: await model.refresh() }
}
