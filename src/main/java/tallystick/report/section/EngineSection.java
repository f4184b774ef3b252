package tallystick.report.section;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tallystick.analysis.result.EngineDistribution;
import tallystick.analysis.result.GaugeRange;
import tallystick.analysis.result.Latency;
import tallystick.analysis.result.LoadAccount;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.RunAnalysis.EngineAccount;
import tallystick.answer.Block;
import tallystick.answer.Fact;
import tallystick.answer.Section;
import tallystick.answer.words.Numbers;
import tallystick.answer.words.Wording;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.MetricVocabulary;

/** What the engine says of its pressure, of its drafts if it makes any, and its counters. */
public final class EngineSection {
  private static final String NONE_EXPOSED = "n/a (no usable value exposed)";

  private EngineSection() {}

  public static Section of(RunAnalysis analysis) {
    List<Fact> facts = new ArrayList<>(pressure(analysis.engine()));
    facts.addAll(speculation(analysis.load()));
    Block details =
        new Block.Groups(List.of(
            Block.Group.of("Engine counters", counters(analysis.engine())),
            Block.Group.of("KV residency and transfers", residency(analysis.engine()))));
    return Section.of(
        "engine", "Engine", new Block.Facts(facts), new Block.PageOnly("", List.of(details)));
  }

  /** What the engine says of its pressure. */
  public static List<Fact> pressure(EngineAccount engine) {
    if (!engine.available()) {
      String why = "n/a (" + engine.absence() + ")";
      return List.of(
          new Fact("preemptions", why), new Fact("waiting", why), new Fact("KV usage", why));
    }
    List<Fact> facts = new ArrayList<>();
    facts.add(new Fact("preemptions", preemptions(engine)));
    facts.add(new Fact("waiting", gauge(engine, MetricConcept.WAITING)));
    facts.add(new Fact("running", gauge(engine, MetricConcept.RUNNING)));
    facts.add(new Fact("KV usage", ratioGauge(engine, MetricConcept.KV_CACHE_USAGE)));
    String failed = engine.failedScrapes() == 0 ? "" : ", " + engine.failedScrapes() + " failed";
    facts.add(new Fact("scrapes", Numbers.count(engine.goodScrapes()) + " good" + failed));
    return facts;
  }

  /** The two that tell most of its pressure. */
  public static List<Fact> brief(EngineAccount engine) {
    return List.of(
        new Fact("preemptions", preemptions(engine)),
        new Fact("KV usage", ratioGauge(engine, MetricConcept.KV_CACHE_USAGE)));
  }

  /** What every counter with a known meaning grew by; a name that is not here is unknown. */
  private static List<Fact> counters(EngineAccount engine) {
    return new TreeMap<>(engine.counters())
        .entrySet().stream()
            .filter(counter -> MetricVocabulary.standard().familyOf(counter.getKey()).isPresent())
            .map(counter -> new Fact(counter.getKey(), Numbers.count(counter.getValue())))
            .toList();
  }

  /** How long KV blocks were kept and transfers took; nothing where the engine does not tell. */
  private static List<Fact> residency(EngineAccount engine) {
    List<Fact> facts = new ArrayList<>();
    for (Latency latency : Latency.RESIDENCY) {
      EngineDistribution one = engine.distributions().get(latency);
      if (one != null && one.count() > 0) {
        String value = "mean " + Numbers.latency(one.mean()) + ", n=" + Numbers.count(one.count());
        facts.add(new Fact(Wording.name(latency), value));
      }
    }
    return facts;
  }

  /** The counter of preemptions, whatever this engine calls it. */
  public static String preemptions(EngineAccount engine) {
    if (!engine.available()) {
      return "n/a (" + engine.absence() + ")";
    }
    MetricVocabulary vocabulary = MetricVocabulary.standard();
    return engine.counters().entrySet().stream()
        .filter(counter -> vocabulary.means(counter.getKey(), MetricConcept.PREEMPTIONS))
        .map(counter -> Numbers.count(counter.getValue()))
        .findFirst()
        .orElse(NONE_EXPOSED);
  }

  private static String gauge(EngineAccount engine, MetricConcept concept) {
    return range(engine, concept)
        .map(r -> "mean " + Numbers.number(r.mean()) + ", max " + Numbers.count(r.maximum()))
        .orElse(NONE_EXPOSED);
  }

  private static String ratioGauge(EngineAccount engine, MetricConcept concept) {
    return range(engine, concept)
        .map(r -> "mean " + Numbers.percent(r.mean()) + ", max " + Numbers.percent(r.maximum()))
        .orElse(NONE_EXPOSED);
  }

  // An engine may expose an older name beside the current one; the current one counts.
  private static Optional<GaugeRange> range(EngineAccount engine, MetricConcept concept) {
    return engine.gauges().entrySet().stream()
        .filter(gauge -> MetricVocabulary.standard().means(gauge.getKey(), concept))
        .min(Comparator.comparing(gauge -> isOlder(gauge.getKey())))
        .map(Map.Entry::getValue);
  }

  private static boolean isOlder(String name) {
    return MetricVocabulary.standard()
        .entryOf(name)
        .filter(MetricVocabulary.Entry::removed)
        .isPresent();
  }

  /** How well drafted tokens were guessed; nothing where none were drafted. */
  private static List<Fact> speculation(LoadAccount load) {
    if (load.acceptedAt().isEmpty()) {
      return List.of();
    }
    String places =
        load.acceptedAt().stream().map(Numbers::percent).collect(Collectors.joining(", "));
    return List.of(
        new Fact("accepted draft tokens", Numbers.percent(load.speculativeAcceptance())),
        new Fact("by place in the draft", places));
  }
}
