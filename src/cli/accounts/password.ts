/** `tandem users password`: sets the password of a user, for the operator of the server. */
import { setPassword } from '../../core/accounts/password-reset.ts'
import { coreView } from '../../domain/schema/core-view.ts'
import { createContext } from '../context.ts'
import { print, withTables } from '../database.ts'
import { readPassword } from '../read-password.ts'

export async function changePassword(email: string): Promise<void> {
  const password = await readPassword()
  await withTables(async (db, config) => {
    const options = { generation: { createView: coreView }, command: 'tandem users password' }
    const { status } = await setPassword(await createContext(db, config, options), email, password)
    print(`The password of ${email} is set, and the sessions of the user are ended.`)
    if (status !== 'active') print(`The user cannot log in: its status is "${status}".`)
  })
}
