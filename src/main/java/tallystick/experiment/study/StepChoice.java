package tallystick.experiment.study;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import tallystick.alerting.derivation.Requirement;
import tallystick.experiment.RateFormat;
import tallystick.experiment.study.StudyResult.StepReading;
import tallystick.experiment.study.StudyStep.Kind;

/**
 * The steps of the next run: below, around and above the knee, as far as each is missing.
 *
 * @param scouted capacity for the mix as short runs found it
 * @param window length of a window in seconds
 * @param ofMix finished runs of the mix
 * @param standings how each threshold stands
 */
record StepChoice(
    double scouted, int window, List<StudyResult> ofMix, List<ThresholdProgress> standings) {
  /** Windows of a run with every kind of step. */
  static final int WINDOWS = 9;

  /** Half the capacity: no queue, and still requests enough in a window. */
  private static final double REFERENCE = 0.5;

  /** At 0.4 a queue of an overload drains at 0.6 of the capacity: within two windows. */
  private static final double DRAIN = 0.4;

  /** Below the knee the objective is kept with room: M/M/1 waits 3 services at 0.75. */
  private static final double BELOW = 0.75;

  /** Where requests begin to wait and the objective still holds. */
  private static final double KNEE = 0.95;

  /** A quarter above capacity the queue surely grows within a window. */
  private static final double OVER = 1.25;

  /** Requests of the quietest step in one window: twice the median that a derivation needs. */
  private static final double REQUESTS = 200;

  /** Two scrapes of the usual 15 s: a rate needs them. */
  private static final int SHORTEST_WINDOW = 30;
  private static final int LONGEST_WINDOW = 300; // The alerts' own longest short window is 5 min
  private static final int ROUND = 5; // So that windows are round

  /** A queue that lasts longer than this belongs to an engine that has stopped to keep up. */
  private static final int MOST_DRAIN_WINDOWS = 4;

  /** Rates are means over the end of a step: a drain that seems to be half done may be done. */
  private static final double DRAINED = 0.5;

  /** An overload of a longer window lasts one window: its queue must drain in the next. */
  private static final int LONG_WINDOW = 60;

  /** Long enough for the quietest step at a capacity. */
  static int windowSeconds(double capacity) {
    double wanted = REQUESTS / (DRAIN * capacity);
    int rounded = (int) Math.ceil(wanted / ROUND) * ROUND;
    return Math.max(SHORTEST_WINDOW, Math.min(LONGEST_WINDOW, rounded));
  }

  private record Wish(Kind kind, double perSecond, double seconds) {}

  StudyRun run(int number, String mix, long seed) {
    double capacity = capacity();
    List<List<Wish>> blocks = new ArrayList<>(suffering(capacity));
    if (!wantsSuffering()) {
      blocks.add(List.of(new Wish(Kind.BELOW, capacity * belowFactor(), window)));
    }
    if (wants(Requirement.MET_WINDOWS, Requirement.MET_STEPS)) {
      blocks.add(List.of(new Wish(Kind.BELOW, capacity * belowFactor() * 0.8, 2 * window)));
    }
    Collections.shuffle(blocks, new Random(seed));
    if (ofMix.stream().noneMatch(result -> result.first(Kind.OVER).isPresent())) {
      // How long its queue lasts nobody knows: nothing comes behind it.
      blocks.sort(Comparator.comparing(block -> block.getFirst().kind() == Kind.OVER));
    }
    List<Wish> wishes = new ArrayList<>();
    wishes.add(new Wish(Kind.REFERENCE, scouted * REFERENCE, 2 * window));
    blocks.forEach(wishes::addAll);
    List<StudyStep> steps = new ArrayList<>();
    for (Wish wish : wishes) {
      steps.add(
          new StudyStep(
              steps.size() + 1, wish.kind(), RateFormat.rounded(wish.perSecond()), wish.seconds()));
    }
    return new StudyRun(number, mix, window, steps, seed);
  }

  /** Each overload is followed by the end of its queue, in which fewer and fewer suffer. */
  private List<List<Wish>> suffering(double capacity) {
    Wish drain = new Wish(Kind.DRAIN, capacity * DRAIN, window);
    Wish longDrain = new Wish(Kind.DRAIN, capacity * DRAIN, (double) window * drainWindows());
    double over = window <= LONG_WINDOW ? 2.0 * window : window;
    return List.of(
        List.of(new Wish(Kind.KNEE, capacity * kneeFactor(), 2 * window), drain),
        List.of(new Wish(Kind.OVER, capacity * OVER, over), longDrain));
  }

  /** As long as the queues of this mix needed that earlier drains did not see the end of. */
  private int drainWindows() {
    double windows = 1;
    for (StudyResult result : ofMix) {
      double drained = drainedShare(result);
      windows = drained < DRAINED ? windows / Math.max(drained, 0.01) : windows;
    }
    return (int) Math.min(MOST_DRAIN_WINDOWS, Math.ceil(windows));
  }

  /** Which share of its queue an overload's drain completed; 1 where there was no queue. */
  private static double drainedShare(StudyResult result) {
    List<StepReading> readings = result.readings();
    for (int i = 0; i + 1 < readings.size(); i++) {
      if (readings.get(i).step().kind() == Kind.OVER && readings.get(i).drowned()) {
        return -queued(readings.get(i + 1)) / queued(readings.get(i));
      }
    }
    return 1;
  }

  /** By how many requests the queue grew in a step. */
  private static double queued(StepReading reading) {
    return (reading.step().perSecond() - reading.completedPerSecond()) * reading.step().seconds();
  }

  private boolean wantsSuffering() {
    return wants(
            Requirement.VIOLATED_WINDOWS, Requirement.VIOLATED_STEPS, Requirement.MILD_SUFFERING)
        && !wants(Requirement.MET_WINDOWS, Requirement.MET_STEPS);
  }

  /** One objective at a time: what another lacks would hide what this one has too much of. */
  private boolean wants(Requirement... needs) {
    List<ThresholdProgress> open = standings.stream().filter(ThresholdProgress::isOpen).toList();
    return open.stream()
        .filter(standing -> standing.objective() == open.getFirst().objective())
        .anyMatch(standing -> Stream.of(needs).anyMatch(standing::lacks));
  }

  /** The engine as the latest overload met it. */
  private double capacity() {
    double capacity = scouted;
    for (StepReading over : ofMix.stream().flatMap(one -> one.first(Kind.OVER).stream()).toList()) {
      if (over.drowned()) {
        capacity = over.completedPerSecond();
      } else if (over.goodShare() > 0.5) {
        capacity = Math.max(capacity, over.step().perSecond());
      }
    }
    return capacity;
  }

  private double belowFactor() {
    long failed =
        ofMix.stream()
            .flatMap(result -> result.first(Kind.BELOW).stream())
            .filter(reading -> !reading.held())
            .count();
    return BELOW * Math.pow(0.85, Math.min(4, failed));
  }

  /** The knee lies a little higher where all were well, lower where many suffered. */
  private double kneeFactor() {
    double factor = KNEE;
    for (StepReading knee : ofMix.stream().flatMap(one -> one.first(Kind.KNEE).stream()).toList()) {
      if (knee.goodShare() > 0.985) {
        factor += 0.02;
      } else if (knee.goodShare() < 0.85) {
        factor -= 0.03;
      }
    }
    return Math.max(0.75, Math.min(1.15, factor));
  }
}
