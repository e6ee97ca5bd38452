/** Random nested items, the changes that they stand for, and a simple model of the expected result. */

import type { Key } from '../../domain/query/key.ts'
import type { Change, Changes } from '../../domain/query/mutation.ts'

/** An item to write: an existing row (by its label) or a new one. Labels are unique values of the label column. */
export type Tree = {
  readonly collection: Name
  readonly label: string
  readonly isNew: boolean
  readonly ones: readonly (readonly [field: string, target: Tree | string | null])[]
  readonly manies: readonly (readonly [field: string, change: Many])[]
}

type Many =
  | { readonly kind: 'replace'; readonly items: readonly (Tree | string)[] }
  | { readonly kind: 'detail'; readonly items: readonly Tree[]; readonly gone: readonly string[] }

type Name = 'authors' | 'categories' | 'articles' | 'comments' | 'articles_tags' | 'tags'

/** `own`: rows are listed only by their own parent, because omitted rows are deleted. */
type ManyField = { readonly child: Name; readonly link: string; readonly own: boolean }

type Shape = {
  readonly label: string
  readonly key: string
  readonly ones: { readonly [field: string]: Name }
  readonly manies: { readonly [field: string]: ManyField }
}

const shapes: { readonly [Collection in Name]: Shape } = {
  authors: {
    label: 'name',
    key: 'id',
    ones: { mentor: 'authors' },
    manies: {
      articles: { child: 'articles', link: 'author', own: false },
      students: { child: 'authors', link: 'mentor', own: false },
    },
  },
  categories: {
    label: 'name',
    key: 'id',
    ones: { parent: 'categories' },
    manies: {
      children: { child: 'categories', link: 'parent', own: false },
      articles: { child: 'articles', link: 'category', own: false },
    },
  },
  articles: {
    label: 'title',
    key: 'id',
    ones: { author: 'authors', category: 'categories' },
    manies: {
      comments: { child: 'comments', link: 'article', own: true },
      tags: { child: 'articles_tags', link: 'article', own: true },
    },
  },
  comments: { label: 'body', key: 'id', ones: { author: 'authors' }, manies: {} },
  articles_tags: { label: 'label', key: 'id', ones: { tag: 'tags' }, manies: {} },
  tags: { label: 'name', key: 'name', ones: {}, manies: {} },
}

/** All rows of all collections: their links, by label, and their sort numbers. */
export type State = ReadonlyMap<Name, Map<string, Row>>
type Row = { readonly key: Key; readonly links: Map<string, string | null>; sort: number | null }

export const names = Object.keys(shapes) as readonly Name[]

/** The statement that reads a collection for `toState`. */
export function readText(name: Name): string {
  const { label, key, ones } = shapes[name]
  const back = { articles: 'article' } as const
  const links = {
    ...ones,
    ...(name === 'comments' || name === 'articles_tags' ? { [back.articles]: 'articles' as const } : {}),
  }
  const columns = Object.entries(links).map(
    ([field, target]) =>
      `(select t.${shapes[target].label} from ${target} t where t.${shapes[target].key} = r.${field}) as ${field}`,
  )
  const sort = name === 'articles_tags' ? 'r.sort' : 'null::integer'
  return `select ${[`r.${key} as key`, `r.${label} as label`, `${sort} as place`, ...columns].join(', ')} from ${name} r`
}

/** Rows in the form of `readText`. */
export function toState(read: ReadonlyMap<Name, readonly { readonly [column: string]: unknown }[]>): State {
  return new Map(
    names.map((name) => [
      name,
      new Map(
        (read.get(name) ?? []).map(({ key, label, place, ...links }) => [
          label as string,
          {
            key: key as Key,
            sort: place as number | null,
            links: new Map(Object.entries(links) as [string, string | null][]),
          },
        ]),
      ),
    ]),
  )
}

/** Generates items of one collection. Each existing row occurs at most once, so the order of writes does not matter. */
export function drawTrees(state: State, choose: (below: number) => number, count: number): readonly Tree[] {
  const used = new Set<string>()
  let made = 0
  const roots = ['articles', 'categories', 'authors'] as const
  const root = roots[choose(roots.length)] ?? 'articles'

  const takeOld = (name: Name, fits: (row: Row) => boolean = () => true): string | null => {
    const free = [...(state.get(name) ?? [])].filter(([label, row]) => !used.has(`${name} ${label}`) && fits(row))
    const label = free[choose(Math.max(free.length, 1))]?.[0] ?? null
    if (label !== null) used.add(`${name} ${label}`)
    return label
  }

  const drawTree = (name: Name, level: number, place: { link?: string; owner?: string }): Tree => {
    const fits = place.owner === undefined ? undefined : (row: Row) => row.links.get(place.link ?? '') === place.owner
    const old = choose(2) === 0 ? takeOld(name, fits) : null
    const label = old ?? `new ${(made += 1)}`
    const { ones, manies } = shapes[name]
    const isDeep = level < 4
    return {
      collection: name,
      label,
      isNew: old === null,
      ones: Object.entries(ones).flatMap(([field, target]): Tree['ones'] => {
        const kind = field === place.link ? 0 : choose(5)
        if (kind === 1) return [[field, null] as const]
        if (kind === 2) return [[field, takeOld(target)] as const]
        return kind === 3 && isDeep ? [[field, drawTree(target, level + 1, {})] as const] : []
      }),
      manies: isDeep
        ? Object.entries(manies).flatMap(([field, many]) => {
            const kind = choose(4)
            if (kind === 0) return []
            return [[field, drawMany(many, label, { level, isDetail: kind === 3 })] as const]
          })
        : [],
    }
  }

  const drawMany = (many: ManyField, owner: string, at: { level: number; isDetail: boolean }): Many => {
    const place = { link: many.link, ...(many.own ? { owner } : {}) }
    const isOwn = (row: Row) => row.links.get(many.link) === owner
    const items = Array.from({ length: choose(4) }, () => {
      const linked = !at.isDetail && choose(3) === 0 ? takeOld(many.child, many.own ? isOwn : undefined) : null
      return linked ?? drawTree(many.child, at.level + 1, place)
    })
    if (!at.isDetail) return { kind: 'replace', items }
    const gone = Array.from({ length: choose(3) }, () => takeOld(many.child, choose(3) === 0 ? undefined : isOwn))
    return { kind: 'detail', items: items as readonly Tree[], gone: gone.filter((label) => label !== null) }
  }

  return Array.from({ length: count }, () => drawTree(root, 0, {}))
}

export function toChanges(state: State, tree: Tree): Changes {
  const { label, manies } = shapes[tree.collection]
  const changes = new Map<string, Change>()
  const keyOf = (name: Name, row: string): Key => state.get(name)?.get(row)?.key as Key
  if (tree.isNew) changes.set(label, { kind: 'value', value: tree.label })
  for (const [field, target] of tree.ones) {
    if (target === null) changes.set(field, { kind: 'value', value: null })
    else if (typeof target === 'string') {
      changes.set(field, { kind: 'value', value: keyOf(shapes[tree.collection].ones[field] as Name, target) })
    } else changes.set(field, { kind: 'one', key: keyFor(state, target), changes: toChanges(state, target) })
  }
  for (const [field, change] of tree.manies) {
    const { child } = manies[field] as ManyField
    const written = (each: Tree) => ({ key: keyFor(state, each), changes: toChanges(state, each) })
    if (change.kind === 'replace') {
      const items = change.items.map((each) =>
        typeof each === 'string'
          ? ({ kind: 'link', key: keyOf(child, each) } as const)
          : ({ kind: 'write', ...written(each) } as const),
      )
      changes.set(field, { kind: 'replace', items })
    } else {
      changes.set(field, {
        kind: 'detail',
        create: change.items.filter(({ isNew }) => isNew).map((each) => toChanges(state, each)),
        update: change.items
          .filter(({ isNew }) => !isNew)
          .map((each) => ({ key: keyFor(state, each) as Key, changes: toChanges(state, each) })),
        delete: change.gone.map((each) => keyOf(child, each)),
        // An earlier item of the same write may have moved the row.
        isLate: true,
      })
    }
  }
  return changes
}

/** The key of an existing row. A new tag gets its name as key. */
export function keyFor(state: State, { collection, label, isNew }: Tree): Key | null {
  return isNew ? null : (state.get(collection)?.get(label)?.key ?? null)
}

export function applyTree(state: State, tree: Tree): void {
  const { manies } = shapes[tree.collection]
  const rows = state.get(tree.collection) as Map<string, Row>
  const links = tree.ones.map(([field, target]) => {
    if (target !== null && typeof target !== 'string') applyTree(state, target)
    return [field, typeof target === 'string' ? target : (target?.label ?? null)] as const
  })
  if (tree.isNew) rows.set(tree.label, { key: 0, links: new Map(), sort: null })
  for (const [field, target] of links) rows.get(tree.label)?.links.set(field, target)
  for (const [field, change] of tree.manies) {
    const { child, link, own } = manies[field] as ManyField
    const children = state.get(child) as Map<string, Row>
    const listed = new Set(change.items.map((each) => (typeof each === 'string' ? each : each.label)))
    const gone = (label: string) => (change.kind === 'replace' ? !listed.has(label) : change.gone.includes(label))
    for (const [label, row] of children) {
      if (row.links.get(link) !== tree.label || !gone(label)) continue
      if (own) children.delete(label)
      else row.links.set(link, null)
    }
    for (const each of change.items) {
      const label = typeof each === 'string' ? each : each.label
      const last = Math.max(
        0,
        ...[...children.values()].filter((row) => row.links.get(link) === tree.label).map(({ sort }) => sort ?? 0),
      )
      if (typeof each !== 'string') applyTree(state, each)
      const row = children.get(label) as Row
      row.links.set(link, tree.label)
      if (child === 'articles_tags' && typeof each !== 'string' && each.isNew) row.sort = last + 1
    }
  }
}

/** The comparable part: rows, links and sort numbers, without keys. */
export function comparable(state: State): unknown {
  return names.map((name) => [
    name,
    [...(state.get(name) ?? [])]
      .map(([label, { links, sort }]) => [
        label,
        sort,
        [...links].filter(([, target]) => target !== null).toSorted(([left], [right]) => (left < right ? -1 : 1)),
      ])
      .toSorted(([left], [right]) => (String(left) < String(right) ? -1 : 1)),
  ])
}
