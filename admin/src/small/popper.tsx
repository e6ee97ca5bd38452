/** In place of what places tooltips: it is loaded with the first tooltip that is shown. */
import type { PopperProps } from '@mui/material'
import { forwardRef, lazy, Suspense } from 'react'

const Popper = lazy(() => import('@mui/material/Popper'))

const LaterPopper = forwardRef<HTMLDivElement, PopperProps>((props, ref) => (
  <Suspense fallback={null}>{(props.open || props.keepMounted) && <Popper {...props} ref={ref} />}</Suspense>
))

// biome-ignore lint/style/noDefaultExport: as the library's own module has it.
// oxlint-disable-next-line import/no-default-export -- as the library's own module has it
export default LaterPopper
