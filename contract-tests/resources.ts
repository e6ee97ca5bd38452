/** The lists of the specs, with the operations on their single items. */
import type { GenerationName, Operation, Spec } from '../verify/src/spec/operations.ts'

export type Resource = {
  readonly generation: GenerationName
  readonly list: Operation
  readonly read: Operation
  readonly create: Operation | null
  readonly update: Operation | null
  readonly remove: Operation | null
}

/** Lists of the data model have no rows. */
const ofModel = /\/(?:collections|fields|relations)(?:\/|$)/

/** Every list that takes pages, an order and fields, and whose items can be read by their keys. */
export function resourcesOf(spec: Spec): readonly Resource[] {
  const at = (path: RegExp, method: string): Operation | null =>
    spec.operations.find((each) => each.method === method && path.test(each.path)) ?? null
  return spec.operations.flatMap((list) => {
    const names = new Set(list.parameters.map(({ name }) => name))
    if (
      list.method !== 'GET' ||
      ofModel.test(list.path) ||
      !['limit', 'offset', 'sort', 'fields'].every((name) => names.has(name))
    )
      return []
    const path = list.path.replaceAll(/[{}]/g, String.raw`\$&`)
    const [same, one] = [new RegExp(`^${path}$`), new RegExp(String.raw`^${path}/\{\w+\}$`)]
    const read = at(one, 'GET')
    // Revisions of an item are read by their position.
    if (read === null || read.path.endsWith('/{offset}')) return []
    const others = { create: at(same, 'POST'), update: at(one, 'PATCH'), remove: at(one, 'DELETE') }
    return [{ generation: spec.generation, list, read, ...others }]
  })
}
