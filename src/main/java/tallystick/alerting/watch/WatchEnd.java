package tallystick.alerting.watch;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.commons.math3.distribution.GammaDistribution;
import tallystick.alerting.backtest.AlertScore;
import tallystick.alerting.backtest.Episode;
import tallystick.analysis.result.Strength;
import tallystick.answer.Answer;
import tallystick.answer.AnswerStatus;
import tallystick.answer.Block;
import tallystick.answer.Tone;
import tallystick.answer.words.Numbers;
import tallystick.answer.words.PercentText;
import tallystick.scenario.Counted;
import tallystick.scenario.LengthOfTime;

/** What came of holding rules against a Prometheus. */
sealed interface WatchEnd {
  /** Who is woken for nothing more often stops looking. */
  double MOST_FALSE_PER_DAY = 1;

  double PRIOR = 0.5; // half a false alarm: nothing is known beforehand (Jeffreys' prior)
  double DAY = 86_400; // seconds
  int MOST_DAYS = 60; // nobody waits longer for an answer
  double STEP_DAYS = 0.5; // a price is told to half a day
  String STUDY = "./tally study SCENARIO  # with requests like these";

  /** Says it: the verdict, its strength, and why. */
  AnswerStatus say(Answer.Builder answer);

  /** How sure it is. */
  Strength strength();

  /** The word for programs. */
  default String word() {
    return getClass().getSimpleName().replaceAll("(?<=.)([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }

  /** The alerts it is about; empty for all alike. */
  default List<String> accused() {
    return List.of();
  }

  /** What to type next: the whole account, and what else helps. */
  default List<String> next(String whole) {
    return List.of(whole);
  }

  /** The signal of a threshold is where the study never saw it while users were well. */
  record Stale(Envelope envelope, Traffic traffic) implements WatchEnd {
    @Override
    public Strength strength() {
      return Strength.of(envelope.latest().outside());
    }

    @Override
    public List<String> accused() {
      return List.of(envelope.alert());
    }

    @Override
    public List<String> next(String whole) {
      return List.of(STUDY, whole);
    }

    @Override
    public AnswerStatus say(Answer.Builder answer) {
      Envelope.Day since = envelope.latest();
      String most = Numbers.threshold(envelope.most());
      String exceeded = PercentText.plain(since.aboveThreshold());
      answer.say(
          Tone.BAD, "STALE",
          envelope.alert() + " no longer fits since " + WatchText.day(since.day()) + ": "
              + envelope.signal() + " was above " + most + " in " + PercentText.plain(since.above())
              + " of healthy time" + WatchText.sure(strength()));
      answer.say(
          Tone.PLAIN, "",
          "it never was in the study's "
              + Counted.of(envelope.studyWindows(), "healthy window", "healthy windows")
              + "; up to " + PercentText.plain(envelope.allowed()) + " is normal");
      answer.say(Tone.PLAIN, "WHY", why(since.day()));
      answer.say(
          Tone.PLAIN, "",
          "its threshold " + Numbers.threshold(envelope.threshold())
              + (since.aboveThreshold() > 0
                  ? " was exceeded in " + exceeded + " of healthy time"
                  : " has not been exceeded in healthy time yet"),
          2);
      return AnswerStatus.FAILS;
    }

    private String why(String day) {
      Optional<Traffic.Day> before = traffic.together(day, false);
      Optional<Traffic.Day> now = traffic.together(day, true);
      if (traffic.days().isEmpty()) {
        return "unknown: this engine does not report request lengths";
      }
      if (before.isEmpty() || now.isEmpty()) {
        return "unknown: the range begins with the change; use a longer --range";
      }
      String changes = WatchText.changes(before.get(), now.get());
      return changes.isEmpty()
          ? "traffic did not change (prompts, answers, peak rate): check the engine's version and"
              + " settings"
          : "traffic changed on " + WatchText.day(day) + ": " + changes;
    }
  }

  /** Alerts fired although users were well. */
  record FalseAlarms(List<WatchedFirings> wrong) implements WatchEnd {
    @Override
    public List<String> accused() {
      return wrong.stream().map(WatchedFirings::alert).toList();
    }

    @Override
    public List<String> next(String whole) {
      return List.of(whole, STUDY);
    }

    private List<WatchedFirings.Time> times() {
      return wrong.stream().flatMap(one -> one.of(WatchedFirings.Kind.FALSE).stream()).toList();
    }

    @Override
    public Strength strength() {
      return Strength.of(
          times().stream().mapToDouble(WatchedFirings.Time::wellProbability).max().orElse(0));
    }

    @Override
    public AnswerStatus say(Answer.Builder answer) {
      answer.say(
          Tone.BAD, "FALSE",
          Counted.of(times().size(), "false alarm", "false alarms") + " while users were well"
              + WatchText.sure(strength()));
      answer.say(
          Tone.PLAIN, "", wrong.stream().map(WatchText::falseAlarms).toList(), 1, 3,
          new Block.Rest("and %d more alert", "and %d more alerts"));
      return AnswerStatus.FAILS;
    }
  }

  /** Users suffered, and nothing fired. */
  record Missed(List<Episode> missed, long windowMillis) implements WatchEnd {
    private static final int SURE_WINDOWS = 3; // two in a row can be chance

    @Override
    public Strength strength() {
      return missed.stream().anyMatch(one -> one.windows(windowMillis) >= SURE_WINDOWS)
          ? Strength.SURE
          : Strength.LIKELY;
    }

    @Override
    public AnswerStatus say(Answer.Builder answer) {
      String times =
          missed.stream()
              .limit(WatchText.MOST_TIMES)
              .map(one -> WatchText.stretch(one.onsetMillis() - windowMillis, seconds(one)))
              .collect(Collectors.joining(", "));
      answer.say(
          Tone.BAD, "MISSED",
          "users suffered " + Counted.of(missed.size(), "time", "times") + " and no alert fired"
              + WatchText.sure(strength()) + ": " + times);
      return AnswerStatus.FAILS;
    }

    private double seconds(Episode one) {
      return one.windows(windowMillis) * windowMillis / 1e3;
    }
  }

  /**
   * Thresholds still fit and no alert fired without cause; or there is too little to be sure.
   *
   * @param inside how probable it is that signals are where the study saw them; 1 without any
   * @param signals how many were looked at
   * @param coarse whether the buckets leave open whether they are
   * @param healthySeconds in which alerts had to be silent
   * @param blind alerts that find no series here
   * @param moreDays so many more days would make it sure; 0 if it is, infinite if none would
   */
  record Holds(
      double inside, int signals, boolean coarse, double healthySeconds, List<String> blind,
      double moreDays)
      implements WatchEnd {
    static Holds of(
        List<Envelope> envelopes, double askedSeconds, double healthySeconds, List<String> blind) {
      double asked = Math.max(healthySeconds, askedSeconds);
      double more = 0;
      while (more <= MOST_DAYS
          && strength(envelopes, healthySeconds, 1 + more * DAY / asked) != Strength.SURE) {
        more += STEP_DAYS;
      }
      return new Holds(
          inside(envelopes, 1), envelopes.size(),
          envelopes.stream().anyMatch(Envelope::isTooCoarse), healthySeconds, blind,
          more > MOST_DAYS ? Double.POSITIVE_INFINITY : more);
    }

    /** How sure it would be, had the range been so many times as long. */
    private static Strength strength(List<Envelope> envelopes, double healthy, double times) {
      return Strength.of(Math.min(inside(envelopes, times), quiet(times * healthy)));
    }

    /** The least probable signal, had the range been so many times as long. */
    private static double inside(List<Envelope> envelopes, double times) {
      double outside = 0;
      for (Envelope one : envelopes) {
        Envelope.Day whole = one.whole();
        double above = whole.above() + whole.unclear();
        outside = Math.max(outside, Users.exceeds(above, times * whole.hours(), one.allowed()));
      }
      return 1 - outside;
    }

    /** How probable it is that alerts fire falsely less than once a day, as none did. */
    private static double quiet(double healthySeconds) {
      return new GammaDistribution(null, PRIOR, 1)
          .cumulativeProbability(MOST_FALSE_PER_DAY * healthySeconds / DAY);
    }

    @Override
    public Strength strength() {
      return Strength.of(Math.min(inside, quiet(healthySeconds)));
    }

    @Override
    public AnswerStatus say(Answer.Builder answer) {
      boolean isOpen = strength() == Strength.TOO_CLOSE;
      String stays =
          signals == 1
              ? "the signal is still in the range that the study saw in healthy time; "
              : signals + " signals are still in the range that the study saw in healthy time; ";
      answer.say(
          isOpen ? Tone.CAUTION : Tone.GOOD, isOpen ? "TOO CLOSE" : "HOLDS",
          (signals == 0 || coarse ? "" : stays) + "no false alarm in "
              + LengthOfTime.words(healthySeconds)
              + " of healthy time away from bad stretches (at most "
              + Numbers.number(AlertScore.mostPerDay(0, healthySeconds)) + " a day)"
              + (isOpen ? "" : WatchText.sure(strength())));
      if (strength() != Strength.SURE) {
        answer.say(Tone.PLAIN, "", price());
      }
      if (!blind.isEmpty()) {
        answer.say(
            Tone.CAUTION, "",
            "does not cover alerts whose series are missing: " + String.join(", ", blind));
      }
      return isOpen ? AnswerStatus.TOO_CLOSE : AnswerStatus.GOOD;
    }

    private String price() {
      if (coarse) {
        return "histogram buckets are too coarse to place the signals: more days will not settle"
            + " it, finer buckets would";
      }
      String why =
          inside < quiet(healthySeconds)
              ? "a signal is close to the most that the study saw; "
              : "too little healthy time to rule out one false alarm a day; ";
      if (Double.isInfinite(moreDays)) {
        return why + "more days will not settle it: run a new study";
      }
      String more =
          moreDays < 1
              ? LengthOfTime.words(moreDays * DAY) + " more"
              : Numbers.threshold(moreDays) + (moreDays == 1 ? " more day" : " more days");
      return why + more + " like these would make it sure";
    }
  }

  /** Nothing can be said. */
  record TooLittle(String why) implements WatchEnd {
    @Override
    public Strength strength() {
      return Strength.TOO_CLOSE;
    }

    @Override
    public AnswerStatus say(Answer.Builder answer) {
      answer.say(Tone.CAUTION, "CANNOT TELL", why);
      return AnswerStatus.TOO_CLOSE;
    }
  }
}
