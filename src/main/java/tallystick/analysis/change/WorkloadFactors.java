package tallystick.analysis.change;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import tallystick.analysis.client.ClientIntervals.Column;
import tallystick.analysis.engine.EngineColumns;
import tallystick.analysis.result.Circumstance;
import tallystick.analysis.result.Contrast;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Interval;
import tallystick.analysis.result.Latency;
import tallystick.analysis.statistics.Estimate;
import tallystick.scenario.Formatted;

/**
 * What was asked of the engine in both periods and how it fared: whatever may be why a wait
 * changed, and whether it changed by more than chance.
 *
 * @param margin a rise must exceed its interval so many times
 */
record WorkloadFactors(PeriodSums now, PeriodSums before, double margin, StepCost cost) {
  /** Less of a change explains no wait. */
  private static final double CHANGED = 1.1;

  /** Preemptions per finished request that are more than a few. */
  private static final double PREEMPTED = 0.02;

  /** Poisson arrivals have 1, and chance hardly makes 2 of it. */
  private static final double BURSTIER = 2;

  private static final double NORMAL = 1.96; // 97.5 % point of the normal distribution

  /** Shorter pauses of the client are of no weight, nor a smaller share of the time. */
  private static final double LATE_SECONDS = 0.2;

  private static final double STILL_SHARE = 0.01; // as much as spoils a P99 by itself

  /** A client whose requests start later by less, or by less of the rise, is not late. */
  private static final double LATE_MEAN_SECONDS = 0.005;

  private static final double LATE_SHARE = 0.05;

  /** One that starts them later by so much of the reference's wait is late beside any rise. */
  private static final double LATE_WAIT = 0.5;

  /** A step's cost must have grown by this, surely. */
  private static final double SLOWER = 1.1;

  /** The same where contexts are longer, or more requests share a step, than the fit has seen. */
  private static final double SLOWER_OTHERWISE = 1.3;

  /** The same where dearer prompts leave hardly a step without them, so that none is seen. */
  private static final double SLOWER_UNSEEN = 2;

  /** Attention makes a token of a longer prompt dearer by itself. */
  private static final double DEARER_OF_LONGER = 1.5;

  /** Prompts that begin in so many of the steps are surely in more than 5 % of the gaps. */
  private static final double OFTEN = 0.1;

  /** A cost whose interval ends at more than so many times its begin is not told. */
  private static final double TOLD = 3;

  WorkloadFactors(PeriodSums now, PeriodSums before, double margin) {
    this(now, before, margin, StepCost.of(now, before));
  }

  /**
   * Judged by the spread of so many arrivals, so that a short period can tell, too. The arrivals of
   * a closed loop follow the answers: there only more users are more load.
   */
  boolean isMoreLoad() {
    if (isClosedLoop()) {
      return now.conditions().users() > moreEngines() * before.conditions().users();
    }
    double rise = now.rate().value() / moreEngines() - before.rate().value();
    double error = Math.sqrt(rateVariance(now) + rateVariance(before));
    return rise >= (CHANGED - 1) * before.rate().value() && rise > margin * NORMAL * error;
  }

  /** Engines that were added share what is asked. */
  private double moreEngines() {
    return before.engines() > 0 ? Math.max(1, (double) now.engines() / before.engines()) : 1;
  }

  /** Whether engines are missing, and each that is left is asked for more. */
  boolean areEnginesFewer() {
    double asked = isClosedLoop()
        ? (double) now.conditions().users() / before.conditions().users()
        : now.rate().value() / before.rate().value();
    return now.engines() > 0 && before.engines() > now.engines()
        && asked * before.engines() / now.engines() >= CHANGED;
  }

  /** Whether requests wait for a place while fewer of them run than the engine had run before. */
  boolean areFewerTakenIn() {
    return before.engines() == 1
        && CHANGED * SequenceLimit.of(now) <= SequenceLimit.mostAtOnce(before);
  }

  /** Whether the engine did more for others than before, beside what this run sent. */
  boolean isMoreForeign() {
    return now.foreignShare() - Math.max(0, before.foreignShare()) >= CHANGED - 1;
  }

  /** Whether drafts brought more tokens of a step before. */
  boolean areTokensPerStepFewer() {
    return before.tokensPerStep() >= CHANGED * now.tokensPerStep();
  }

  boolean isClosedLoop() {
    return now.conditions().users() > 0 && before.conditions().users() > 0;
  }

  private static double rateVariance(PeriodSums of) {
    double seconds = Arrays.stream(of.lengths()).sum();
    double burstiness = of.conditions().burstiness();
    double clumped = Double.isNaN(burstiness) ? 1 : Math.max(1, burstiness);
    return clumped * Arrays.stream(of.client().get(Column.ARRIVALS)).sum() / (seconds * seconds);
  }

  boolean isBurstier() {
    double here = now.conditions().burstiness();
    return here >= BURSTIER && here >= BURSTIER * before.conditions().burstiness();
  }

  boolean arePromptsLonger() {
    return rose(now.prompts(), before.prompts());
  }

  boolean areAnswersLonger() {
    return rose(now.answers(), before.answers());
  }

  boolean isLessReused() {
    return rose(now.missed(), before.missed());
  }

  /** Whether more than a few requests are preempted, however many were before. */
  boolean isPreempted() {
    return now.preemptions().value() >= PREEMPTED;
  }

  /** Where both sides preempt, only more than chance makes is more. */
  boolean isMorePreempted() {
    double few = zeroIfUnknown(before.preemptions().value());
    return now.preemptions().value() - few >= PREEMPTED
        && (few < PREEMPTED || rose(now.preemptions(), before.preemptions()));
  }

  /** Whether the engine stood still for longer than in the reference. */
  boolean didEngineStandStill() {
    return now.conditions().engineStillSeconds() > before.conditions().engineStillSeconds();
  }

  /** Whether the load differs from the reference's in any way that makes requests wait. */
  boolean isAskedOtherwise() {
    return isMoreLoad() || isBurstier() || arePromptsLonger() || areAnswersLonger()
        || isLessReused() || isMorePreempted() || wasClientLate() || didEngineStandStill()
        || areEnginesFewer() || isMoreForeign();
  }

  /** Whether the load or the engine surely differs: then a rise is of the judged period itself. */
  boolean isOtherwise() {
    return isAskedOtherwise() || areFewerTakenIn() || isPrefillSlower() || isPrefillInMoreSteps()
        || isDecodingSlower();
  }

  /** Whether steps without prompts take longer at the same number of requests. */
  boolean isDecodingSlower() {
    boolean isOfPrompts = isPrefillSlower() || isPrefillInMoreSteps();
    double bound = isAskedOtherwise() || isOfPrompts ? SLOWER_OTHERWISE : SLOWER;
    double least = isOfPrompts && prefilling(now) >= 1 ? SLOWER_UNSEEN : bound;
    return cost.withoutPrompts().low().orNaN() > least + computedAgain() * cost.promptsOverRest();
  }

  /** Whether a prompt token costs more than longer prompts, or preempted ones, explain. */
  boolean isPrefillSlower() {
    return cost.perPromptToken().low().orNaN()
        > (arePromptsLonger() ? DEARER_OF_LONGER : 1) * (1 + computedAgain()) * SLOWER_OTHERWISE;
  }

  /** The most that preempted requests make of each prompt token that is counted, beyond it. */
  private double computedAgain() {
    return isMorePreempted()
        ? now.preemptions().value() * (1 + now.answers().value() / now.prompts().value())
        : 0;
  }

  /**
   * Whether a prefill surely grew by more than longer steps, dearer tokens or more of them explain.
   * Prompts that come in a burst share the steps' tokens, and need no other cause.
   */
  boolean isPrefillInMoreSteps() {
    double grew = surely(Latency.PREFILL);
    return isPrefillBeyondSteps(grew)
        && grew > moreTokens() * cost.perPromptToken().high().orNaN()
        && !isBurstier();
  }

  /** Whether a prefill grew by more than slower steps explain, and no token is surely dearer. */
  boolean isPrefillPerhapsInMoreSteps() {
    return isPrefillBeyondSteps(growth(Latency.PREFILL))
        && !(cost.perPromptToken().low().orNaN() >= 1);
  }

  private boolean isPrefillBeyondSteps(double grew) {
    double longGaps = now.conditions().longGapSeconds() / before.conditions().longGapSeconds();
    double steps = isPromptOften() && longGaps > 0 ? longGaps : growth(Latency.ITL);
    return grew > SLOWER_OTHERWISE * Math.max(steps, moreTokens());
  }

  /** Whether the client's long gaps are those of steps with prompts, on both sides. */
  private boolean isPromptOften() {
    return perStep(now) >= OFTEN && perStep(before) >= OFTEN;
  }

  private static double perStep(PeriodSums of) {
    return of.rate().value() * of.engineMean(Latency.ITL).value() / Math.max(1, of.engines());
  }

  /** Prompts that an engine computes at once, on average. */
  private static double prefilling(PeriodSums of) {
    return of.perSecond(of.column(EngineColumns.sumOf(Latency.PREFILL))).value()
        / Math.max(1, of.engines());
  }

  /** How many times as many prompt tokens are computed for a request; 1 where they are fewer. */
  private double moreTokens() {
    double times = now.prompts().value() * now.missed().value()
        / (before.prompts().value() * before.missed().value());
    return (times > 1 ? times : 1) * (1 + computedAgain());
  }

  private double surely(Latency of) {
    Estimate reference = before.engineMean(of);
    return 1 + now.engineMean(of).riseFrom(reference).low().orNaN() / reference.value();
  }

  /** Whether a prompt token costs more, and surely more so than the rest of a step. */
  boolean isOnlyPromptTokenDearer() {
    double token = cost.perPromptToken().low().orNaN();
    Interval rest = cost.withoutPrompts();
    return token > 1 && (rest.low().orNaN() <= 1 || token > rest.high().orNaN());
  }

  private double growth(Latency of) {
    return now.engineMean(of).value() / before.engineMean(of).value();
  }

  /** Whether the load process stood still, or started its requests late, far more than before. */
  boolean wasClientLate() {
    double length = Arrays.stream(now.lengths()).sum();
    double still = now.conditions().stillSeconds() - before.conditions().stillSeconds();
    double late = lateness(now) - lateness(before);
    return still > Math.max(LATE_SECONDS, STILL_SHARE * length)
        || late > LATE_MEAN_SECONDS
            && (late > LATE_SHARE * (wait(now) - wait(before)) || late > LATE_WAIT * wait(before));
  }

  private static double lateness(PeriodSums of) {
    return of.perClient(Column.FIRST_LATENESS, Column.FIRSTS).value();
  }

  private static double wait(PeriodSums of) {
    return of.perClient(Column.FIRST_WAIT, Column.FIRSTS).value();
  }

  /** Each before and after. */
  List<Contrast> all() {
    List<Contrast> all = new ArrayList<>();
    all.add(contrast(Circumstance.OFFERED_RATE, of -> of.rate().value()));
    all.add(contrast(Circumstance.BURSTINESS, of -> of.conditions().burstiness()));
    all.add(contrast(Circumstance.PROMPT_TOKENS, of -> of.prompts().value()));
    all.add(contrast(Circumstance.ANSWER_TOKENS, of -> of.answers().value()));
    all.add(contrast(Circumstance.PREFIX_HIT_RATIO, of -> of.hits().value()));
    all.add(contrast(Circumstance.PREEMPTIONS_PER_REQUEST, of -> of.preemptions().value()));
    all.add(contrast(Circumstance.REQUESTS_RUNNING, of -> of.average(EngineColumns.RUNNING)));
    all.add(contrast(Circumstance.REQUESTS_WAITING, of -> of.average(EngineColumns.WAITING)));
    all.add(contrast(Circumstance.KV_USAGE_PEAK, of -> of.largest(EngineColumns.KV_USAGE)));
    all.add(perSecond(Circumstance.FINISHED_RATE, EngineColumns.FINISHED));
    all.add(perSecond(Circumstance.OUTPUT_TOKENS_RATE, EngineColumns.GENERATION_TOKENS));
    all.add(contrast(Circumstance.CLIENT_STOOD_STILL, of -> of.conditions().stillSeconds()));
    all.add(contrast(Circumstance.ENGINE_STOOD_STILL, of -> of.conditions().engineStillSeconds()));
    all.add(told(Circumstance.DECODE_STEP_COST, cost.withoutPrompts()));
    all.add(told(Circumstance.PROMPT_TOKEN_COST, cost.perPromptToken()));
    addUnusual(all);
    return all;
  }

  /** What is told only of runs in which it may be a cause. */
  private void addUnusual(List<Contrast> all) {
    if (areEnginesFewer()) {
      all.add(contrast(Circumstance.ENGINES, PeriodSums::engines));
    }
    if (areFewerTakenIn()) {
      all.add(contrast(Circumstance.MOST_RUNNING, SequenceLimit::mostAtOnce));
    }
    if (isMoreForeign()) {
      all.add(contrast(Circumstance.FOREIGN_REQUESTS, PeriodSums::foreignRate));
    }
    if (areTokensPerStepFewer()) {
      all.add(contrast(Circumstance.TOKENS_PER_STEP, PeriodSums::tokensPerStep));
    }
  }

  private Contrast perSecond(Circumstance name, String counter) {
    return contrast(name, of -> of.perSecond(of.column(counter)).value());
  }

  private boolean rose(Estimate now, Estimate before) {
    Interval rise = now.riseFrom(before);
    return now.value() >= CHANGED * before.value()
        && rise.value().orNaN() > margin * (rise.value().orNaN() - rise.low().orNaN());
  }

  private Contrast contrast(Circumstance name, ToDoubleFunction<PeriodSums> of) {
    return new Contrast(name, figure(of.applyAsDouble(before)), figure(of.applyAsDouble(now)));
  }

  /** How many times a cost is the reference's, where that is known well enough to be told. */
  static Contrast told(Circumstance name, Interval times) {
    double low = times.low().orNaN();
    double high = times.high().orNaN();
    Figure judged =
        times.value() instanceof Figure.Known && !(high <= TOLD * low)
            ? Figure.missing(Formatted.of("between %.2f and %.2f times", low, high))
            : times.value();
    return new Contrast(name, Figure.of(1), judged);
  }

  private static Figure figure(double value) {
    return Double.isFinite(value) ? Figure.of(value) : Figure.missing("not known");
  }

  private static double zeroIfUnknown(double value) {
    return Double.isNaN(value) ? 0 : value;
  }
}
