/** Shortest remaining work first, by tasks; jobs hold out for their data for a while. A job that has waited long goes first. */
export default {
  name: "shortest-job",
  summary: "fewest tasks left first; waits for data, and for nobody longer than it may",

  checkOptions(options) {
    const known = ["waitSeconds", "patienceSeconds"];
    return Object.entries(options).flatMap(([key, value]) => {
      if (!known.includes(key)) return [{ key, message: `found ${key}, allowed ${known.join(", ")}` }];
      return typeof value === "number" && value >= 0 ? [] : [{ key, message: "allowed a number of seconds from 0 on" }];
    });
  },

  create(cluster, { waitSeconds = 5, patienceSeconds = 300 }) {
    const since = new Map(); // job: when it last launched, or was submitted

    return {
      jobAdded: (job, nowUs) => since.set(job, nowUs),
      jobEnded: (job) => since.delete(job),
      launched: (job, slotType, reach, nowUs) => since.set(job, nowUs),

      choose({ slotType, jobs, nowUs, nearest }) {
        const waited = (job) => (nowUs - since.get(job)) / 1e6;
        const left = (job) => job[slotType].pending + job[slotType].running;
        const late = (job) => (waited(job) > patienceSeconds ? 0 : 1);
        jobs.sort((a, b) => late(a) - late(b) || left(a) - left(b) || a.id - b.id);
        for (const job of jobs) {
          const farthest = waited(job) < waitSeconds ? "node" : waited(job) < 2 * waitSeconds ? "rack" : "any";
          if (farthest === "any" || nearest(job) === "node" || nearest(job) === farthest) return { job, farthest };
        }
        return null;
      },
    };
  },
};
