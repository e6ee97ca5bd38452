import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { createI18n } from './languages/i18n.ts'

const root = document.getElementById('root')
if (root !== null)
  void createI18n().then((i18nProvider) => createRoot(root).render(<App i18nProvider={i18nProvider} />))
