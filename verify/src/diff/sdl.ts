/** Differences between two GraphQL schemas, by type. */
import { buildSchema, findBreakingChanges, findDangerousChanges } from 'graphql'
import type { Change } from './change.ts'

export function compareSdl(before: string, after: string): readonly Change[] {
  const [old, now] = [before, after].map((text) => buildSchema(text, { assumeValid: true }))
  if (old === undefined || now === undefined) return []
  return [
    ...findBreakingChanges(old, now).map((each) => toChange(each, true)),
    ...findDangerousChanges(old, now).map((each) => toChange(each, false)),
  ]
}

/** Descriptions begin with the name of the type and the field. */
const toChange = (
  { type, description }: { readonly type: string; readonly description: string },
  isBreaking: boolean,
): Change => ({
  isBreaking,
  operation:
    /\b(\w+)(?:\.\w+|\b)/.exec(
      description.replace(
        /^(Type|An arg on|Standard type|Enum value|A required arg \w+ on|Input field|A required field \w+ on input type) /,
        '',
      ),
    )?.[1] ?? type,
  text: description,
  sdk: null,
})
