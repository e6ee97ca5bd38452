/** A fetch with upload progress, by XMLHttpRequest, the only way in browsers. */
import type { Progress } from './contents.ts'

/** Whether the environment has XMLHttpRequest, which reports progress but cannot send streams. */
export const hasOlderWay = (): boolean => typeof XMLHttpRequest !== 'undefined'

/** Sends one request. */
export const observedUpload =
  (onProgress: (progress: Progress) => void): typeof fetch =>
  (url, init = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(init.method ?? 'GET', url instanceof Request ? url.url : url)
      new Headers(init.headers).forEach((value, name) => request.setRequestHeader(name, value))
      request.withCredentials = init.credentials === 'include'
      request.responseType = 'blob'
      request.upload.addEventListener('progress', ({ loaded, total, lengthComputable }) =>
        onProgress({ sent: loaded, total: lengthComputable ? total : null }),
      )
      request.addEventListener('load', () => resolve(toResponse(request)))
      request.addEventListener('error', () => reject(new TypeError('The network failed')))
      request.addEventListener('abort', () => reject(init.signal?.reason as Error))
      init.signal?.addEventListener('abort', () => request.abort(), { once: true })
      request.send(init.body as XMLHttpRequestBodyInit | null)
    })

function toResponse(request: XMLHttpRequest): Response {
  const headers = new Headers()
  for (const line of request.getAllResponseHeaders().trim().split('\r\n')) {
    const at = line.indexOf(':')
    if (at > 0) headers.append(line.slice(0, at), line.slice(at + 1).trim())
  }
  const body = [204, 205, 304].includes(request.status) ? null : (request.response as Blob)
  return new Response(body, { status: request.status, headers })
}
