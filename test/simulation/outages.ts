import type { World } from './world.ts'

/** A backend's comings and goings. A restart cuts every connection; what was stored stays. */
export function createOutages(
  world: World,
  name: 'hubu' | 'gongbu',
): { readonly isUp: boolean; readonly life: number } {
  const random = world.random(`outages ${name}`)
  const state = { isUp: true, life: 0 }
  const next = () =>
    world.time.after(random.between(500, 20_000), () => {
      const downMs = random.between(20, 5000)
      if (world.strikes('backend_restart', random, 0.5)) {
        state.isUp = false
        state.life++
        world.tell(name, `goes away for ${downMs} ms`)
        world.time.after(downMs, () => {
          state.isUp = true
        })
      }
      if (!world.isCalm) next()
    })
  next()
  return state
}
