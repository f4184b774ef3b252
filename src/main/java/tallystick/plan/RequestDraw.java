package tallystick.plan;

import java.util.ArrayList;
import java.util.List;
import tallystick.scenario.Workload.RequestClass;

/** Draws what requests are, apart from when they start. Each choice has a stream of its own. */
final class RequestDraw {
  private final WeightedChoice<ClassDraw> classes;
  private final RandomStream classChoice;

  /**
   * Opens the streams of one window.
   *
   * @param window {@code warmup} or {@code main}
   */
  RequestDraw(List<RequestClass> classes, long seed, String window) {
    List<ClassDraw> draws = new ArrayList<>();
    for (RequestClass kind : classes) {
      draws.add(new ClassDraw(kind, draws.size(), seed, window));
    }
    this.classes = new WeightedChoice<>(draws, ClassDraw::weight);
    this.classChoice = RandomStream.of(seed, window + "/class");
  }

  Draft next() {
    return classes.next(classChoice).next();
  }
}
