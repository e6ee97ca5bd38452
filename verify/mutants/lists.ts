/** Defects of filters, order, pages and counts. */
import {
  type Defect,
  isArticles,
  isItems,
  isList,
  isMethod,
  onAnswer,
  onAnswered,
  onBody,
  onLists,
  onParameter,
  onRequest,
  onRows,
  onSent,
  type Row,
  withoutParameter,
  withQuery,
} from './defect.ts'

const inFilter = (from: string, to: string) =>
  onParameter(isList, 'filter', (text) => text.replaceAll(`"${from}"`, `"${to}"`))

/** A value inside of an answer of aggregates. */
const inAggregate =
  (name: string, change: (value: unknown) => unknown) =>
  (row: Row): Row => {
    const value = row[name]
    if (value === undefined) return row
    if (typeof value !== 'object' || value === null) return { ...row, [name]: change(value) }
    return { ...row, [name]: Object.fromEntries(Object.entries(value).map(([field, value]) => [field, change(value)])) }
  }

export const listDefects: readonly Defect[] = [
  { name: 'the filter is ignored', hint: 'filter _eq', tamper: onRequest(isList, withoutParameter('filter')) },
  { name: '_gte is _gt', hint: 'filter _gte', tamper: inFilter('_gte', '_gt') },
  { name: '_lte is _lt', hint: 'filter _lte', tamper: inFilter('_lte', '_lt') },
  { name: '_contains ignores case', hint: 'filter _contains', tamper: inFilter('_contains', '_icontains') },
  { name: '_starts_with is _contains', hint: 'filter _starts_with', tamper: inFilter('_starts_with', '_contains') },
  { name: '_or is _and', hint: '_and and _or', tamper: inFilter('_or', '_and') },
  { name: '_none is _some', hint: 'related items', tamper: inFilter('_none', '_some') },
  {
    name: '_null is ignored if it is false',
    hint: 'filter _null',
    tamper: onParameter(isList, 'filter', (text) => text.replaceAll('{"_null":false}', '{}')),
  },
  {
    name: '_in takes the first value only',
    hint: 'filter _in',
    tamper: onParameter(isList, 'filter', (text) => text.replace(/"_in":\[([^,\]]+),[^\]]*\]/g, '"_in":[$1]')),
  },
  {
    name: '_between is open at its end',
    hint: 'filter _between',
    tamper: onParameter(isList, 'filter', (text) =>
      text.replace(/"_between":\[([^,\]]+),([^\]]+)\]/g, '"_gte":$1,"_lt":$2'),
    ),
  },
  {
    name: 'conditions on related items are ignored',
    hint: 'related items',
    tamper: onParameter(isList, 'filter', (text) => text.replace(/"author":\{"name":\{[^}]*\}\}/, '')),
  },
  {
    name: 'the filter of SEARCH is ignored',
    hint: 'SEARCH',
    tamper: onSent(isMethod('SEARCH', isItems), (body) => ({ query: { ...(body['query'] as Row), filter: {} } })),
  },
  { name: 'the sort is ignored', hint: 'sorted by the named', tamper: onRequest(isList, withoutParameter('sort')) },
  {
    name: 'descending is ascending',
    hint: 'sorted by the named',
    tamper: onParameter(isList, 'sort', (text) => text.replaceAll('-', '')),
  },
  {
    name: 'the second field of the sort is ignored',
    hint: 'several fields',
    tamper: onParameter(isList, 'sort', (text) => text.replace(/,[^,]+/, '')),
  },
  {
    name: 'numbers are sorted as text',
    hint: 'sorted by the named',
    tamper: onAnswer(isArticles, (answer, { query }) =>
      query.get('sort') === 'id'
        ? onBody(answer, ({ data, ...body }) => ({
            ...body,
            data: Array.isArray(data)
              ? (data as Row[]).toSorted((a, b) => String(a['id']).localeCompare(String(b['id'])))
              : data,
          }))
        : answer,
    ),
  },
  { name: 'the offset is ignored', hint: 'pages add up', tamper: onRequest(isList, withoutParameter('offset')) },
  {
    name: 'pages are counted from 0',
    hint: 'pages add up',
    tamper: onParameter(isList, 'page', (text) => (/^\d+$/.test(text) ? String(Number(text) + 1) : text)),
  },
  {
    name: 'a page has one item more',
    hint: 'pages add up',
    tamper: onParameter(isList, 'limit', (text) => (/^[1-9]\d*$/.test(text) ? String(Number(text) + 1) : text)),
  },
  {
    name: 'limit=-1 ends at 20 items',
    hint: 'limit and offset',
    tamper: onLists(isArticles, (rows) => rows.slice(0, 20)),
  },
  {
    name: 'an item is on two pages',
    hint: 'pages add up',
    tamper: onParameter(isList, 'offset', (text) => (Number(text) > 0 ? String(Number(text) - 1) : text)),
  },
  {
    name: 'the count of the filter is that of all items',
    hint: 'counts are those',
    tamper: onAnswered(isList, ({ meta, ...body }) => {
      const counts = meta as { readonly total_count?: number } | undefined
      return counts?.total_count === undefined
        ? { ...body, ...(meta === undefined ? {} : { meta }) }
        : { ...body, meta: { ...counts, filter_count: counts.total_count } }
    }),
  },
  {
    name: 'a count is one too many',
    hint: 'items are counted',
    tamper: onRows(
      isArticles,
      inAggregate('count', (value) => String(Number(value) + 1)),
    ),
  },
  {
    name: 'means are cut to integers',
    hint: 'aggregates',
    tamper: onRows(
      isArticles,
      inAggregate('avg', (value) => (value === null ? null : String(Math.trunc(Number(value))))),
    ),
  },
  {
    name: 'groups lack the items without a value',
    hint: 'groups have',
    tamper: onAnswer(isArticles, (answer, { query }) =>
      query.has('groupBy')
        ? onBody(answer, ({ data, ...body }) => ({
            ...body,
            data: (data as Row[]).filter((row) => row[query.get('groupBy') ?? ''] !== null),
          }))
        : answer,
    ),
  },
  {
    name: 'search respects case',
    hint: 'search finds',
    tamper: onLists(
      (request) => isArticles(request) && request.query.get('search') === 'ALP',
      () => [],
    ),
  },
  {
    name: 'the limit of related items is ignored',
    hint: 'other side',
    tamper: onParameter(isList, 'deep', (text) => text.replace(/"_limit":\d+/, '"_limit":-1')),
  },
  {
    name: 'an alias shows another field',
    hint: 'alias',
    tamper: onRequest(isList, (request) =>
      withQuery(request, (query) => query.set('alias', (query.get('alias') ?? '').replace('title', 'label'))),
    ),
  },
]
