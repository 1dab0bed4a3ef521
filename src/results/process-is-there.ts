/** Whether a process of this machine is there, be it somebody else's. */
export function processIsThere(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
