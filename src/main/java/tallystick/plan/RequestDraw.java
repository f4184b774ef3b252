package tallystick.plan;

import java.util.ArrayList;
import java.util.List;
import tallystick.scenario.Workload.RequestClass;

/** Draws what requests are, apart from when they start. Each choice has a stream of its own. */
final class RequestDraw {
  private final WeightedChoice<ClassDraw> classes;
  private final RandomStream classChoice;

  /**
   * Opens the streams of one part.
   *
   * @param part whose streams they are
   */
  RequestDraw(List<RequestClass> classes, long seed, PlanPart part) {
    List<ClassDraw> draws = new ArrayList<>();
    for (RequestClass kind : classes) {
      draws.add(new ClassDraw(kind, draws.size(), seed, part));
    }
    this.classes = new WeightedChoice<>(draws, ClassDraw::weight);
    this.classChoice = RandomStream.of(seed, part.word() + "/class");
  }

  Draft next() {
    return classes.next(classChoice).next();
  }
}
