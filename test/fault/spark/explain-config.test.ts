import { afterAll, beforeAll, expect, it } from "vitest";
import { Place } from "../cli/command.js";

let place: Place;
beforeAll(() => {
  place = new Place();
});
afterAll(() => {
  place.remove();
});

const POOLS =
  '<allocations><pool name="etl"><schedulingMode>FAIR</schedulingMode><weight>2</weight></pool></allocations>';

const FILES = {
  "fairscheduler.xml": POOLS,
  "other.xml": '<allocations><pool name="a"><minShare>3</minShare></pool></allocations>',
  "spark-defaults.conf": "spark.locality.wait 1s\nspark.task.resource.gpu.amount 4\n",
  "bad.conf": "spark.task.cpus many\n",
};

it.each(Object.entries(FILES))("bide explain-config of %s", async (name, text) => {
  place.write(name, text);
  expect(await place.bide("explain-config", name)).toMatchSnapshot();
  expect(await place.bide("explain-config", name, "--json")).toMatchSnapshot();
});
