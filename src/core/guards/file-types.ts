import type { Context } from '../../domain/ports/context.ts'
import { invalidPayload } from '../../domain/rights/errors.ts'
import { isAllowedType, isMediaType } from '../../metadata/media-type.ts'
import type { FileRules } from './file-settings.ts'

/** Rejects invalid media types, and types that the server or the project does not allow. */
export function assertAllowed({ files }: Pick<Context, 'files'>, rules: FileRules, type: string): void {
  if (!isMediaType(type)) throw invalidPayload('type', 'Expected a media type such as image/png for "type"')
  for (const types of [files.types, ...(rules.types.length === 0 ? [] : [rules.types])]) {
    if (isAllowedType(type, types)) continue
    throw invalidPayload('type', `Expected a file of type ${types.join(', ')} but received ${type}`)
  }
}
