import { findFault, judge } from "../_shared/question.js";

export function derive(traits) {
  return judge(traits, { right: "You predicted it.", wrong: "It turns out otherwise." });
}

export function validate(traits) {
  return findFault(traits);
}
