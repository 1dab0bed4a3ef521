// POST /init, GET /user, GET /users.
import { parseBody, readFields } from '../json/fields.ts'
import { change, read, type Route } from '../route.ts'
import { writeInstant } from '../time/instant.ts'
import { addUser, allUsers, selectOwner } from './users.ts'

/** The routes about humans. */
export const userRoutes: readonly Route[] = [
  change('/init', ({ hubu, bodyText }) => {
    const object = parseBody(/^[ \t\n\r]*$/.test(bodyText) ? '{}' : bodyText)
    const fields = readFields(object, { keys: ['username', 'display_name', 'email'] })
    const user = addUser(hubu, {
      username: fields.optionalText('username'),
      displayName: fields.optionalText('display_name'),
      email: fields.optionalText('email'),
    })
    selectOwner(hubu.rows, user)
    return { user_id: user.public_id, username: user.username, display_name: user.display_name }
  }),
  read('/user', ({ owner }) => ({
    user_id: owner.public_id,
    username: owner.username,
    display_name: owner.display_name,
    email: owner.email,
  })),
  read('/users', ({ hubu, owner }) => ({
    users: allUsers(hubu.rows).map((user) => ({
      user_id: user.public_id,
      username: user.username,
      display_name: user.display_name,
      email: user.email,
      status: user.status,
      current: user.id === owner.id,
      created_at: writeInstant(user.created_at),
    })),
  })),
]
