package tallystick.experiment.capacity;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tallystick.experiment.JournalEntry;
import tallystick.experiment.RateFormat;
import tallystick.experiment.capacity.Probe.Purpose;

/** The finished probes' part in planning the next one: its number, its length, what is left. */
final class ProbePlans {
  /** Enough where answers are short; with 30 s intervals of half an hour were wider. */
  private static final double SETTLE_SECONDS = 15;

  /** Tells far too high a rate from far too low a one; a queue near the limit grows for minutes. */
  private static final double BRACKET_SECONDS = 30;

  /** All users begin at once: by then prompts and answers are mixed where answers are short. */
  private static final double BURST_SETTLE_SECONDS = 5;

  /** Some hundred answers of a usual engine: their number is off by some per cent. */
  private static final double BURST_SECONDS = 15;

  /** Longer runs made intervals of half an hour wider, because they are fewer. */
  private static final double NEAR_SECONDS = 150;

  /** Of 150 s two fit into 8 minutes; where both lie on one side an interval is 68 % wide. */
  private static final double NEAR_SECONDS_IN_HASTE = 85;

  /** From a quarter of an hour on four runs of 150 s fit: enough for both sides. */
  private static final double HASTE_SECONDS = 900;

  /** Half an hour, the usual budget: nobody waits longer for one probe. */
  private static final double MOST_SECONDS = 1800;

  /** Bad requests of a run at the limit: of 3 one run in 20 has none, by Poisson; of 1.5 in 5. */
  private static final double BAD_OF_A_SHORT_RUN = 3;

  /** Twice as many where runs are compared: counting alone then moves their number by 40 %. */
  private static final double BAD_OF_A_LONG_RUN = 6;

  private final CapacityQuestion question;
  private final List<ProbeResult> done;

  ProbePlans(CapacityQuestion question, List<ProbeResult> done) {
    this.question = question;
    this.done = new ArrayList<>(done);
  }

  Probe probe(Purpose purpose, double perSecond) {
    double rate = RateFormat.rounded(perSecond);
    double bad = 1 - question.share();
    boolean isShort = purpose == Purpose.BRACKET;
    double requests = (isShort ? BAD_OF_A_SHORT_RUN : BAD_OF_A_LONG_RUN) / bad;
    double measured =
        Math.min(MOST_SECONDS,
            Math.max(isShort ? BRACKET_SECONDS : nearSeconds(), Math.ceil(requests / rate)));
    double rest = leftSeconds() - settleSeconds() - 2 * overheadSeconds();
    if (!isShort && rest >= measured && rest < 2 * measured) {
      // What is left is too short for one more probe after this one.
      measured = Math.floor(rest);
    }
    return new Probe(
        number(), purpose, rate, isShort ? settleSeconds() / 2 : settleSeconds(), measured,
        seed());
  }

  /** A closed loop that keeps the engine full. */
  Probe burst() {
    return new Probe(
        number(), Purpose.CEILING, 0, question.users(), BURST_SETTLE_SECONDS, BURST_SECONDS,
        seed());
  }

  Probe again(Probe probe) {
    return new Probe(
        number(), probe.purpose(), probe.perSecond(), probe.users(), probe.settleSeconds(),
        probe.measuredSeconds(), seed());
  }

  /** As long as requests and conversations take to fill an engine where the objective held. */
  private double settleSeconds() {
    double longest =
        done.stream()
            .filter(one -> one.isTrusted() && one.holds(question.share()))
            .mapToDouble(one -> one.load().settlingSeconds())
            .max()
            .orElse(0);
    return Math.ceil(Math.max(SETTLE_SECONDS, Math.min(MOST_SECONDS, longest)));
  }

  /** The rate to begin with: a closed loop tells more than a scenario does. */
  double first() {
    double told = Ceiling.begin(done);
    return Math.min(
        highest(), question.isFirstAsked() || told == 0 ? question.firstPerSecond() : told);
  }

  /** No larger one is tried. */
  double highest() {
    return ceiling().map(Ceiling::bound).orElse(Double.POSITIVE_INFINITY);
  }

  private Optional<Ceiling> ceiling() {
    return Ceiling.of(done, question.share());
  }

  /** No larger one is said to hold: the ceiling itself, where no rate above it did. */
  double mostSaid(double held) {
    return ceiling().map(Ceiling::perSecond).filter(most -> most > held).orElse(highest());
  }

  private int number() {
    return done.size() + 1;
  }

  private long seed() {
    return RateFormat.seed(question.seed(), number());
  }

  private double nearSeconds() {
    return question.budgetSeconds() < HASTE_SECONDS ? NEAR_SECONDS_IN_HASTE : NEAR_SECONDS;
  }

  double costSeconds(Probe probe) {
    return probe.loadSeconds() + overheadSeconds();
  }

  private double overheadSeconds() {
    return done.stream()
        .filter(one -> one.holds(question.share()))
        .mapToDouble(one -> one.elapsedSeconds() - one.probe().loadSeconds())
        .max()
        .orElse(question.overheadSeconds());
  }

  double usualCostSeconds() {
    return settleSeconds() + nearSeconds() + overheadSeconds();
  }

  double leftSeconds() {
    return question.budgetSeconds() - JournalEntry.elapsedSeconds(done);
  }

  /** How many more long probes there is time for. */
  double probesLeft() {
    return Math.floor(leftSeconds() / usualCostSeconds());
  }
}
