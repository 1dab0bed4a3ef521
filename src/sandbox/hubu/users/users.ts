// Humans and the current owner.
import { drawIds, type Hubu } from '../hubu.ts'
import { Refusal } from '../refusal.ts'
import type { Rows } from '../rows.ts'
import type { Instant } from '../time/instant.ts'

/** A human. */
export interface User {
  id: string
  public_id: string
  username: string | null
  display_name: string
  email: string | null
  status: string
  created_at: Instant
}

/** Who is to be registered. */
export interface NewUser {
  username?: string
  displayName?: string
  email?: string
}

const columns = 'id, public_id, username, display_name, email, status, created_at'

/** The human for whom every protected route acts. */
export function currentOwner(rows: Rows): User {
  const owner = rows.get<User>(
    `select ${columns} from users where id = (select value from settings where name = 'current_owner')`,
  )
  if (owner === undefined) throw new Error('there is no current owner')
  return owner
}

/** Makes sure that there is a current owner: on first start the default user. */
export function ensureOwner(hubu: Hubu): void {
  if (hubu.rows.get(`select 1 from settings where name = 'current_owner'`) !== undefined) return
  selectOwner(hubu.rows, addUser(hubu, { username: 'hubu-user' }))
}

/** Everybody, oldest first. */
export function allUsers(rows: Rows): User[] {
  return rows.all<User>(`select ${columns} from users order by sequence`)
}

/** The human with a username. */
export function userNamed(rows: Rows, username: string): User | undefined {
  return rows.get<User>(`select ${columns} from users where username = ?`, username)
}

/** The human with an internal id. */
export function userById(rows: Rows, id: string): User {
  const user = rows.get<User>(`select ${columns} from users where id = ?`, id)
  if (user === undefined) throw new Error('a stored user is missing')
  return user
}

/** Registers a human. Throws a 400 for an invalid or taken username and a taken e-mail. */
export function addUser(hubu: Hubu, wanted: NewUser): User {
  const { rows } = hubu
  const username = wanted.username?.trim()
  if (username !== undefined) {
    if (!/^[a-z0-9](?:[a-z0-9-]{1,30})[a-z0-9]$/.test(username))
      throw new Refusal('username must be 3 to 32 characters of a-z, 0-9 and -, and must not start or end with -')
    if (userNamed(rows, username) !== undefined) throw new Refusal(`username \`${username}\` is already registered`)
  }
  const emailKey = wanted.email?.trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  if (emailKey !== undefined && rows.get('select 1 from users where email_key = ?', emailKey) !== undefined)
    throw new Refusal(`email \`${emailKey}\` is already registered`)
  const user: User = {
    ...drawIds(hubu, 'users', 'usr'),
    username: username ?? null,
    display_name: wanted.displayName ?? 'Hubu User',
    email: wanted.email ?? null,
    status: 'active',
    created_at: hubu.now(),
  }
  rows.insert('users', { ...user, email_key: emailKey ?? null })
  return user
}

/** Makes a human the current owner, also for later starts. */
export function selectOwner(rows: Rows, user: User): void {
  rows.run(
    `insert into settings (name, value) values ('current_owner', ?) on conflict (name) do update set value = excluded.value`,
    user.id,
  )
}
