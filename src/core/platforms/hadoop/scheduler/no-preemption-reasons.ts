import { codesOf, TIMEOUT_REASONS, type WaitReason, type Why } from "../../../record/index.js";

/**
 * Why nothing is taken from others for a pool that asks for more, in the order of the codes: the nearer to a kill, the
 * later.
 */
const REASONS = [
  { key: "off", says: () => "preemption is off" },
  { key: "due", says: () => "it had its min share and its fair share, as far as it asked for them" },
  {
    key: "threshold",
    says: ({ reached, bound }) =>
      `it was below its fair share, but not starved: ${reached ?? 0} slots, starved below ${bound ?? 0}`,
  },
  ...TIMEOUT_REASONS,
  { key: "small", says: () => "what it lacked of its share is less than one slot" },
  { key: "check", says: () => "its timeout was over, and the next check for preemption had not come" },
  { key: "counted", says: () => "slots that it may take are only counted (preemption: log)" },
  { key: "share", says: () => "no pool that it may take from had more than its share" },
  {
    key: "left",
    says: () => "pools had more than their shares, but no attempt that had been reported was left to take",
  },
  { key: "given", says: () => "slots that were taken for the pool around it went to another pool inside that" },
  {
    key: "killed",
    isCount: true,
    says: ({ reached }) =>
      `attempts of others were chosen for it, and are killed unless they end first: ${reached ?? 0}`,
  },
] as const satisfies readonly WaitReason[];

export const HFS_NO_PREEMPTION: readonly WaitReason[] = REASONS;

export type WhyNot = Why<(typeof REASONS)[number]["key"]>;

const CODES = codesOf(REASONS);
export const codeOf = ({ reason }: WhyNot): number => CODES.get(reason) ?? 0;
