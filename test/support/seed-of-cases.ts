import fc from "fast-check";
import { SEED_OF_CASES } from "./search.js";

/*
 * Set-up of all tests: properties try the same random cases every time, so that whether a change passes does not hang
 * on chance. Every night BIDE_SEED has them try others. A property that names a seed of its own keeps it.
 */

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED_OF_CASES });
