package tallystick.scrape;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tallystick.runrecord.EngineFamily;
import tallystick.runrecord.EngineRelease;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.MetricVocabulary;
import tallystick.runrecord.Sample;

/** What a target exposes and, for what it does not, which checks become impossible. */
final class MissingMetrics {
  private static final Map<MetricConcept, String> NEEDED_FOR = new EnumMap<>(MetricConcept.class);

  private static final List<MetricConcept> GAUGES =
      List.of(MetricConcept.RUNNING, MetricConcept.WAITING, MetricConcept.KV_CACHE_USAGE);

  static {
    NEEDED_FOR.put(MetricConcept.REQUEST_SUCCESS, "ledger row R1, finished requests by reason");
    NEEDED_FOR.put(MetricConcept.TTFT, "ledger row R2 and the engine's TTFT beside the client's");
    NEEDED_FOR.put(MetricConcept.PROMPT_TOKENS, "ledger row R3, prompt tokens");
    NEEDED_FOR.put(MetricConcept.GENERATION_TOKENS, "ledger row R4, output tokens");
    NEEDED_FOR.put(MetricConcept.ITL, "ledger row R5 and the engine's ITL beside the client's");
    NEEDED_FOR.put(MetricConcept.E2E, "ledger rows R6 and R8, finished requests and their time");
    NEEDED_FOR.put(MetricConcept.QUEUE_TIME, "ledger row R6 and the queue's share of TTFT");
    NEEDED_FOR.put(MetricConcept.PREFILL_TIME, "ledger row R6 and the prefill's share of TTFT");
    NEEDED_FOR.put(MetricConcept.REQUEST_PROMPT_TOKENS, "ledger row R7, prompts of the finished");
    NEEDED_FOR.put(MetricConcept.DECODE_TIME, "the decode's share of the end-to-end time");
    NEEDED_FOR.put(MetricConcept.RUNNING, "the quiet rule's gauges and the batch over time");
    NEEDED_FOR.put(MetricConcept.WAITING, "the quiet rule's gauges and the queue over time");
    NEEDED_FOR.put(MetricConcept.KV_CACHE_USAGE, "findings about KV cache pressure");
    NEEDED_FOR.put(MetricConcept.PREEMPTIONS, "findings about preemption");
    NEEDED_FOR.put(MetricConcept.PREFIX_QUERIES, "the prefix cache's share of prompts");
    NEEDED_FOR.put(MetricConcept.PREFIX_HITS, "the prefix cache's share of prompts");
    NEEDED_FOR.put(MetricConcept.CACHE_CONFIG, "the KV cache's size in tokens");
  }

  private static final String FRONTEND =
      "this is Dynamo's frontend, which shows no metric of an engine; point --metrics-url at a"
          + " worker's /metrics (the port of its DYN_SYSTEM_PORT), and name this URL as an exporter"
          + " of the scenario";

  private MissingMetrics() {}

  static List<Remark> remarks(List<Sample> samples, String engineVersion) {
    MetricVocabulary vocabulary = MetricVocabulary.standard();
    SortedSet<MetricConcept> exposed = new TreeSet<>();
    samples.forEach(sample -> vocabulary.conceptOf(sample.series().name()).ifPresent(exposed::add));
    List<Remark> remarks = new ArrayList<>();
    remarks.add(Remark.good("exposed", words(exposed)));
    Set<EngineFamily> families = new LinkedHashSet<>(Observation.familiesOf(samples));
    if (families.isEmpty()) {
      remarks.add(noEngine(samples));
    } else if (families.size() > 1) {
      remarks.add(severalEngines(families));
    }
    families.forEach(family -> remarks.addAll(of(family, exposed, engineVersion)));
    strangers(samples).ifPresent(remarks::add);
    return remarks;
  }

  private static Remark noEngine(List<Sample> samples) {
    boolean isFrontend =
        samples.stream().anyMatch(s -> s.series().name().startsWith("dynamo_frontend_"));
    return isFrontend
        ? Remark.warning("frontend", FRONTEND)
        : Remark.note("first request",
            "no metric of an engine yet; a Dynamo worker shows its engine's only after its first"
                + " request, so send one and look again");
  }

  private static Remark severalEngines(Set<EngineFamily> families) {
    return Remark.untrusted("engines",
        families.stream().map(EngineFamily::title).collect(Collectors.joining(" and "))
            + " count differently and are never added up; name each as a target of its own");
  }

  /** What one family does not expose. */
  private static List<Remark> of(
      EngineFamily family, Set<MetricConcept> exposed, String engineVersion) {
    List<Remark> remarks = new ArrayList<>();
    boolean hasNoGauge = GAUGES.stream().noneMatch(exposed::contains);
    if (hasNoGauge && exposed.contains(MetricConcept.REQUEST_SUCCESS)) {
      String text =
          "no gauge of the scheduler yet; several API servers (--api-server-count) show theirs "
              + "only after the first request, so send one and look again";
      remarks.add(Remark.note("first request", text));
    }
    Map<String, String> never = new LinkedHashMap<>();
    NEEDED_FOR.forEach(
        (concept, need) -> {
          List<MetricVocabulary.Entry> names = MetricVocabulary.standard().namesOf(concept, family);
          if (names.stream().allMatch(MetricVocabulary.Entry::removed)) {
            never.put(concept.name().toLowerCase(Locale.ROOT), need);
          } else if (!exposed.contains(concept)) {
            String name = names.getFirst().family();
            String text = name + " is absent, so unknown; impossible without it: " + need;
            remarks.add(Remark.warning("missing", text));
          }
        });
    never.forEach(
        (concept, need) ->
            remarks.add(Remark.note("not counted",
                family.title() + " does not tell " + concept + ", so unknown: " + need)));
    notConfigured(family, exposed, engineVersion).ifPresent(remarks::add);
    return remarks;
  }

  private static Optional<Remark> strangers(List<Sample> samples) {
    MetricVocabulary vocabulary = MetricVocabulary.standard();
    SortedSet<String> strangers = new TreeSet<>();
    for (Sample sample : samples) {
      String name = sample.series().name();
      boolean isKnown = vocabulary.conceptOf(name).isPresent() || name.endsWith("_created");
      if (Observation.isEngines(name) && !isKnown) {
        strangers.add(name.replaceAll("_(bucket|sum|count)$", ""));
      }
    }
    String text =
        "recorded like all others but not known by meaning: " + String.join(", ", strangers);
    return Optional.of(Remark.note("unknown names", text)).filter(remark -> !strangers.isEmpty());
  }

  /** What this release shows only when it is configured to, by what brings it. */
  private static Optional<Remark> notConfigured(
      EngineFamily family, Set<MetricConcept> exposed, String engineVersion) {
    Optional<EngineRelease> release = EngineRelease.read(engineVersion);
    Map<String, List<String>> metrics = new TreeMap<>();
    for (MetricConcept concept : MetricConcept.values()) {
      for (MetricVocabulary.Entry entry : MetricVocabulary.standard().namesOf(concept, family)) {
        boolean isOffered =
            release.map(each -> entry.life().isExposedIn(each, false)).orElse(!entry.removed());
        if (entry.note().startsWith("only ") && isOffered && !exposed.contains(concept)) {
          metrics
              .computeIfAbsent(entry.note().split(";")[0], any -> new ArrayList<>())
              .add(family.withoutPrefix(entry.family()));
        }
      }
    }
    List<String> groups = new ArrayList<>();
    metrics.forEach((when, names) -> groups.add(when + ": " + String.join(", ", names)));
    return Optional.of(Remark.note("not exposed",
            "these stay unknown, not 0; this release shows them " + String.join("; ", groups)))
        .filter(remark -> !groups.isEmpty());
  }

  private static String words(SortedSet<MetricConcept> exposed) {
    String names = exposed.toString().toLowerCase(Locale.ROOT).replaceAll("[\\[\\],]", "");
    return exposed.size() + " known concepts: " + names;
  }
}
