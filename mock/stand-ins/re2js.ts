/** `re2js` in the bundle: the patterns of tests come from nobody who wants them to be slow. */
const flagged = /^(.*?)\(\?i\)/s

export const RE2JS = {
  compile(source: string) {
    const isOfAnyCase = flagged.test(source)
    const pattern = new RegExp(isOfAnyCase ? source.replace(flagged, '$1') : source, isOfAnyCase ? 'iu' : 'u')
    return { matcher: (text: string) => ({ find: () => pattern.test(text) }) }
  },
}
