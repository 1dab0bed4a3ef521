import { localCaller, type ClientView } from '../../src/wire/request.ts'

/** A client that said nothing but its name. */
export const testClient: ClientView = { era: 'legacy', revision: '', capabilities: {}, name: 'test' }

/** Who calls in tests. */
export const testCaller = { client: testClient, caller: localCaller }
