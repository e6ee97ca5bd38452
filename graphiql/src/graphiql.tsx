/** The editor on the page of the server. It asks the endpoint of its own address, with the cookies of the caller. */
import 'graphiql/setup-workers/vite'
import 'graphiql/style.css'
import './narrow.css'
import { createGraphiQLFetcher } from '@graphiql/toolkit'
import { GraphiQL } from 'graphiql'
import { createRoot } from 'react-dom/client'

const root = document.getElementById('graphiql')
if (root === null) throw new Error('The page has no place for the editor')
document.body.style.margin = '0'
document.body.style.display = 'flex'
document.body.style.flexDirection = 'column'
document.body.style.height = '100vh'
root.style.flex = '1'
root.style.minHeight = '0'

const fetcher = createGraphiQLFetcher({ url: location.pathname })
// Headers, which may hold a token, are not stored in the browser.
createRoot(root).render(<GraphiQL fetcher={fetcher} shouldPersistHeaders={false} isHeadersEditorEnabled />)
