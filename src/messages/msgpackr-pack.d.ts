/** The package's own declaration of this entry names a path that does not resolve; what it exports is the same. */
declare module "msgpackr/pack" {
  export { Packr } from "msgpackr";
}
