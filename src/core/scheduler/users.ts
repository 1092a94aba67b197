/** The users by handle, and how many jobs of each may run at once. */
export class Users {
  readonly names: string[] = [];
  private readonly byName = new Map<string, number>();
  private limits = new Map<string, number>();
  private defaultMax = Infinity;

  /** Handle of the user of that name. */
  named(name: string): number {
    const known = this.byName.get(name);
    if (known !== undefined) return known;
    this.byName.set(name, this.names.length);
    this.names.push(name);
    return this.names.length - 1;
  }

  /** Takes the limits of new allocations. */
  limit(users: readonly { readonly name: string; readonly maxJobs: number }[], defaultMax: number): void {
    this.limits = new Map(users.map(({ name, maxJobs }) => [name, maxJobs]));
    this.defaultMax = defaultMax;
  }

  maxJobsOf(name: string): number {
    return this.limits.get(name) ?? this.defaultMax;
  }
}
