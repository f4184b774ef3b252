package tallystick.experiment.capacity;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import tallystick.answer.Answer;
import tallystick.answer.Invocation;
import tallystick.experiment.Budget;
import tallystick.experiment.JointObjective;
import tallystick.plan.Planner;
import tallystick.scenario.Objective;
import tallystick.scenario.ScenarioReader;

/** Searches that have ended, one for each thing that an end may say. */
public final class MadeEnds {
  /** The command of all of them. */
  public static final Invocation TYPED =
      new Invocation(
          List.of(
              new Invocation.Word("", "capacity"), new Invocation.Word("", "chat.yaml"),
              new Invocation.Word("--rehearse", "--rehearse"),
              new Invocation.Word("--budget", "--budget 30m")),
          "reports/chat-capacity-1");

  static final OptionalDouble NONE = OptionalDouble.empty();
  static final FleetSizing UNSIZED = new FleetSizing(NONE, NONE, NONE, Optional.empty());
  private static final double OPEN = Double.POSITIVE_INFINITY;
  private static final String VLLM = "vLLM 0.32.0 at http://10.0.0.7:8000";

  private MadeEnds() {}

  /** What a search says that found a certified rate. */
  public static Answer certified() {
    return all().get("certified").answer(TYPED);
  }

  /** Name → end. */
  static Map<String, CapacityEnd> all() {
    Map<String, CapacityEnd> all = new LinkedHashMap<>();
    CapacityAnswer certified = new CapacityAnswer.Certified(44.9, span(44.6, 46.2));
    all.put("certified", end(certified, near()));
    all.put("certified-fleet", sized(end(certified, near()), fleet()));
    all.put("certified-fleet-without-tokens", sized(end(certified, bare()), fleet()));
    all.put("certified-energy", end(certified, measured()));
    all.put("certified-forecast", predicted(end(certified, near()), certified, near()));
    all.put(
        "certified-forecast-off",
        predicted(
            end(certified, near()), new CapacityAnswer.Carries(55, span(50, 60), 60, NONE),
            near().subList(0, 2)));
    all.put(
        "certified-above", end(new CapacityAnswer.Certified(44.9, span(44.6, OPEN)), near()));
    all.put("certified-simulated", on("the simulated engine, in virtual time", all));
    all.put("certified-many-rates", end(certified, many()));
    CapacityAnswer proven = new CapacityAnswer.Carries(45, span(42, 48), 600, NONE);
    all.put("interval", end(proven, near()));
    all.put("interval-fleet", sized(end(proven, near()), fleet()));
    all.put("below", end(new CapacityAnswer.TooClose(span(0, 48), 61), near()));
    CapacityAnswer single = new CapacityAnswer.TooClose(span(40, OPEN), 1234);
    all.put("single-runs", end(single, near()));
    all.put("single-runs-fleet", sized(end(single, near()), fleet()));
    all.put("single-runs-forecast", predicted(end(single, near()), certified, near()));
    all.put(
        "single-runs-above",
        end(new CapacityAnswer.TooClose(span(40, OPEN), 90), near()));
    all.put(
        "nothing-known", end(new CapacityAnswer.TooClose(span(0, OPEN), 300), near()));
    CapacityAnswer atLeast = new CapacityAnswer.LowerBoundOnly(46, "no larger rate was tried");
    all.put("at-least", end(atLeast, near()));
    all.put("at-least-forecast", predicted(end(atLeast, near()), atLeast, near()));
    all.put(
        "never-held",
        end(new CapacityAnswer.InfeasibleAtLowLoad(0.1, 0.2), List.of(probe(1, 0.1, 30, 5, 1))));
    all.put(
        "untrusted",
        end(
            new CapacityAnswer.Untrusted("the client itself was late"),
            List.of(left(1, 20, "the client itself was late"), left(2, 20, "it was late again"))));
    all.put("budget-too-small", end(new CapacityAnswer.BudgetTooSmall(47.2), List.of()));
    all.put("left-out-and-partly-checked", end(certified, odd()));
    all.put("refused", end(single, refused()));
    all.put("contradicted", end(single, contradicted()));
    addConversations(all);
    addCeilings(all);
    return all;
  }

  private static void addConversations(Map<String, CapacityEnd> all) {
    all.put(
        "conversations",
        ofConversations(end(new CapacityAnswer.Carries(45, span(42, 48), 600, NONE), near())));
    all.put(
        "conversations-never-held",
        ofConversations(
            end(
                new CapacityAnswer.InfeasibleAtLowLoad(0.1, 0.2),
                List.of(probe(1, 0.1, 30, 5, 1)))));
  }

  static RateInterval span(double low, double high) {
    return new RateInterval(low, high);
  }

  /** Runs on both sides of 45/s. */
  private static List<ProbeResult> near() {
    List<ProbeResult> all = new ArrayList<>();
    all.add(probe(1, 20, 1200, 1200, 40));
    all.add(loaded(probe(2, 60, 1800, 900, 40), 12, 0.62, 0));
    all.add(probe(3, 44, 2640, 2630, 40));
    all.add(probe(4, 46, 2760, 2720, 40));
    all.add(loaded(probe(5, 47, 2820, 2690, 40), 7, 0.97, 3));
    all.add(probe(6, 44.9, 2694, 2676, 40));
    all.add(probe(7, 44.9, 2690, 2670, 40));
    all.add(probe(8, 44.9, 2701, 2688, 40));
    return all;
  }

  private static void addCeilings(Map<String, CapacityEnd> all) {
    List<ProbeResult> apart = new ArrayList<>(near());
    apart.set(7, probe(8, 44.9, 2701, 2660, 40));
    all.put(
        "interval-broken",
        end(new CapacityAnswer.Carries(45, span(42, 48), 600, OptionalDouble.of(44.9)), apart));
    CapacityAnswer certified = new CapacityAnswer.Certified(44.9, span(44.6, 46.2));
    all.put("ceiling", end(certified, withBurst(36)));
    all.put(
        "ceiling-not-reached",
        end(new CapacityAnswer.TooClose(span(40, OPEN), 1234), withBurst(40)));
    all.put("sustained", end(new CapacityAnswer.Carries(45, span(42, 48), 600, NONE), falling()));
  }

  /** With a closed loop of 40 users before them, so many of whom ran at once. */
  private static List<ProbeResult> withBurst(int running) {
    List<ProbeResult> all = new ArrayList<>();
    Probe burst = new Probe(1, Probe.Purpose.CEILING, 0, 40, 5, 15, 9);
    ProbeResult.Load load =
        new ProbeResult.Load(39, 52.3, false, 2, running, 4, 0.4, 0, 40, 0, 0, 0, 0, 0);
    all.add(
        MadeProbes.result(
            burst, 26, 780, 300, load, ProbeResult.Trust.TRUSTED, ""));
    all.addAll(near());
    return all;
  }

  /** First halves hold 60/s, later ones 40/s. */
  private static List<ProbeResult> falling() {
    List<ProbeResult> all = new ArrayList<>();
    for (double rate : new double[] {36, 38, 40, 42, 45, 50, 58, 62, 65}) {
      long half = Math.round(75 * rate);
      long first = half - Math.round(half * Math.min(1, 0.01 * Math.pow(rate / 60, 15)));
      long later = half - Math.round(half * Math.min(1, 0.01 * Math.pow(rate / 40, 15)));
      ProbeResult one = probe(3, rate, 2 * half, first + later, 40);
      ProbeFigures figures = one.figures();
      all.add(
          new ProbeResult(
              new Probe(all.size() + 1, Probe.Purpose.NARROW, rate, 15, 150, 1), 175, one.judged(),
              one.good(), one.load(), one.trust(), "",
              MadeProbes.figures(
                  figures.ttft(), figures.tpot(), figures.tokensPerSecond(), figures.running(),
                  figures.waiting(), figures.limits(),
                  new ProbeFigures.Kept("first half", first, half))));
    }
    return all;
  }

  /** Nobody counted tokens. */
  private static List<ProbeResult> bare() {
    return List.of(probe(1, 44.9, 2694, 2676, 0), probe(2, 50, 3000, 2000, 0));
  }

  private static List<ProbeResult> measured() {
    List<ProbeResult> all = new ArrayList<>();
    for (ProbeResult one : near()) {
      ProbeResult.Load load = one.load();
      all.add(
          with(
              one,
              new ProbeResult.Load(
                  load.meanInFlight(), load.completedPerSecond(), false, 4, load.runningMost(),
                  load.waitingMost(), load.kvCacheMost(), load.preempted(), 40, 0.4, 8, 0.98,
                  0, 0),
              ProbeResult.Trust.TRUSTED, ""));
    }
    return all;
  }

  private static List<ProbeResult> many() {
    List<ProbeResult> all = new ArrayList<>(near());
    for (double rate : new double[] {5, 10, 15, 25, 30, 35, 40, 70, 80, 90, 100, 110}) {
      all.add(probe(all.size() + 1, rate, 1500, rate < 45 ? 1499 : 700, 40));
    }
    return all;
  }

  private static List<ProbeResult> odd() {
    List<ProbeResult> all = new ArrayList<>(near());
    all.set(0, with(all.get(0), all.get(0).load(), ProbeResult.Trust.PARTLY_CHECKED, ""));
    all.set(3, with(all.get(3), all.get(3).load(), ProbeResult.Trust.NOT_TRUSTED, "it was odd"));
    all.set(
        2,
        with(
            all.get(2), all.get(2).load(), ProbeResult.Trust.TRUSTED,
            "9 of 10 answers are not as long as requested"));
    return all;
  }

  private static List<ProbeResult> refused() {
    ProbeResult one = probe(2, 48, 1000, 700, 40);
    return List.of(
        probe(1, 40, 1000, 990, 40),
        with(
            one, one.load(), ProbeResult.Trust.TRUSTED,
            "300 of 1000 requests failed (30.0 %; 300 with HTTP 429)"));
  }

  private static List<ProbeResult> contradicted() {
    return List.of(
        loaded(probe(1, 29, 1000, 340, 40), 0, -1, 0), loaded(probe(2, 31, 1000, 945, 40), 3, 1, 0),
        grown(probe(3, 28, 1000, 999, 40)), grown(probe(4, 33, 1000, 100, 40)));
  }

  private static ProbeResult grown(ProbeResult one) {
    return with(
        one, new ProbeResult.Load(40, 70, true, 1, 8, 40, 0.5, 0, 20, 0, 0, 0, 0, 0), one.trust(),
        "");
  }

  private static ProbeResult left(int number, double perSecond, String doubt) {
    ProbeResult one = probe(number, perSecond, 1000, 900, 40);
    return with(one, one.load(), ProbeResult.Trust.CLIENT_SATURATED, doubt);
  }

  static ProbeResult probe(int number, double perSecond, long judged, long good, double tokens) {
    Probe.Purpose purpose =
        perSecond == 44.9
            ? Probe.Purpose.CONFIRM
            : number < 3 ? Probe.Purpose.BRACKET : Probe.Purpose.NARROW;
    return new ProbeResult(
        new Probe(number, purpose, perSecond, 5, 60, 1000 + number), 70.5, judged, good,
        new ProbeResult.Load(
            perSecond / 3, perSecond * 0.98, false, 2, -1, -1, -1, -1, tokens, 0, 0, 0, 0, 0),
        ProbeResult.Trust.TRUSTED, "",
        MadeProbes.figures(
            new ProbeFigures.Percentiles(0.08, 0.31 + 0.01 * (judged - good), 0.9),
            new ProbeFigures.Percentiles(0.011, 0.014, 0.021), perSecond * tokens, 6.4, 0.3,
            List.of(new ProbeFigures.Kept("TTFT", good, judged)), null));
  }

  private static ProbeResult loaded(
      ProbeResult one, double waiting, double kvCache, double preempted) {
    ProbeResult.Load load = one.load();
    return with(
        one,
        new ProbeResult.Load(
            load.meanInFlight(), load.completedPerSecond(), load.overloaded(), 2, 32, waiting,
            kvCache, preempted, load.tokensPerRequest(), 0, 0, 0, 0, 0),
        one.trust(), "");
  }

  private static ProbeResult with(
      ProbeResult one, ProbeResult.Load load, ProbeResult.Trust trust, String doubt) {
    return new ProbeResult(
        one.probe(), one.elapsedSeconds(), one.judged(), one.good(), load, trust, doubt,
        one.figures());
  }

  static CapacityEnd end(CapacityAnswer answer, List<ProbeResult> probes) {
    return MadeProbes.end(
        "chat", "requests/s", VLLM,
        new JointObjective(List.of(new Objective(Objective.Metric.TTFT, 0.5, 0.99, "")), 0.99),
        new Budget(OptionalDouble.of(1800)), UNSIZED, answer, probes, Optional.empty());
  }

  static CapacityEnd sized(CapacityEnd end, FleetSizing sizing) {
    return MadeProbes.end(
        end.scenario(), end.unit(), end.engine(), end.objective(), end.budget(), sizing,
        end.answer(), end.probes(), end.forecast());
  }

  private static CapacityEnd predicted(
      CapacityEnd end, CapacityAnswer answer, List<ProbeResult> probes) {
    return MadeProbes.end(
        end.scenario(), end.unit(), end.engine(), end.objective(), end.budget(), end.sizing(),
        end.answer(), end.probes(), Optional.of(new PredictedSearch(answer, probes)));
  }

  private static CapacityEnd on(String engine, Map<String, CapacityEnd> all) {
    CapacityEnd end = all.get("certified");
    return MadeProbes.end(
        end.scenario(), end.unit(), engine, end.objective(), new Budget(NONE), end.sizing(),
        end.answer(), end.probes(), end.forecast());
  }

  private static CapacityEnd ofConversations(CapacityEnd end) {
    return new CapacityEnd(
        end.scenario(), "sessions/s", end.engine(), end.objective(), end.budget(),
        end.sizing(), end.answer(),
        end.probes().stream().map(MadeEnds::ofFourRequests).toList(), end.forecast(),
        Optional.of(Ceiling.none("users of conversations pause")));
  }

  private static ProbeResult ofFourRequests(ProbeResult one) {
    ProbeFigures of = one.figures();
    return new ProbeResult(
        one.probe(), one.elapsedSeconds(), one.judged(), one.good(), one.load(), one.trust(),
        one.doubt(),
        new ProbeFigures(
            of.ttft(), of.tpot(), of.tokensPerSecond(), of.running(), of.waiting(), of.limits(),
            of.firstHalf(), 4, ""));
  }

  /** A peak, a price, a power, and a day of two levels. */
  private static FleetSizing fleet() {
    return new FleetSizing(
        OptionalDouble.of(500), OptionalDouble.of(2.5), OptionalDouble.of(700),
        Optional.of(traffic()));
  }

  private static DemandProfile traffic() {
    try {
      Path file = Files.createTempFile("made", ".yaml");
      Files.writeString(
          file,
          """
          name: day
          warmup: {requests: 0}
          workload:
            arrival: constant
            rate: {steps: [{rate: 10, for: 30s}, {rate: 100, for: 30s}]}
            prompt_tokens: 100
            output_tokens: 40
          """);
      try {
        return DemandProfile.of(
            Planner.plan(ScenarioReader.read(file, List.of(), List.of()), 1), 10);
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
