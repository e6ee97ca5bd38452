/** Texts of the interface. A further language is one more file. */
import polyglotI18nProvider from 'ra-i18n-polyglot'
import type { I18nProvider, TranslationMessages } from 'react-admin'
import { type ProblemTexts, setProblemTexts, type ToReason } from '../api/problem-texts.ts'
import { type PlatformTexts, setLanguage } from '../model/texts.ts'
import { english } from './en.ts'

const languages = [
  { locale: 'en', name: 'English' },
  { locale: 'de', name: 'Deutsch' },
]

const stored = 'RaStore.locale'

/** What was chosen here, or the language of the browser. */
function firstLanguage(): string {
  const chosen = localStorage.getItem(stored)?.replaceAll('"', '')
  const wished = [chosen, ...navigator.languages].map((each) => each?.split('-')[0])
  return wished.find((each) => languages.some(({ locale }) => locale === each)) ?? 'en'
}

/** How languages other than that of the server say its reasons, once they are read. */
const reasonsOf = new Map<string, ToReason>()

const readers: { readonly [locale: string]: () => Promise<TranslationMessages> } = {
  de: async () => {
    const [{ german }, { toGermanReason }] = await Promise.all([import('./de.ts'), import('./de-reasons.ts')])
    reasonsOf.set('de', toGermanReason)
    return german
  },
}

const messagesOf = (locale: string): TranslationMessages | Promise<TranslationMessages> =>
  readers[locale]?.() ?? english

const announce = (locale: string, messages: TranslationMessages): void => {
  setLanguage(locale, messages['app'] as unknown as PlatformTexts)
  const { problem } = messages['app'] as unknown as { readonly problem: ProblemTexts }
  setProblemTexts(problem, reasonsOf.get(locale))
  document.documentElement.lang = locale
}

/** The texts in the first language, which have to be there before the first page. */
export async function createI18n(): Promise<I18nProvider> {
  const first = firstLanguage()
  const messages = await messagesOf(first)
  const known = new Map([[first, messages]])
  announce(first, messages)
  // The types know one way to return messages, the library two.
  const read = ((locale: string) => known.get(locale) ?? messagesOf(locale)) as (locale: string) => TranslationMessages
  const provider = polyglotI18nProvider(read, first, languages, { allowMissing: true })
  return {
    ...provider,
    changeLocale: async (locale, options) => {
      announce(locale, await messagesOf(locale))
      return provider.changeLocale(locale, options)
    },
  }
}
