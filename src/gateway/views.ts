// The gateway as each caller sees it: in its own scope, with what it has a right to. Those that see the same share one.
import type { Caller } from '../wire/request.ts'
import type { AgentView } from './agent.ts'
import type { Gateway } from './gateway.ts'
import { GivenAddresses } from './given-addresses.ts'

/** What one kind of caller sees. */
export interface View {
  readonly agent: AgentView
  readonly gateway: Gateway
  /** The addresses that servers gave to those who see this. */
  readonly given: GivenAddresses
}

/** How views are made. */
export interface ViewOptions {
  /** The agent that a caller is bound to; undefined: it sees what the process serves. Throws for one that there is not. */
  viewOf(bound: string | undefined): AgentView
  makeGateway(agent: AgentView, given: GivenAddresses): Gateway
}

/** Views under one configuration, each made when its first caller comes. */
export class Views {
  readonly #options: ViewOptions
  readonly #views = new Map<string, View>()
  /** They outlive a change of the configuration. */
  readonly #given: Map<string, GivenAddresses>

  constructor(options: ViewOptions, before?: Views) {
    this.#options = options
    this.#given = before === undefined ? new Map<string, GivenAddresses>() : before.#given
  }

  of({ agent: bound, rights }: Pick<Caller, 'agent' | 'rights'>): View {
    const who = bound ?? ''
    const key = JSON.stringify([who, ...[...rights].sort()])
    const known = this.#views.get(key)
    if (known !== undefined) return known
    const agent = { ...this.#options.viewOf(bound), rights }
    const given = this.#given.get(who) ?? new GivenAddresses()
    this.#given.set(who, given)
    const view = { agent, given, gateway: this.#options.makeGateway(agent, given) }
    this.#views.set(key, view)
    return view
  }
}
