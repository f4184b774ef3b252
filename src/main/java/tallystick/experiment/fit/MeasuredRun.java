package tallystick.experiment.fit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tallystick.analysis.Analyzer;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.RunFigures;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RunRows;

/**
 * A run whose engine may be fitted.
 *
 * @param name its id
 * @param keys what must be equal in all runs of one fit
 * @param doubts why it may not be fitted; empty where it may
 * @param byTarget its requests, engine by engine
 * @param flags of the simulated engine, as far as the record tells what its own engine ran with
 */
public record MeasuredRun(
    String name,
    Map<String, String> keys,
    List<String> doubts,
    List<List<RequestRow>> byTarget,
    Map<String, String> flags) {
  /** What a record calls a setting, and the flag of the simulated engine that is the same. */
  private static final Map<String, String> FLAGS =
      Map.of(
          "num_gpu_blocks", "num-gpu-blocks-override",
          "block_size", "block-size",
          "max_num_seqs", "max-num-seqs",
          "max_num_batched_tokens", "max-num-batched-tokens");

  /** What stands before a label that an experiment wrote itself. */
  private static final String SETTING = "engine ";

  /** So small a share of prompt tokens changes no cost. */
  private static final double FEW_HITS = 0.01;

  /** A server that is late bundles some; an engine that makes several at once most. */
  private static final double MANY_BUNDLED = 0.25;

  /** A number, and where it comes from: {@code 64 (declared)}. */
  private static final Pattern NUMBER = Pattern.compile("(\\d+)( \\(.*\\))?");

  /** A run with what is known of it. */
  public static MeasuredRun of(RunRows rows) {
    List<RequestRow> all = new ArrayList<>();
    RunFigures figures =
        Analyzer.analyze(
                rows, marks -> {
                  all.clear();
                  return (row, choices) -> all.add(row);
                })
            .figures();
    return of(rows, all, figures);
  }

  /** The same, whose requests have been read. */
  public static MeasuredRun of(RunRows rows, List<RequestRow> all, RunFigures figures) {
    RunAnalysis analysis = figures.analysis();
    Map<Integer, List<RequestRow>> byTarget =
        all.stream()
            .collect(
                Collectors.groupingBy(RequestRow::target, TreeMap::new, Collectors.toList()));
    return new MeasuredRun(
        analysis.run().runId(), keys(analysis), doubts(rows, all, figures),
        List.copyOf(byTarget.values()), flags(analysis));
  }

  /** Whoever started the engine wrote its settings into the labels: an experiment, or a user. */
  private static Map<String, String> flags(RunAnalysis analysis) {
    Map<String, String> told = new TreeMap<>(analysis.engine().settings());
    analysis.run().labels()
        .forEach((name, value) -> told.put(name.replace(SETTING, ""), value));
    Map<String, String> flags = new TreeMap<>();
    FLAGS.forEach(
        (name, flag) -> {
          Matcher number = NUMBER.matcher(told.getOrDefault(name, ""));
          if (number.matches()) {
            flags.put(flag, number.group(1));
          }
        });
    longest(flags).ifPresent(tokens -> flags.put("max-model-len", Long.toString(tokens)));
    return flags;
  }

  /** What its cache holds, the null block apart; an engine serves no longer request. */
  private static OptionalLong longest(Map<String, String> flags) {
    String blocks = flags.getOrDefault("num-gpu-blocks-override", "");
    String tokens = flags.getOrDefault("block-size", "");
    if (blocks.isEmpty() || tokens.isEmpty() || blocks.length() > 8 || tokens.length() > 8) {
      return OptionalLong.empty();
    }
    long room = (Long.parseLong(blocks) - 1) * Long.parseLong(tokens);
    return room < 1 || room > Integer.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(room);
  }

  /** All its requests. */
  public List<RequestRow> requests() {
    return byTarget.stream().flatMap(List::stream).toList();
  }

  private static Map<String, String> keys(RunAnalysis analysis) {
    RunAnalysis.RunFacts run = analysis.run();
    Map<String, String> keys = new TreeMap<>();
    keys.put("kind of engine", run.source().isSimulated() ? "simulated" : "real");
    keys.put("engine version", run.versions().getOrDefault("engine", "unknown"));
    keys.put("model", run.model());
    for (String fact : List.of("name", "step_time_profile", "network_one_way_us")) {
      keys.put("host." + fact, run.host().getOrDefault(fact, ""));
    }
    keys.putAll(analysis.engine().settings());
    return keys;
  }

  private static List<String> doubts(
      RunRows rows, List<RequestRow> all, RunFigures figures) {
    List<String> doubts = new ArrayList<>();
    RunAnalysis analysis = figures.analysis();
    figures.usability().spoilers().forEach(finding -> doubts.add(finding.text()));
    if (figures.usability().isLedgerOpen()) {
      doubts.add("client and engine did not count the same: others may use it");
    }
    if (!analysis.engine().available()) {
      doubts.add("no scrapes of the engine: whether others use it is not known");
    } else if (engines(rows) > rows.manifest().targets().size()) {
      doubts.add("several engines behind one server: which one answered is not known");
    }
    if (all.stream().anyMatch(RequestRow::isUnstreamed)) {
      doubts.add("its answers were not streamed: when the engine made their tokens is not known");
    }
    if (isBundled(all)) {
      doubts.add(
          "its chunks bring several tokens (speculative decoding, --stream-interval): which step"
              + " made which is not known");
    }
    String hits = hits(rows, analysis);
    if (!hits.isEmpty() && !tellsHits(all)) {
      doubts.add(
          hits + ", and no answer tells which: start the server with"
              + " --enable-prompt-tokens-details, or leave shared prefixes out");
    }
    return doubts;
  }

  /** Whether many chunks bring more than one token. */
  private static boolean isBundled(List<RequestRow> all) {
    return all.stream()
            .flatMapToInt(row -> Arrays.stream(row.chunks().tokens()).skip(1))
            .map(tokens -> tokens > 1 ? 1 : 0)
            .average()
            .orElse(0)
        > MANY_BUNDLED;
  }

  /** Prompts that the prefix cache held, as far as the engine tells; empty for none. */
  private static String hits(RunRows rows, RunAnalysis analysis) {
    double share = analysis.load().prefixHitRatio().orNaN();
    boolean isOff =
        "False".equals(analysis.engine().settings().get("enable_prefix_caching"));
    if (Double.isNaN(share) && !isOff && rows.plan().sharesPrompts()) {
      return "an unknown share of its prompt tokens came from the prefix cache";
    }
    return share > FEW_HITS ? fromTheCache(share) : "";
  }

  private static boolean tellsHits(List<RequestRow> all) {
    return all.stream().anyMatch(row -> row.usage().cachedTokens() != RequestRow.UNKNOWN);
  }

  private static String fromTheCache(double share) {
    return Math.round(100 * share) + " % of its prompt tokens came from the prefix cache";
  }

  /** Why its requests cannot be put to another engine; empty where they can. */
  public Optional<String> unpredictable() {
    long prompts = 0;
    long cached = 0;
    for (RequestRow row : requests()) {
      prompts += Math.max(0, row.usage().promptTokens());
      cached += Math.max(0, row.usage().cachedTokens());
    }
    return cached > FEW_HITS * prompts
        ? Optional.of(
            name + " cannot be predicted: " + fromTheCache((double) cached / prompts)
                + ", and which prompts were alike is not recorded")
        : Optional.empty();
  }

  private static int engines(RunRows rows) {
    TreeSet<String> engines = new TreeSet<>();
    rows.eachScrape(
        scrape ->
            scrape.samples().stream()
                .map(sample -> sample.series().label("engine"))
                .filter(engine -> !engine.isEmpty())
                .forEach(engine -> engines.add(scrape.target() + " " + engine)));
    return engines.size();
  }

  /** Why these runs cannot be fitted together; empty if they can. */
  public static Optional<String> unfit(List<MeasuredRun> runs) {
    for (MeasuredRun run : runs) {
      if (!run.doubts.isEmpty()) {
        return Optional.of(run.name + " is not trusted: " + run.doubts.getFirst());
      }
    }
    MeasuredRun first = runs.getFirst();
    for (MeasuredRun run : runs) {
      List<String> unlike =
          first.keys.keySet().stream()
              .filter(key -> !first.keys.get(key).equals(run.keys.get(key)))
              .sorted()
              .map(key -> "%s (%s, %s)".formatted(key, first.keys.get(key), run.keys.get(key)))
              .toList();
      if (!unlike.isEmpty()) {
        return Optional.of(
            first.name + " and " + run.name + " differ in " + String.join(", ", unlike));
      }
    }
    return Optional.empty();
  }
}
