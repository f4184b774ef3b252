package tallystick.experiment.capacity;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import tallystick.experiment.BracketingSearch;
import tallystick.experiment.RateFormat;
import tallystick.experiment.capacity.Probe.Purpose;
import tallystick.experiment.capacity.ProbeResult.Trust;

/**
 * Which probe the search for the capacity needs next, or its answer: a function of the finished
 * probes alone, so that a resumed search goes on as if it had never stopped.
 *
 * <p>A closed loop tells what the engine completes at most. Short probes below it bracket the
 * capacity. Long ones near it make a curve of bad requests over the rate, until one more would
 * hardly narrow the curve's interval. A little below its lower end each of three fresh runs must
 * then hold; one that breaks is one more probe of the curve, and the next three come lower.
 */
final class CapacitySearch {
  /** Likely: nine intervals of ten hold the truth; how many did is in docs/metrics.md. */
  static final double CONFIDENCE = 0.9;

  /**
   * Fresh runs of which each must hold: one may be lucky in its bursts. Each more costs a run of
   * 150 s, and the curve through all runs is asked beside them.
   */
  static final int CONFIRMATIONS = 3;

  /**
   * So close rates that held and failed end the short runs. Long ones then begin within the reach
   * of the curve; with twice the gap their first ones lie too far off to count.
   */
  private static final double BRACKETED = 1.25;

  /**
   * Widths fall with the root of the number of long runs: one more than six narrows the interval by
   * 7 % of its width, less than chance moves its ends. Five may agree by chance.
   */
  private static final int ENOUGH_NEAR = 6;

  /**
   * No rate farther below the likely one is confirmed: the runs would all be good, and so would be
   * those at 1.15 times it. Where the interval ends farther below, the fresh runs themselves are
   * what is known. With 1.1 fewer answers of ten minutes were sure, and more of them too high.
   */
  private static final double FAR_BELOW = 1.15;

  /** Doubling and halving reach 65,000 times the first rate in so many; more only loops. */
  private static final int MOST_BRACKETING = 16;

  /** Four hours of long runs. The width falls with the root: twice as many gain three tenths. */
  private static final int MOST_PROBES = 80;

  /**
   * With fewer in flight on average a request is alone in three of four cases, by Poisson: what
   * fails there fails by itself. At twice as many, nearly half of them meet another.
   */
  private static final double LONELY = 0.3;

  /** Two at the first rate, then each at a quarter: the last one lies 64 times lower. */
  private static final int MOST_LATE = 5;

  /** The rate itself and two below it, 16 times lower: then the server is taken to be broken. */
  private static final int MOST_FAILED = 3;

  /** A rate of which nothing can be used may be far too high: halving would waste a probe. */
  private static final double STEP_DOWN = 4;

  /**
   * How much larger than allowed the logarithm of the odds of a bad request is to be, in turn: runs
   * on both sides tell the slope. Farther apart was no better and missed more.
   */
  private static final double[] OFFSETS = {0, 1.5, -1, 0.8, -0.5};

  private final CapacityQuestion question;

  /** What comes next. */
  sealed interface Step {
    /** A probe to play. */
    record Play(Probe probe) implements Step {}

    /** The end. */
    record Conclude(CapacityAnswer answer) implements Step {}
  }

  CapacitySearch(CapacityQuestion question) {
    this.question = question;
  }

  /** The step after these finished probes. */
  Step next(List<ProbeResult> played) {
    List<ProbeResult> all = ProbeResult.judged(played, question.share());
    ProbePlans plans = new ProbePlans(question, all);
    List<ProbeResult> done = all.stream().filter(one -> !one.isBurst()).toList();
    List<ProbeResult> trusted = done.stream().filter(ProbeResult::isTrusted).toList();
    if (played.isEmpty() && question.users() > 0) {
      return withinBudget(play(plans.burst()), trusted, plans);
    }
    if (!done.isEmpty() && !done.getLast().isTrusted()) {
      return afterDoubt(done, trusted, plans);
    }
    if (mayBeDown(played, done)) {
      double held =
          ProbeResult.held(done, question.share()).orElse(Double.POSITIVE_INFINITY);
      return withinBudget(play(plans.probe(Purpose.BRACKET, held)), trusted, plans);
    }
    List<ProbeResult> bracketing = trusted.stream().filter(one -> !isLong(one)).toList();
    BracketingSearch bracket = bracket(bracketing).below(plans.highest());
    Step step = bracket.isWithin(BRACKETED)
        ? near(trusted, bracket, plans)
        : bracketing(bracketing, bracket, plans);
    return withinBudget(step, trusted, plans);
  }

  /** Twice in a row every request failed, as if the load were the matter: does it still work? */
  private static boolean mayBeDown(List<ProbeResult> played, List<ProbeResult> done) {
    List<ProbeResult> latest = played.subList(Math.max(0, played.size() - 2), played.size());
    return latest.size() == 2 && done.getLast().isTrusted()
        && latest.stream().allMatch(one -> one.trust() == Trust.ALL_FAILED);
  }

  private Step afterDoubt(List<ProbeResult> done, List<ProbeResult> trusted, ProbePlans plans) {
    ProbeResult doubtful = done.getLast();
    boolean isRepeated = done.size() > 1 && !done.get(done.size() - 2).isTrusted();
    if (!isRepeated && doubtful.trust() != Trust.ALL_FAILED) {
      return whileInDoubt(plans.again(doubtful.probe()), doubtful, trusted, plans);
    }
    BracketingSearch bracket = bracket(trusted);
    if (doubtful.trust() == Trust.CLIENT_SATURATED && bracket.low() > 0) {
      return new Step.Conclude(
          new CapacityAnswer.LowerBoundOnly(
              bracket.low(), "at " + RateFormat.text(doubtful.probe().perSecond())
                  + "/s the client itself is late: " + doubtful.doubt()));
    }
    double rate = doubtful.probe().perSecond();
    if (doubtful.trust() == Trust.ALL_FAILED && rate <= bracket.low()) {
      return new Step.Conclude(
          new CapacityAnswer.Untrusted(
              "the server carried " + RateFormat.text(bracket.low()) + "/s before, and now every"
                  + " request fails at " + RateFormat.text(rate) + "/s: " + doubtful.doubt()));
    }
    if (mayBeTheRate(doubtful.trust(), done)) {
      // No rate has held yet: what the engine carries may lie below.
      Probe lower = plans.probe(Purpose.BRACKET, rate / STEP_DOWN);
      return whileInDoubt(lower, doubtful, trusted, plans);
    }
    return new Step.Conclude(new CapacityAnswer.Untrusted(doubtful.doubt()));
  }

  private static boolean mayBeTheRate(Trust trust, List<ProbeResult> done) {
    long such = done.stream().filter(one -> one.trust() == trust).count();
    return trust == Trust.CLIENT_SATURATED && such < MOST_LATE
        || trust == Trust.ALL_FAILED && such < MOST_FAILED;
  }

  private BracketingSearch bracket(List<ProbeResult> results) {
    return BracketingSearch.of(
        results.stream()
            .map(
                one ->
                    new BracketingSearch.Trial(
                        one.probe().perSecond(), one.holds(question.share())))
            .toList());
  }

  private Step bracketing(List<ProbeResult> results, BracketingSearch bracket, ProbePlans plans) {
    double rate = results.isEmpty() ? plans.first() : bracket.next(plans.first());
    if (!results.isEmpty()) {
      ProbeResult latest = results.getLast();
      boolean holds = latest.holds(question.share());
      if (!holds && bracket.low() == 0 && latest.load().meanInFlight() < LONELY) {
        return new Step.Conclude(
            new CapacityAnswer.InfeasibleAtLowLoad(latest.probe().perSecond(), latest.goodShare()));
      }
      double completed = latest.load().completedPerSecond();
      boolean isDrowned = latest.load().overloaded() && completed > 0;
      if (!holds && isDrowned && bracket.low() < 0.9 * completed) {
        // What an overloaded engine completes is hardly less than what it can carry.
        rate = Math.min(rate, 0.9 * completed);
      } else if (Double.isInfinite(bracket.high()) && latest.good() == latest.judged()) {
        rate = bracket.low() * 2;
      }
    }
    if (Double.isInfinite(bracket.high()) && bracket.low() > 0
        && (rate > question.mostPerSecond() || results.size() >= MOST_BRACKETING)) {
      return new Step.Conclude(
          new CapacityAnswer.LowerBoundOnly(bracket.low(), "no larger rate was tried"));
    }
    if (results.size() >= MOST_BRACKETING) {
      return new Step.Conclude(unproven(results, plans));
    }
    return play(plans.probe(Purpose.BRACKET, rate));
  }

  private Step near(List<ProbeResult> trusted, BracketingSearch shortRuns, ProbePlans plans) {
    BracketingSearch bracket = narrowed(trusted, shortRuns);
    Optional<GoodputLogitModel> curve = curve(trusted);
    Optional<RateInterval> span = curve.map(known -> known.span(CONFIDENCE));
    List<ProbeResult> fresh = confirming(trusted);
    double tried =
        fresh.isEmpty() ? Double.POSITIVE_INFINITY : fresh.getLast().probe().perSecond();
    if (!fresh.isEmpty() && haveHeld(fresh)) {
      if (fresh.size() < CONFIRMATIONS) {
        return play(plans.probe(Purpose.CONFIRM, tried));
      }
      if (curve.map(known -> tried <= known.rate()).orElse(true)) {
        return new Step.Conclude(
            new CapacityAnswer.Certified(
                tried, span.orElse(new RateInterval(tried, bracket.high()))));
      }
    }
    if (trusted.size() >= MOST_PROBES) {
      return new Step.Conclude(unproven(trusted, plans));
    }
    long near = trusted.stream().filter(CapacitySearch::isLong).count();
    boolean isEnough =
        near >= ENOUGH_NEAR && span.map(RateInterval::ratio).orElse(0.0) <= RateInterval.WIDEST;
    boolean isLastChance = near > 0 && plans.probesLeft() == CONFIRMATIONS;
    if (span.isPresent() && (isEnough || isLastChance)) {
      double safe =
          Math.max(span.get().low() / RateInterval.A_LITTLE, curve.get().rate() / FAR_BELOW);
      return play(plans.probe(Purpose.CONFIRM, Math.min(safe, tried / RateInterval.A_LITTLE)));
    }
    double offset = OFFSETS[(int) (near % OFFSETS.length)];
    // Where nothing failed only the ceiling bounds the rate: a run just there tells whether it is.
    boolean isBoundedByCeiling = near > 0 && bracket.high() >= plans.highest();
    double wanted =
        curve
            .map(known -> known.rate() * Math.exp(offset / known.slope()))
            .orElse(
                isBoundedByCeiling
                    ? bracket.high()
                    : Math.sqrt(bracket.low() * bracket.high()));
    double kept =
        Math.max(bracket.low() / BRACKETED, Math.min(bracket.high() * BRACKETED, wanted));
    return play(plans.probe(Purpose.NARROW, Math.min(plans.highest(), kept)));
  }

  /** The bracket of the long runs, where they tell one: a short run ends before its queue grows. */
  private BracketingSearch narrowed(List<ProbeResult> trusted, BracketingSearch shortRuns) {
    BracketingSearch longRuns = bracket(trusted.stream().filter(CapacitySearch::isLong).toList());
    double low = longRuns.low() > 0 ? longRuns.low() : shortRuns.low();
    double high = Double.isFinite(longRuns.high()) ? longRuns.high() : shortRuns.high();
    if (low < high) {
      return new BracketingSearch(low, high);
    }
    return longRuns.low() > 0
        ? new BracketingSearch(low, low * BRACKETED)
        : new BracketingSearch(high / BRACKETED, high);
  }

  private static boolean isLong(ProbeResult one) {
    return one.probe().isLong();
  }

  private Optional<GoodputLogitModel> curve(List<ProbeResult> trusted) {
    return GoodputLogitModel.of(trusted, 1 - question.share());
  }

  /** The latest confirming probes at one rate. */
  private static List<ProbeResult> confirming(List<ProbeResult> trusted) {
    List<ProbeResult> all =
        trusted.stream().filter(one -> one.probe().purpose() == Purpose.CONFIRM).toList();
    if (all.isEmpty()) {
      return all;
    }
    double rate = all.getLast().probe().perSecond();
    return all.stream().filter(one -> one.probe().perSecond() == rate).toList();
  }

  private boolean haveHeld(List<ProbeResult> fresh) {
    return fresh.stream().allMatch(one -> one.holds(question.share()));
  }

  /** Where nothing that was measured can be used, time alone brings no answer. */
  private Step whileInDoubt(
      Probe probe, ProbeResult doubtful, List<ProbeResult> trusted, ProbePlans plans) {
    Step step = withinBudget(play(probe), trusted, plans);
    return step instanceof Step.Conclude && trusted.isEmpty()
        ? new Step.Conclude(new CapacityAnswer.Untrusted(doubtful.doubt()))
        : step;
  }

  private Step withinBudget(Step step, List<ProbeResult> trusted, ProbePlans plans) {
    return switch (step) {
      case Step.Conclude end -> end;
      case Step.Play play -> {
        double cost = plans.costSeconds(play.probe());
        if (play.probe().purpose() == Purpose.CEILING) {
          // Alone it answers nothing.
          cost += plans.costSeconds(plans.probe(Purpose.BRACKET, plans.first()));
        }
        // The budget had room for the ceiling and a rate: that rate comes, and takes what it takes.
        boolean isFirstRate =
            question.users() > 0 && play.probe().number() == 2 && trusted.isEmpty();
        if (cost <= plans.leftSeconds() || isFirstRate) {
          yield play;
        }
        yield new Step.Conclude(
            play.probe().number() == 1
                ? new CapacityAnswer.BudgetTooSmall(cost)
                : unproven(trusted, plans));
      }
    };
  }

  private CapacityAnswer unproven(List<ProbeResult> trusted, ProbePlans plans) {
    double each = plans.usualCostSeconds();
    Optional<GoodputLogitModel> curve = curve(trusted);
    if (curve.isPresent()) {
      RateInterval span = curve.get().span(CONFIDENCE);
      long near = trusted.stream().filter(CapacitySearch::isLong).count();
      OptionalDouble broke =
          trusted.stream()
              .filter(one -> one.probe().purpose() == Purpose.CONFIRM)
              .filter(one -> !one.holds(question.share()))
              .mapToDouble(one -> one.probe().perSecond())
              .min();
      return new CapacityAnswer.Carries(
          curve.get().rate(), span, ((near == 0 ? 1 : 0) + CONFIRMATIONS) * each, broke);
    }
    BracketingSearch tried = bracket(trusted);
    BracketingSearch known = tried.below(plans.mostSaid(tried.low()));
    return new CapacityAnswer.TooClose(
        trusted.isEmpty()
            ? RateInterval.UNBOUNDED
            : new RateInterval(known.low(), known.high()),
        (1 + CONFIRMATIONS) * each);
  }

  private static Step play(Probe probe) {
    return new Step.Play(probe);
  }
}
