/**
 * Short notices at the bottom, all of them at once: the framework's own component shows the next one only when the last
 * is gone, so that an error hides what comes after it. It also waits to undo changes, which nothing here does.
 */
import CloseIcon from '@mui/icons-material/Close'
import { ClickAwayListener, IconButton, Portal, SnackbarContent, Stack } from '@mui/material'
import { useEffect, useState } from 'react'
import { type NotificationPayload, useNotificationContext, useNotify, useTranslate } from 'react-admin'
import { wasReloaded } from './new-build.ts'

/** In milliseconds; an error takes longer to read. */
const durations: { readonly [type: string]: number } = { error: 10_000 }
const usualDuration = 4_000

export const Notices = () => {
  const notify = useNotify()
  const { setNotifications } = useNotificationContext()
  const notifications: readonly NotificationPayload[] = useNotificationContext().notifications
  useEffect(() => {
    if (wasReloaded) notify('app.loading.updated', { type: 'info', autoHideDuration: 15_000 })
  }, [notify])
  const remove = (gone: readonly NotificationPayload[]): void =>
    setNotifications((all: readonly NotificationPayload[]) => all.filter((each) => !gone.includes(each)))
  if (notifications.length === 0) return null
  return (
    // Beside an open dialog, which hides the rest of the page from screen readers.
    <Portal>
      <ClickAwayListener mouseEvent="onMouseDown" touchEvent="onTouchStart" onClickAway={() => remove(notifications)}>
        <Stack
          sx={{
            position: 'fixed',
            // Above the buttons of a form.
            bottom: 88,
            left: '50%',
            transform: 'translateX(-50%)',
            width: 'max-content',
            maxWidth: 'calc(100vw - 2rem)',
            gap: 1,
            zIndex: 'snackbar',
          }}
        >
          {notifications.map((notice, at) => (
            <Notice key={keyOf(notice, at)} notice={notice} onGone={() => remove([notice])} />
          ))}
        </Stack>
      </ClickAwayListener>
    </Portal>
  )
}

const keys = new WeakMap<NotificationPayload, string>()

/** A key that a notice keeps when those before it go. */
function keyOf(notice: NotificationPayload, at: number): string {
  const known = keys.get(notice)
  if (known !== undefined) return known
  const key = `${Date.now()} ${at}`
  keys.set(notice, key)
  return key
}

type NoticeProps = { readonly notice: NotificationPayload; readonly onGone: () => void }

const Notice = ({ notice: { message, type, notificationOptions }, onGone }: NoticeProps) => {
  const translate = useTranslate()
  // Whoever reads it, or is about to close it, has the time to.
  const [isHeld, setIsHeld] = useState(false)
  const duration = notificationOptions?.autoHideDuration ?? durations[type] ?? usualDuration
  useEffect(() => {
    if (isHeld) return undefined
    const timer = setTimeout(onGone, duration)
    return () => clearTimeout(timer)
    // biome-ignore lint/correctness/useExhaustiveDependencies: a new function of the parent is no reason to begin again.
  }, [isHeld, duration])
  return (
    <SnackbarContent
      role={type === 'error' ? 'alert' : 'status'}
      onMouseEnter={() => setIsHeld(true)}
      onMouseLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
      message={typeof message === 'string' ? translate(message, notificationOptions?.messageArgs) : message}
      action={
        <IconButton size="small" color="inherit" aria-label={translate('ra.action.close')} onClick={onGone}>
          <CloseIcon fontSize="small" />
        </IconButton>
      }
      sx={{ flexWrap: 'nowrap', whiteSpace: 'pre-wrap', ...(type !== 'info' && coloured(type)) }}
    />
  )
}

const coloured = (type: string) => ({ bgcolor: `${type}.main`, color: `${type}.contrastText` })
