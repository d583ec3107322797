import { questionLab } from "../_shared/question_view.js";
import { derive, validate } from "./math.js";

export default questionLab({ name: "Quiz", title: "Quiz", derive, validate });
