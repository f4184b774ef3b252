package tallystick.experiment.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import tallystick.experiment.capacity.ProbeResult.Trust;

/** The search against engines whose capacity is planted: one bad request in a hundred at 10/s. */
class CapacitySearchTest {
  private static final CapacityQuestion ENDLESS =
      MadeProbes.question(0.99, 4, 1500, Double.POSITIVE_INFINITY, 5, 7);

  private static ProbeResult late(Probe probe) {
    return MadeProbes.result(
        probe, 60, 100, 0, ProbeResult.Load.UNKNOWN, Trust.CLIENT_SATURATED, "late");
  }

  private static ProbeResult result(Probe probe, double goodShare, double inFlight) {
    long judged = Math.max(1, Math.round(probe.perSecond() * probe.measuredSeconds()));
    return MadeProbes.result(
        probe, probe.loadSeconds() + 5, judged, Math.round(judged * goodShare),
        new ProbeResult.Load(inFlight, 0, false, 1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0),
        Trust.TRUSTED, "");
  }

  private static ProbeResult planted(Probe probe) {
    SplittableRandom random = new SplittableRandom(probe.seed());
    double odds =
        0.01 / 0.99 * Math.pow(probe.perSecond() / 10, 20)
            * Math.exp(0.5 * random.nextGaussian() - 0.125);
    return result(probe, 1 / (1 + odds), probe.perSecond());
  }

  private static CapacityAnswer search(
      CapacityQuestion question, Function<Probe, ProbeResult> engine,
      List<ProbeResult> done) {
    while (true) {
      switch (new CapacitySearch(question).next(done)) {
        case CapacitySearch.Step.Play play -> done.add(engine.apply(play.probe()));
        case CapacitySearch.Step.Conclude end -> {
          return end.answer();
        }
      }
    }
  }

  private static CapacityAnswer search(
      CapacityQuestion question, Function<Probe, ProbeResult> engine) {
    return search(question, engine, new ArrayList<>());
  }

  @Test
  void certifiesARateJustBelowThePlantedOne() {
    CapacityAnswer answer = search(ENDLESS, CapacitySearchTest::planted);

    assertThat(answer).isInstanceOf(CapacityAnswer.Certified.class);
    CapacityAnswer.Certified certified = (CapacityAnswer.Certified) answer;
    assertThat(certified.perSecond()).isBetween(9.4, 10.1);
    assertThat(certified.interval().low()).isLessThanOrEqualTo(10);
    assertThat(certified.interval().high()).isGreaterThanOrEqualTo(10);
  }

  /** A fresh run that breaks is one more probe of the curve; the next three come lower. */
  @Test
  void aRateIsSureWhereEachOfThreeFreshRunsHeld() {
    int sure = 0;
    int broken = 0;
    for (int seed = 1; seed <= 16; seed++) {
      List<ProbeResult> done = new ArrayList<>();
      CapacityQuestion question =
          MadeProbes.question(0.99, 4, 1500, Double.POSITIVE_INFINITY, 5, seed);
      if (search(question, CapacitySearchTest::planted, done)
          instanceof CapacityAnswer.Certified certified) {
        List<ProbeResult> fresh = freshOf(done);
        List<ProbeResult> there =
            fresh.stream()
                .filter(one -> one.probe().perSecond() == certified.perSecond())
                .toList();
        assertThat(there).hasSize(3).allMatch(one -> one.holds(0.99));
        assertThat(fresh.subList(0, fresh.size() - 3))
            .allMatch(one -> one.probe().perSecond() > certified.perSecond());
        sure++;
        broken += fresh.size() > 3 ? 1 : 0;
      }
    }
    assertThat(sure).isEqualTo(16);
    assertThat(broken).isPositive();
  }

  private static List<ProbeResult> freshOf(List<ProbeResult> done) {
    return done.stream()
        .filter(one -> one.probe().purpose() == Probe.Purpose.CONFIRM)
        .toList();
  }

  /** Runs at the lower end break as often as not where the interval ends just below the truth. */
  @Test
  void freshRunsComeALittleBelowTheLowerEnd() {
    List<ProbeResult> done = new ArrayList<>();
    search(ENDLESS, CapacitySearchTest::planted, done);

    ProbeResult first = freshOf(done).getFirst();
    List<ProbeResult> before = done.subList(0, done.indexOf(first));
    double low =
        GoodputLogitModel.of(before, 0.01).orElseThrow().span(CapacitySearch.CONFIDENCE).low();
    assertThat(first.probe().perSecond()).isBetween(0.975 * low, 0.985 * low);
  }

  /** On a real engine 100, 99.6 and 94.5 % of three runs held together and were called sure. */
  @Test
  void threeFreshRunsThatHoldTogetherButNotEachEndInALikelyRate() {
    List<ProbeResult> done = new ArrayList<>();
    CapacityQuestion half = MadeProbes.question(0.99, 4, 1500, 1800, 5, 7);
    CapacityAnswer answer =
        search(
            half,
            probe -> {
              boolean isThird =
                  freshOf(done).size() == 2 && probe.purpose() == Probe.Purpose.CONFIRM;
              return isThird ? result(probe, 0.989, probe.perSecond()) : planted(probe);
            },
            done);

    List<ProbeResult> fresh = freshOf(done);
    assertThat(fresh).hasSize(3);
    assertThat(fresh.stream().mapToLong(ProbeResult::good).sum())
        .isGreaterThan(Math.round(0.99 * fresh.stream().mapToLong(ProbeResult::judged).sum()));
    assertThat(answer).isInstanceOf(CapacityAnswer.Carries.class);
    CapacityAnswer.Carries likely = (CapacityAnswer.Carries) answer;
    assertThat(likely.brokePerSecond()).hasValue(fresh.getLast().probe().perSecond());
    assertThat(isCertifiedWith(7, done, likely.neededSeconds())).isTrue();
  }

  /** At 10/s one request in a hundred is bad; the engine completes 14/s. */
  private static ProbeResult full(Probe probe) {
    if (probe.users() == 0) {
      return planted(probe);
    }
    ProbeResult.Load load = new ProbeResult.Load(
        probe.users(), 14, false, 1, 0.9 * probe.users(), 3, -1, -1, 0, 0, 0, 0, 0, 0);
    return MadeProbes.result(probe, 30, 210, 0, load, Trust.TRUSTED, "");
  }

  private static CapacityQuestion beginningWithALoop(double first, boolean isFirstAsked) {
    return new CapacityQuestion(
        0.99, first, isFirstAsked, Ceiling.users(16), 1500, Double.POSITIVE_INFINITY, 5, 7);
  }

  @Test
  void aClosedLoopTellsWhereToBeginAndBoundsEveryRate() {
    List<ProbeResult> done = new ArrayList<>();
    CapacityAnswer answer = search(beginningWithALoop(200, false), CapacitySearchTest::full, done);

    assertThat(done.getFirst().probe().users()).isEqualTo(18);
    assertThat(done.get(1).probe().perSecond()).isEqualTo(10.5);
    assertThat(done).allMatch(one -> one.probe().perSecond() <= 1.1 * 14);
    assertThat(answer).isInstanceOf(CapacityAnswer.Certified.class);
    assertThat(Ceiling.of(done, 0.99).orElseThrow().words())
        .startsWith("the engine completes at most 14 requests/s");
  }

  @Test
  void aFirstRateThatIsAskedForIsTriedBelowTheCeiling() {
    List<ProbeResult> done = new ArrayList<>();
    search(beginningWithALoop(3, true), CapacitySearchTest::full, done);
    assertThat(done.get(1).probe().perSecond()).isEqualTo(3);

    done.clear();
    search(beginningWithALoop(200, true), CapacitySearchTest::full, done);
    assertThat(done.get(1).probe().perSecond()).isEqualTo(15.4);
  }

  /** A screen had said "probably between 30.22 and 36.59" above a ceiling of 33.27. */
  @Test
  void noRateIsSaidToHoldAboveTheCeiling() {
    List<Double> highest = new ArrayList<>();
    for (double budget = 60; budget < 200; budget += 10) {
      CapacityQuestion question =
          new CapacityQuestion(0.99, 3, true, Ceiling.users(16), 1500, budget, 5, 7);
      if (search(question, CapacitySearchTest::full, new ArrayList<>())
              instanceof CapacityAnswer.TooClose answer
          && !answer.interval().equals(RateInterval.UNBOUNDED)) {
        highest.add(answer.interval().high());
      }
    }
    assertThat(highest).isNotEmpty().allMatch(rate -> rate <= 14).contains(14.0);
  }

  /** With as many running as there are users, more of them might have been answered. */
  @Test
  void aClosedLoopThatDoesNotFillTheEngineOrCannotBeUsedBoundsNothing() {
    Probe burst = new Probe(1, Probe.Purpose.CEILING, 0, 18, 5, 15, 1);
    ProbeResult.Load all =
        new ProbeResult.Load(18, 14, false, 1, 18, 0, -1, -1, 0, 0, 0, 0, 0, 0);
    ProbeResult notFull =
        MadeProbes.result(burst, 30, 210, 0, all, Trust.TRUSTED, "");

    assertThat(Ceiling.of(List.of(notFull), 0.99)).contains(
        Ceiling.none("18 requests at once did not fill the engine"));
    assertThat(Ceiling.of(List.of(refused(burst)), 0.99)).contains(Ceiling.none("all 503"));
    assertThat(Ceiling.of(List.of(planted(asked(1, 4))), 0.99)).isEmpty();
    ProbeResult held = result(new Probe(2, Probe.Purpose.NARROW, 15, 15, 150, 1), 1, 5);
    assertThat(Ceiling.of(List.of(full(burst), held), 0.99).orElseThrow().doubt())
        .isEqualTo("15/s held, more than a closed loop completed");
  }

  /** As with 288 users of a real server: all were written within 60 ms, and most of them waited. */
  @Test
  void aLateClientSpoilsNoCountOfAnEngineThatHadRequestsWaiting() {
    Probe burst = new Probe(1, Probe.Purpose.CEILING, 0, 288, 5, 15, 1);
    assertThat(Ceiling.of(List.of(late(burst, 272)), 0.99).orElseThrow().perSecond())
        .isEqualTo(20.5);
    assertThat(Ceiling.of(List.of(late(burst, 0)), 0.99)).contains(Ceiling.none("late"));
  }

  private static ProbeResult late(Probe burst, double waiting) {
    ProbeResult.Load load =
        new ProbeResult.Load(288, 20.5, false, 1, 22, waiting, -1, -1, 0, 0, 0, 0, 0, 0);
    return MadeProbes.result(
        burst, 54, 308, 0, load, Trust.CLIENT_SATURATED, "late");
  }

  /** A server that still loads fails the closed loop, too: then the search goes on without it. */
  @Test
  void aClosedLoopThatFailsLeavesTheSearchAsItIsWithoutOne() {
    CapacityAnswer answer =
        search(
            beginningWithALoop(4, false),
            probe -> probe.number() < 3 ? refused(probe) : planted(probe));

    assertThat(answer).isInstanceOf(CapacityAnswer.Certified.class);
  }

  @Test
  void goesOnAfterAnyProbeAsIfItHadNeverStopped() {
    List<ProbeResult> whole = new ArrayList<>();
    CapacityAnswer answer = search(ENDLESS, CapacitySearchTest::planted, whole);

    for (int kept = 0; kept <= whole.size(); kept += 3) {
      List<ProbeResult> resumed = new ArrayList<>(whole.subList(0, kept));
      assertThat(search(ENDLESS, CapacitySearchTest::planted, resumed)).isEqualTo(answer);
      assertThat(resumed).isEqualTo(whole);
    }
  }

  @Test
  void keepsItsBudgetAndAnswersAnInterval() {
    CapacityQuestion half =
        MadeProbes.question(0.99, 4, 1500, 480, 5, 7);
    List<ProbeResult> done = new ArrayList<>();
    CapacityAnswer answer = search(half, CapacitySearchTest::planted, done);

    assertThat(done.stream().mapToDouble(ProbeResult::elapsedSeconds).sum())
        .isLessThanOrEqualTo(480);
    assertThat(answer).isInstanceOf(CapacityAnswer.Carries.class);
    CapacityAnswer.Carries unproven = (CapacityAnswer.Carries) answer;
    assertThat(unproven.interval().low()).isBetween(8.0, 10.0);
    assertThat(unproven.interval().high()).isBetween(10.0, 12.0);
    assertThat(unproven.neededSeconds()).isGreaterThan(0);
  }

  @Test
  void theTimeSaidToBeMissingIsEnoughAndHalfOfItSeldom() {
    int enough = 0;
    int enoughByHalf = 0;
    for (int seed = 300; seed < 308; seed++) {
      List<ProbeResult> first = new ArrayList<>();
      CapacityAnswer.Carries unproven =
          (CapacityAnswer.Carries)
              search(within(seed, 480), CapacitySearchTest::planted, first);
      enough += isCertifiedWith(seed, first, unproven.neededSeconds()) ? 1 : 0;
      enoughByHalf += isCertifiedWith(seed, first, unproven.neededSeconds() / 2) ? 1 : 0;
    }
    assertThat(enough).isGreaterThanOrEqualTo(6);
    assertThat(enoughByHalf).isLessThanOrEqualTo(3);
  }

  private static CapacityQuestion within(int seed, double budgetSeconds) {
    return MadeProbes.question(0.99, 4, 1500, budgetSeconds, 5, seed);
  }

  private static boolean isCertifiedWith(int seed, List<ProbeResult> first, double moreSeconds) {
    double used = first.stream().mapToDouble(ProbeResult::elapsedSeconds).sum();
    double minutes = Math.ceil((used + moreSeconds) / 60);
    CapacityAnswer answer =
        search(
            within(seed, 60 * minutes), CapacitySearchTest::planted, new ArrayList<>(first));
    return answer instanceof CapacityAnswer.Certified;
  }

  @Test
  void aBudgetForNotOneProbeIsTooSmall() {
    CapacityQuestion tiny = MadeProbes.question(0.99, 4, 1500, 20, 5, 7);

    assertThat(search(tiny, CapacitySearchTest::planted))
        .isInstanceOf(CapacityAnswer.BudgetTooSmall.class);
  }

  /** The ceiling alone answers nothing: whoever gave time for it and a rate gets both. */
  @Test
  void theLeastBudgetHasTheCeilingAndOneRate() {
    CapacityQuestion tiny = new CapacityQuestion(0.99, 4, true, 32, 1500, 20, 5, 7);
    CapacityAnswer.BudgetTooSmall refused =
        (CapacityAnswer.BudgetTooSmall) search(tiny, CapacitySearchTest::planted);
    CapacityQuestion least =
        new CapacityQuestion(0.99, 4, true, 32, 1500, refused.leastSeconds(), 5, 7);
    List<ProbeResult> done = new ArrayList<>();

    search(
        least,
        probe -> {
          // The closed loop takes longer than was thought.
          ProbeResult played = full(probe);
          return new ProbeResult(
              probe, 2 * played.elapsedSeconds(), played.judged(), played.good(), played.load(),
              played.trust(), "", played.figures());
        },
        done);

    assertThat(done).hasSizeGreaterThanOrEqualTo(2);
    assertThat(done.get(1).isBurst()).isFalse();
  }

  @Test
  void saysThatNoRateHoldsWhereLonelyRequestsFail() {
    CapacityAnswer answer =
        search(ENDLESS, probe -> result(probe, 0.5, probe.perSecond() / 10));

    assertThat(answer).isInstanceOf(CapacityAnswer.InfeasibleAtLowLoad.class);
  }

  @Test
  void findsACapacityFarBelowTheFirstRate() {
    CapacityQuestion high =
        MadeProbes.question(0.99, 200, 1500, Double.POSITIVE_INFINITY, 5, 7);

    assertThat(search(high, CapacitySearchTest::planted))
        .isInstanceOf(CapacityAnswer.Certified.class);
  }

  @Test
  void saysAtLeastWhereNothingFails() {
    CapacityAnswer answer = search(ENDLESS, probe -> result(probe, 1, 3));

    assertThat(answer).isInstanceOf(CapacityAnswer.LowerBoundOnly.class);
    assertThat(((CapacityAnswer.LowerBoundOnly) answer).perSecond()).isGreaterThan(500);
  }

  @Test
  void saysAtLeastWhereTheClientIsTheLimit() {
    CapacityAnswer answer =
        search(
            ENDLESS,
            probe -> probe.perSecond() < 8 ? planted(probe) : late(probe));

    assertThat(answer).isInstanceOf(CapacityAnswer.LowerBoundOnly.class);
    assertThat(((CapacityAnswer.LowerBoundOnly) answer).perSecond()).isEqualTo(4);
  }

  @Test
  void aFirstRateThatIsTooMuchForTheClientIsLowered() {
    CapacityQuestion high =
        MadeProbes.question(0.99, 200, 1500, Double.POSITIVE_INFINITY, 5, 7);
    CapacityAnswer answer =
        search(high, probe -> probe.perSecond() < 8 ? result(probe, 1, 3) : late(probe));

    assertThat(answer).isInstanceOf(CapacityAnswer.LowerBoundOnly.class);
    assertThat(((CapacityAnswer.LowerBoundOnly) answer).perSecond()).isBetween(3.0, 8.0);
  }

  @Test
  void aClientThatIsLateAtAnyRateEndsTheSearch() {
    List<ProbeResult> done = new ArrayList<>();
    CapacityAnswer answer = search(ENDLESS, CapacitySearchTest::late, done);

    assertThat(answer).isEqualTo(new CapacityAnswer.Untrusted("late"));
    assertThat(done).hasSize(5);
  }

  private static ProbeResult refused(Probe probe) {
    return MadeProbes.result(
        probe,
        60,
        100,
        0,
        ProbeResult.Load.UNKNOWN,
        Trust.ALL_FAILED,
        "all 503");
  }

  /** A lower rate shows that the server works; the search had ended without an answer. */
  @Test
  void aRateAtWhichEveryRequestFailsIsOneThatDoesNotHold() {
    for (double first : new double[] {4, 200}) {
      CapacityQuestion question =
          MadeProbes.question(0.99, first, 1500, Double.POSITIVE_INFINITY, 5, 7);
      CapacityAnswer answer =
          search(question, probe -> probe.perSecond() < 15 ? planted(probe) : refused(probe));

      assertThat(answer).isInstanceOf(CapacityAnswer.Certified.class);
      assertThat(((CapacityAnswer.Certified) answer).perSecond()).isBetween(9.4, 10.1);
    }
  }

  @Test
  void aServerThatFailsEverythingAtAnyRateIsNotMeasured() {
    List<ProbeResult> done = new ArrayList<>();
    CapacityAnswer answer = search(ENDLESS, CapacitySearchTest::refused, done);

    assertThat(answer).isEqualTo(new CapacityAnswer.Untrusted("all 503"));
    assertThat(done).extracting(one -> one.probe().perSecond()).containsExactly(4.0, 1.0, 0.25);
  }

  /** It had been said to carry between 8 and 8.4/s, because nothing higher was answered. */
  @Test
  void aServerThatGoesDownMeanwhileIsNotSaidToCarryLittle() {
    CapacityQuestion minutes = MadeProbes.question(0.99, 4, 1500, 900, 5, 7);
    List<ProbeResult> done = new ArrayList<>();
    CapacityAnswer answer =
        search(
            minutes, probe -> probe.number() < 3 ? result(probe, 1, 4) : refused(probe), done);

    assertThat(answer)
        .isEqualTo(
            new CapacityAnswer.Untrusted(
                "the server carried 8/s before, and now every request fails at 8/s: all 503"));
    assertThat(done).hasSize(5);
  }

  private static Probe asked(int number, double perSecond) {
    return new Probe(number, Probe.Purpose.BRACKET, perSecond, 8, 30, 1);
  }

  /** Of six probes four had been called trusted, beside the answer that none can be used. */
  @Test
  void aDoubtfulProbeInBetweenDoesNotMakeFailuresOfADeadServerCount() {
    List<ProbeResult> done =
        List.of(
            result(asked(1, 2), 1, 1), result(asked(2, 4), 1, 1), refused(asked(3, 8)),
            refused(asked(4, 5.7)), late(asked(5, 4)), refused(asked(6, 4)));

    assertThat(usable(done, 0.99)).containsExactlyInAnyOrder(1, 2);
  }

  /** Every rate that it was asked for while it loaded its model had counted as too high. */
  @Test
  void aServerThatStillLoadsIsAskedAgainAtTheRatesThatFailed() {
    CapacityAnswer answer =
        search(ENDLESS, probe -> probe.number() < 3 ? refused(probe) : planted(probe));

    assertThat(answer).isInstanceOf(CapacityAnswer.Certified.class);
    assertThat(((CapacityAnswer.Certified) answer).perSecond())
        .isBetween(10 / RateInterval.WIDEST / RateInterval.A_LITTLE, 10.2);
  }

  /** Whoever mends the server and goes on got the old answer at once, without a request sent. */
  @Test
  void ofAServerThatIsMendedTheProbesInWhichEveryRequestFailedArePlayedAgain() {
    List<ProbeResult> done = new ArrayList<>();
    search(ENDLESS, CapacitySearchTest::refused, done);
    assertThat(usable(done, 0.99)).isEmpty();

    List<ProbeResult> loaded = List.of(result(asked(1, 4), 1, 1), refused(asked(2, 36)));
    assertThat(usable(loaded, 0.99)).containsExactlyInAnyOrder(1, 2);
  }

  /** More time would bring more probes that cannot be used, and no certified rate. */
  @Test
  void aBudgetThatEndsBeforeAnyProbeCanBeUsedIsNotSaidToNeedMoreTime() {
    CapacityQuestion ofOneProbe = MadeProbes.question(0.99, 4, 1500, 100, 5, 7);

    CapacityAnswer answer = search(ofOneProbe, CapacitySearchTest::late);

    assertThat(answer).isEqualTo(new CapacityAnswer.Untrusted("late"));
  }

  @Test
  void oneProbeInDoubtIsRepeatedAndTwoEndTheSearch() {
    List<ProbeResult> done = new ArrayList<>();
    CapacityAnswer answer =
        search(
            ENDLESS,
            probe ->
                MadeProbes.result(
                    probe, 60, 100, 100, ProbeResult.Load.UNKNOWN, Trust.NOT_TRUSTED, "foreign"),
            done);

    assertThat(answer).isEqualTo(new CapacityAnswer.Untrusted("foreign"));
    assertThat(done).hasSize(2);
    assertThat(done.get(1).probe().perSecond()).isEqualTo(done.get(0).probe().perSecond());
    assertThat(done.get(1).probe().seed()).isNotEqualTo(done.get(0).probe().seed());
  }

  /** As a real engine did in half an hour in which its machine slowed down and sped up again. */
  @Test
  void runsThatContradictOneAnotherGiveAWideInterval() {
    double[][] rateAndShare = {
      {40, 1}, {80, 1}, {95.12, 0}, {84.65, 0.9977}, {91.64, 0.42}, {84.44, 0.187}, {72.18, 0.9},
      {69.81, 1}, {76.29, 0.9925}
    };
    List<ProbeResult> done = new ArrayList<>();
    for (double[] each : rateAndShare) {
      Probe.Purpose purpose =
          done.size() < 3 ? Probe.Purpose.BRACKET : Probe.Purpose.NARROW;
      Probe probe = new Probe(done.size() + 1, purpose, each[0], 15, 150, 1);
      done.add(result(probe, each[1], 30));
    }
    CapacityQuestion used =
        MadeProbes.question(0.95, 40, 1500, 1500, 5, 7);

    CapacityAnswer answer = search(used, probe -> planted(probe), done);

    assertThat(answer).isInstanceOf(CapacityAnswer.Carries.class);
    assertThat(answer.interval().low()).isBetween(55.0, 76.0);
    assertThat(answer.interval().high()).isBetween(80.0, 100.0);
  }

  /** Runs of 150 s, the first so many of them short ones, and half an hour used up. */
  private static CapacityAnswer afterRuns(double share, int shortRuns, double[][] rateAndShare) {
    List<ProbeResult> done = new ArrayList<>();
    for (double[] each : rateAndShare) {
      Probe.Purpose purpose =
          done.size() < shortRuns ? Probe.Purpose.BRACKET : Probe.Purpose.NARROW;
      Probe probe = new Probe(done.size() + 1, purpose, each[0], 15, 150, 1);
      done.add(result(probe, each[1], 10));
    }
    CapacityQuestion used = MadeProbes.question(share, 9, 1500, 170 * done.size(), 5, 7);
    return search(used, probe -> planted(probe), done);
  }

  /** The long runs of a simulated engine that carries 18.2/s; the lowest failed by chance. */
  @Test
  void aLowestLongRunThatFailedByChanceDoesNotHideTheCurve() {
    CapacityAnswer answer =
        afterRuns(
            0.99, 4,
            new double[][] {
              {9, 1}, {18, 1}, {36, 0}, {22.38, 0.973}, {21.46, 0.908}, {20.85, 0.929},
              {17.87, 0.998}, {19.84, 0.975}, {18.59, 0.991}, {18.94, 0.985}, {20.4, 0.95},
              {17.85, 0.985}, {19.39, 0.963}
            });

    assertThat(answer).isInstanceOf(CapacityAnswer.Carries.class);
    assertThat(answer.interval().low()).isBetween(16.0, 18.2);
    assertThat(answer.interval().high()).isBetween(18.2, 20.0);
  }

  /** A simulated engine with 512 tokens a step, before chats and long documents. */
  @Test
  void theCurveIsNotHiddenWhereShortRunsAloneBoundAllThatIsUndisputed() {
    CapacityAnswer answer =
        afterRuns(
            0.99, 4,
            new double[][] {
              {8.4, 1}, {16.8, 1}, {33.6, 0}, {17.34, 0.958}, {16.62, 0.969}, {17.14, 0.97},
              {15.11, 0.979}, {15.92, 0.982}, {14.55, 0.998}, {14.79, 0.9995}, {14.2, 0.979},
              {14.2, 0.9986}, {14.2, 0.9896}
            });

    assertThat(answer.interval().low()).isBetween(12.0, 14.9);
    assertThat(answer.interval().high()).isBetween(14.9, 18.0);
  }

  /** Real vLLM: three runs confirmed 19.78/s, where 22.6 to 30.6 was likely. */
  @Test
  void freshRunsConfirmNoRateThatLiesFarBelowTheLikelyOne() {
    CapacityQuestion question = MadeProbes.question(0.95, 25.4, 1500, 560, 12, 3);
    double[][] runs = {{25.4, 30, 713, 713}, {30.76, 30, 924, 898}, {33.85, 85, 2899, 2265}};
    List<ProbeResult> done = new ArrayList<>();
    for (double[] run : runs) {
      boolean isLong = run[1] > 30;
      Probe probe =
          new Probe(
              done.size() + 1, isLong ? Probe.Purpose.NARROW : Probe.Purpose.BRACKET, run[0],
              isLong ? 15 : 7.5, run[1], 1);
      done.add(
          MadeProbes.result(
              probe, probe.loadSeconds() + 12, (long) run[2], (long) run[3],
              new ProbeResult.Load(20, 30, false, 1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0),
              Trust.TRUSTED, ""));
    }

    assertThat(new CapacitySearch(question).next(done))
        .isInstanceOfSatisfying(
            CapacitySearch.Step.Play.class,
            next -> assertThat(next.probe().perSecond()).isGreaterThan(22.5));
  }

  private static List<Integer> usable(List<ProbeResult> done, double share) {
    return ProbeResult.judged(done, share).stream()
        .filter(ProbeResult::isTrusted)
        .map(one -> one.probe().number())
        .toList();
  }
}
