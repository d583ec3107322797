import { findFault, judge } from "../_shared/question.js";

export function derive(traits) {
  return judge(traits, { right: "Right.", wrong: "No." });
}

export function validate(traits) {
  return findFault(traits);
}
