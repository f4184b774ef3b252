package tallystick.analysis;

import java.util.List;
import tallystick.runrecord.RequestRow;
import tallystick.scenario.Objective;

/** Every objective, judged from the intended start and, to see what lateness does, the actual. */
record ObjectiveJudges(List<ObjectiveJudge> intended, List<ObjectiveJudge> started) {

  static ObjectiveJudges of(List<Objective> objectives) {
    return new ObjectiveJudges(judges(objectives, true), judges(objectives, false));
  }

  void read(RequestRow row) {
    intended.forEach(judge -> judge.read(row));
    started.forEach(judge -> judge.read(row));
  }

  List<RunAnalysis.ObjectiveResult> fromIntended() {
    return intended.stream().map(ObjectiveJudge::result).toList();
  }

  List<RunAnalysis.ObjectiveResult> fromStart() {
    return started.stream().map(ObjectiveJudge::result).toList();
  }

  private static List<ObjectiveJudge> judges(List<Objective> objectives, boolean fromIntended) {
    return objectives.stream()
        .map(objective -> new ObjectiveJudge(objective, fromIntended))
        .toList();
  }
}
