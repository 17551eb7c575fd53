/** Whether a process is there, given its number. */
export function isAlive(writer: number): boolean {
  if (!Number.isInteger(writer) || writer <= 0) return false;
  try {
    process.kill(writer, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
