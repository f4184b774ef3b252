package tallystick.experiment.capacity;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import tallystick.analysis.result.Strength;
import tallystick.answer.AnswerStatus;
import tallystick.answer.Invocation;
import tallystick.answer.words.Numbers;
import tallystick.experiment.Budget;
import tallystick.experiment.RateFormat;

/** How a search for the capacity ends. Each way to end makes its own statement. */
sealed interface CapacityAnswer {

  /** What this end says beside what all of them say. */
  Statement statement(Asked asked, Invocation typed);

  /** Rates between which the capacity lies. */
  default RateInterval interval() {
    return RateInterval.UNBOUNDED;
  }

  /** Whether {@link #interval} is one of all runs; else single runs showed it. */
  default boolean isProven() {
    return false;
  }

  /** The rate that one replica is proven to carry; empty where none is. */
  default OptionalDouble provenPerSecond() {
    return OptionalDouble.empty();
  }

  /** The one rate that is likely, which lies above what is certain; empty where none is. */
  default OptionalDouble likelyPerSecond() {
    return interval().middle();
  }

  /**
   * A statement.
   *
   * @param ending what programs know it by
   * @param verdict its sentence
   * @param next what to type or to do, one line for each
   * @param figures its part of {@code capacity.json}
   */
  record Statement(Ending ending, String verdict, List<String> next, EndFigures figures) {}

  /** A way to end in {@code capacity.json}, and what it comes to. */
  enum Ending {
    @JsonProperty("certified")
    CERTIFIED(AnswerStatus.GOOD, "CARRIES", Strength.SURE),
    @JsonProperty("carries")
    CARRIES(AnswerStatus.GOOD, "CARRIES", Strength.LIKELY),
    @JsonProperty("too_close")
    TOO_CLOSE(AnswerStatus.TOO_CLOSE, "TOO CLOSE", Strength.TOO_CLOSE),
    @JsonProperty("never_held")
    NEVER_HELD(AnswerStatus.FAILS, "VERDICT", null),
    @JsonProperty("not_trusted")
    NOT_TRUSTED(AnswerStatus.NOT_TRUSTED, "INVALID", null),
    @JsonProperty("budget_too_small")
    BUDGET_TOO_SMALL(AnswerStatus.MISTAKE, "VERDICT", null);

    private final AnswerStatus outcome;
    private final String word;
    private final Strength strength;

    Ending(AnswerStatus outcome, String word, Strength strength) {
      this.outcome = outcome;
      this.word = word;
      this.strength = strength;
    }

    /** The word before its sentence. */
    String word() {
      return word;
    }

    /** How sure a rate is; empty where none is told. */
    Optional<Strength> strength() {
      return Optional.ofNullable(strength);
    }

    AnswerStatus outcome() {
      return outcome;
    }
  }

  /** Figures that one way to end has and others have not. */
  sealed interface EndFigures {}

  /**
   * What was asked, as sentences name it.
   *
   * @param objective what a rate had to hold
   * @param things what it judges: {@code requests} or {@code sessions}
   * @param unit what a rate counts
   * @param requestsPerSession requests of a session; 0 where the unit is of requests
   * @param isSized whether a fleet is asked for
   * @param elapsedSeconds time of all probes
   */
  record Asked(
      String objective, String things, String unit, double requestsPerSession, boolean isSized,
      double elapsedSeconds) {
    private String rate(double perSecond) {
      String requests =
          requestsPerSession > 0
              ? " = " + RateFormat.text(perSecond * requestsPerSession) + " requests/s"
              : "";
      return RateFormat.text(perSecond) + " " + unit + requests;
    }

    /** A budget with that much more, in whole minutes. */
    private long minutes(double moreSeconds) {
      return (long) Math.ceil((elapsedSeconds + moreSeconds) / 60);
    }
  }

  /**
   * Each of three fresh runs held at a rate that the curve through all runs holds for likely, too.
   *
   * @param perSecond the rate
   */
  record Certified(double perSecond, RateInterval interval) implements CapacityAnswer {
    /**
     * In {@code capacity.json}.
     *
     * @param certifiedPerSecond rate at which fresh runs held
     */
    record Figures(double certifiedPerSecond, @JsonUnwrapped RateInterval.Figures interval)
        implements EndFigures {}

    @Override
    public Statement statement(Asked asked, Invocation typed) {
      return new Statement(
          Ending.CERTIFIED,
          asked.rate(perSecond) + " (sure: three fresh runs held it; the most it carries is likely "
              + interval.likely() + "): " + asked.objective,
          asked.isSized
              ? List.of(
                  interval.ratio() > RateInterval.WIDEST
                      ? "Repeat with a larger --budget, or none, to narrow the interval."
                      : "./tally study SCENARIO  # thresholds that warn before users suffer")
              : List.of(
                  "Replicas and cost for a peak, without load:",
                  typed.resume() + " --peak RATE --price PER_HOUR"),
          new Figures(perSecond, interval.figures(true)));
    }

    @Override
    public boolean isProven() {
      return true;
    }

    @Override
    public OptionalDouble provenPerSecond() {
      return OptionalDouble.of(perSecond);
    }

    @Override
    public OptionalDouble likelyPerSecond() {
      return OptionalDouble.of(interval.middle().orElse(perSecond));
    }
  }

  /**
   * The curve through all probes tells a rate.
   *
   * @param perSecond the rate that is likeliest to be the largest one that holds
   * @param interval of the curve
   * @param neededSeconds about how much more time three fresh runs take
   * @param brokePerSecond least rate at which a fresh run broke a limit; empty where none did
   */
  record Carries(
      double perSecond, RateInterval interval, double neededSeconds, OptionalDouble brokePerSecond)
      implements CapacityAnswer {
    /**
     * In {@code capacity.json}.
     *
     * @param likelyPerSecond the largest rate that holds, most likely
     * @param neededSeconds about how much more time a certified rate takes
     */
    record Figures(
        double likelyPerSecond, @JsonUnwrapped RateInterval.Figures interval,
        double neededSeconds)
        implements EndFigures {}

    @Override
    public Statement statement(Asked asked, Invocation typed) {
      return new Statement(
          Ending.CARRIES,
          asked.rate(perSecond) + " (likely " + interval.likely() + broke() + "): "
              + asked.objective,
          List.of(
              "Three fresh runs prove a slightly lower rate, in about "
                  + Budget.minutes(neededSeconds) + " min more:",
              typed.resume() + " --budget " + asked.minutes(neededSeconds) + "m"),
          new Figures(perSecond, interval.figures(true), neededSeconds));
    }

    private String broke() {
      return brokePerSecond.isPresent()
          ? "; a fresh run at " + RateFormat.text(brokePerSecond.getAsDouble()) + " did not hold"
          : "";
    }

    @Override
    public boolean isProven() {
      return true;
    }

    @Override
    public OptionalDouble provenPerSecond() {
      double below = brokePerSecond.orElse(Double.MAX_VALUE) / RateInterval.A_LITTLE;
      return OptionalDouble.of(Math.min(interval.low(), below));
    }

    @Override
    public OptionalDouble likelyPerSecond() {
      return OptionalDouble.of(perSecond);
    }
  }

  /**
   * No rate held, or none failed: nothing brackets the largest one that holds.
   *
   * @param interval open at one end or at both
   * @param neededSeconds about how much more time a certified rate takes
   */
  record TooClose(RateInterval interval, double neededSeconds) implements CapacityAnswer {
    /**
     * In {@code capacity.json}.
     *
     * @param neededSeconds about how much more time a certified rate takes
     */
    record Figures(@JsonUnwrapped RateInterval.Figures interval, double neededSeconds)
        implements EndFigures {}

    @Override
    public Statement statement(Asked asked, Invocation typed) {
      return new Statement(
          Ending.TOO_CLOSE,
          (interval.equals(RateInterval.UNBOUNDED)
                  ? "no run says anything about " + asked.objective
                  : "the largest rate that holds " + asked.objective + " is probably "
                      + interval.words(asked.unit) + ", from single runs, which differ by chance")
              + "; proving a rate takes about " + Budget.minutes(neededSeconds) + " min more",
          List.of(typed.resume() + " --budget " + asked.minutes(neededSeconds) + "m"),
          new Figures(interval.figures(false), neededSeconds));
    }
  }

  /**
   * No rate that was tried failed.
   *
   * @param perSecond largest rate that held
   * @param why no larger one was tried
   */
  record LowerBoundOnly(double perSecond, String why) implements CapacityAnswer {
    /**
     * In {@code capacity.json}.
     *
     * @param heldPerSecond largest rate that held, in one run
     * @param reason why no larger one was tried, or why the probes cannot be used
     */
    record Figures(double heldPerSecond, String reason) implements EndFigures {}

    @Override
    public Statement statement(Asked asked, Invocation typed) {
      return new Statement(
          Ending.TOO_CLOSE,
          asked.rate(perSecond) + " held " + asked.objective + " in one run; "
              + why,
          List.of("Use a client with more cores, or a scenario whose requests cost the engine"
              + " more."),
          new Figures(perSecond, why));
    }
  }

  /**
   * Requests, or sessions, that hardly met one another broke the limits.
   *
   * @param perSecond the rate they came at
   * @param goodShare share of them that kept every limit
   */
  record InfeasibleAtLowLoad(double perSecond, double goodShare) implements CapacityAnswer {
    /**
     * In {@code capacity.json}.
     *
     * @param failedPerSecond rate at which requests hardly met and the objective failed
     * @param goodShare share of them that kept every limit
     */
    record Figures(double failedPerSecond, double goodShare) implements EndFigures {}

    @Override
    public Statement statement(Asked asked, Invocation typed) {
      return new Statement(
          Ending.NEVER_HELD,
          "no rate holds " + asked.objective + ": at " + RateFormat.text(perSecond)
              + " " + asked.unit + ", where " + asked.things + " hardly overlap, only "
              + Numbers.percent(goodShare) + " of them are good",
          List.of(
              "No rate is low enough: loosen the limit that broke, shorten the requests or speed"
                  + " the engine up."),
          new Figures(perSecond, goodShare));
    }
  }

  /** Probes whose figures cannot be used, and why. */
  record Untrusted(String why) implements CapacityAnswer {
    /**
     * In {@code capacity.json}.
     *
     * @param reason why no larger one was tried, or why the probes cannot be used
     */
    record Figures(String reason) implements EndFigures {}

    @Override
    public Statement statement(Asked asked, Invocation typed) {
      return new Statement(
          Ending.NOT_TRUSTED,
          "the last probes cannot be used: " + why,
          List.of(
              "Before you resume, fix what tally report says is wrong with the newest folder in "
                  + typed.in("probes") + ".",
              typed.resume()),
          new Figures(why));
    }
  }

  /** Less time was given than the first probe takes. */
  record BudgetTooSmall(double leastSeconds) implements CapacityAnswer {
    /**
     * In {@code capacity.json}.
     *
     * @param leastSeconds what the first probe takes
     */
    record Figures(double leastSeconds) implements EndFigures {}

    @Override
    public Statement statement(Asked asked, Invocation typed) {
      long seconds = (long) Math.ceil(leastSeconds);
      return new Statement(
          Ending.BUDGET_TOO_SMALL,
          "the budget is too small for one probe: it needs at least " + seconds + " s",
          List.of(typed.again("--budget", "--resume") + " --budget " + seconds + "s"),
          new Figures(leastSeconds));
    }
  }
}
