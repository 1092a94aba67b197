import { describe, expect, it } from "vitest";
import { capacitiesReport, NO_PAINT } from "../../../dist/report/index.js";
import { hadoop, readText } from "../capacity/capacity-file.js";

const report = (properties: Parameters<typeof hadoop>[0]) =>
  capacitiesReport({ file: "c.xml", ...readText(hadoop(properties)) }, NO_PAINT);

describe("a capacity-scheduler.xml explained", () => {
  it("is this", () => {
    expect(
      report({
        "queue.ads.capacity": 66.6667,
        "queue.ads.maximum-capacity": 80,
        "queue.ads.supports-priority": "true",
        "queue.ads.minimum-user-limit-percent": 25,
        "queue.ads.maximum-initialized-jobs-per-user": 1200,
        "queue.lab.capacity": 33.3334,
        "queue.lab.user-limit-factor": 3,
        "maximum-system-jobs": 3000,
      }),
    ).toMatchInlineSnapshot(`
      "Capacities      c.xml: queues of Hadoop 1; 2 queues

      Queue  capacity %  maximum %     jobs by  user minimum %  user factor  set up per user
      ads        66.667         80    priority              25            1            1,200
      lab        33.333   no limit  submission             100            3         no limit

      Meaning         A free slot goes to the queue that occupies least of its capacity, of those that can
                      use it; capacity that a queue does not use is lent to the others, up to their
                      maximum, and comes back as their tasks end.
                      A single user of ads gets no more than its capacity even where the cluster is idle:
                      the user factor is 1 or less.
                      Where the user minimum is below 100 %, users share a queue equally while each gets
                      at least the minimum; further users wait. With 100 % the first user may have all of
                      the queue.

      Elements        all of the file: 7 honoured, 1 without effect, 0 refused
      Line 2          mapred.capacity-scheduler.queue.ads.capacity 66.6667: honoured
      Line 3          mapred.capacity-scheduler.queue.ads.maximum-capacity 80: honoured
      Line 4          mapred.capacity-scheduler.queue.ads.supports-priority true: honoured
      Line 5          mapred.capacity-scheduler.queue.ads.minimum-user-limit-percent 25: honoured
      Line 6          mapred.capacity-scheduler.queue.ads.maximum-initialized-jobs-per-user 1200: honoured
      Line 7          mapred.capacity-scheduler.queue.lab.capacity 33.3334: honoured
      Line 8          mapred.capacity-scheduler.queue.lab.user-limit-factor 3: honoured
      Line 9          mapred.capacity-scheduler.maximum-system-jobs 3000: without effect: only
                      maximum-initialized-jobs-per-user limits how many jobs are set up
      "
    `);
  });

  it("says less where there is less to say, and names only some of many queues", () => {
    expect(report({ "queue.a.capacity": 100, "queue.a.user-limit-factor": 2 })).not.toMatch(
      /single user|minimum is below/,
    );
    const many = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`queue.q${String(i)}.capacity`, 12.5]));
    const text = report({ ...many, "queue.q7.user-limit-factor": 2 });
    expect(text.replace(/\s+/g, " ")).toContain("A single user of q0, q1, q2, q3, q4 and 2 more gets no more");
    for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
  });
});
