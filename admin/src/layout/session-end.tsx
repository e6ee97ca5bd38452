/** Tells the data provider how the application logs out. */
import { useEffect } from 'react'
import { useLogoutIfAccessDenied } from 'react-admin'
import { setSessionEnd } from '../api/session-end.ts'

export const SessionEnd = () => {
  const logout = useLogoutIfAccessDenied()
  useEffect(() => setSessionEnd(logout), [logout])
  return null
}
