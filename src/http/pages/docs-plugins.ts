/**
 * What `/docs` adds to its viewer, through the viewer's interface for plug-ins. The sources of these functions are sent
 * to the browser, so that a function cannot use anything outside itself.
 */

/** The part of the viewer's immutable data that is read here. */
type Read = { get(key: string): unknown }
type Listed = { toJS(): unknown }
type Operations = { readonly size: number; filter(keep: (operation: Read) => boolean): Operations }
type Tag = Read & { set(key: 'operations', operations: Operations): Tag }
type Tags = { map(change: (tag: Tag) => Tag): Tags; filter(keep: (tag: Tag) => boolean): Tags }

type Props = { readonly [name: string]: unknown }
type Component = (props: Props) => unknown

/** The interface of the viewer for plug-ins. */
type System = {
  readonly React: {
    readonly createElement: (type: unknown, props: Props | null, ...children: readonly unknown[]) => unknown
    readonly useState: <Value>(value: Value) => [Value, (value: Value) => void]
  }
  readonly specSelectors: { specJson(): Read & { getIn(path: readonly string[]): unknown } }
  readonly layoutActions: { show(path: readonly string[], isShown: boolean): void }
}

/** Keeps operations whose method, path, name, summary or description contain every word. */
export function filterOperations(tags: Tags, phrase: string): Tags {
  const words = phrase.toLowerCase().split(/\s+/)
  const fits = (entry: Read): boolean => {
    const operation = entry.get('operation') as Read
    const texts = ['operationId', 'summary', 'description'].map((name) => operation.get(name))
    const text = [entry.get('method'), entry.get('path'), ...texts].join(' ').toLowerCase()
    return words.every((word) => text.includes(word))
  }
  return tags
    .map((tag) => tag.set('operations', (tag.get('operations') as Operations).filter(fits)))
    .filter((tag) => (tag.get('operations') as Operations).size > 0)
}

/** Shows `x-codeSamples` of an operation above its responses, each with a button that copies it. */
export function codeSamples({ React }: System) {
  type Sample = { readonly label: string; readonly source: string }
  const h = React.createElement
  const Samples = ({ samples }: { readonly samples: readonly Sample[] }): unknown => {
    const [chosen, choose] = React.useState(0)
    const [isCopied, setCopied] = React.useState(false)
    const { source = '' } = samples[chosen] ?? {}
    const tab = ({ label }: Sample, at: number) => {
      const onClick = () => {
        choose(at)
        setCopied(false)
      }
      return h('button', { key: label, type: 'button', role: 'tab', 'aria-selected': at === chosen, onClick }, label)
    }
    // Only secure pages have a clipboard.
    const copySource = async (): Promise<void> => {
      if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(source)
      const area = document.body.appendChild(document.createElement('textarea'))
      area.value = source
      area.select()
      document.execCommand('copy')
      area.remove()
    }
    const onCopy = () => void copySource().then(() => setCopied(true))
    return h(
      'div',
      { className: 'code-samples' },
      h('div', { className: 'code-samples-head', role: 'tablist' }, h('h4', null, 'Code samples'), samples.map(tab)),
      h('button', { type: 'button', className: 'code-samples-copy', onClick: onCopy }, isCopied ? 'Copied' : 'Copy'),
      h('pre', { tabIndex: 0 }, h('code', null, source)),
    )
  }
  const responses = (Original: Component) => (props: Props) => {
    const spec = (props['specSelectors'] as System['specSelectors']).specJson()
    const listed = spec.getIn(['paths', String(props['path']), String(props['method']), 'x-codeSamples'])
    const samples = listed === undefined ? null : h(Samples, { samples: (listed as Listed).toJS() })
    return h('div', null, samples, h(Original, props))
  }
  return { wrapComponents: { responses } }
}

/** Lists the tags beside the operations; a click opens a tag. */
export function contents({ React, specSelectors, layoutActions }: System) {
  const h = React.createElement
  const entry = (tag: Read) => {
    const name = String(tag.get('name'))
    const onClick = (event: Event) => {
      event.preventDefault()
      layoutActions.show(['operations-tag', name], true)
      history.replaceState(null, '', `#/${name}`)
      document.getElementById(`operations-tag-${name}`)?.scrollIntoView()
    }
    return h('li', { key: name }, h('a', { href: `#/${name}`, onClick }, name))
  }
  const operations = (Original: Component) => (props: Props) => {
    const tags = specSelectors.specJson().get('tags') as { map(make: typeof entry): { toArray(): unknown } } | undefined
    const list = h(
      'nav',
      { className: 'contents', 'aria-label': 'Contents' },
      h('ul', null, tags?.map(entry).toArray()),
    )
    return h('div', { className: 'with-contents' }, list, h('div', null, h(Original, props)))
  }
  return { wrapComponents: { operations } }
}

/** Opens all tags while something is searched for. Otherwise they are closed: the viewer draws long lists in part only. */
export function openFound({ specSelectors, layoutActions }: System) {
  let wasSearched = false
  const updateFilter =
    (original: (phrase: string) => unknown) =>
    (phrase: string): unknown => {
      const isSearched = phrase !== ''
      const answer = original(phrase)
      const tags = specSelectors.specJson().get('tags') as { forEach(visit: (tag: Read) => void): void } | undefined
      if (isSearched !== wasSearched) {
        tags?.forEach((tag) => layoutActions.show(['operations-tag', String(tag.get('name'))], isSearched))
      }
      wasSearched = isSearched
      return answer
    }
  return { statePlugins: { layout: { wrapActions: { updateFilter } } } }
}

/** Lists resources under "Schemas": what answers carry in envelopes of their own, and not what is derived from it. */
export function resourcesOnly() {
  type Named = { readonly [name: string]: { readonly 'x-derived'?: unknown } | undefined }
  // The viewer draws its list again for each new object.
  const cache = new WeakMap<Named, Named>()
  const resourcesIn = (all: Named): Named =>
    Object.fromEntries(
      Object.entries(all).filter(
        ([name, schema]) =>
          schema?.['x-derived'] === undefined && (`${name}Envelope` in all || `${name}ListEnvelope` in all),
      ),
    )
  const selectSchemas =
    (original: (...input: readonly unknown[]) => Named) =>
    (...received: readonly unknown[]): Named => {
      const all = original(...received)
      const resources = cache.get(all) ?? resourcesIn(all)
      cache.set(all, resources)
      return resources
    }
  return { statePlugins: { spec: { wrapSelectors: { selectSchemas } } } }
}
