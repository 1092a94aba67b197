/** No point of a sweep meets its goal; what came nearest has been told. */
export class GoalNotMet extends Error {
  override readonly name = "GoalNotMet";
}
