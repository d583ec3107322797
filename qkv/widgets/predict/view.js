import { questionLab } from "../_shared/question_view.js";
import { derive, validate } from "./math.js";

export default questionLab({ name: "Predict", title: "Predict before you run", derive, validate });
