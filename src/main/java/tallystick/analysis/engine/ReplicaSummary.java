package tallystick.analysis.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import tallystick.analysis.client.MeasuredWindow;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Finding.Code;
import tallystick.analysis.result.ReplicaAccount;
import tallystick.analysis.result.ReplicaAccount.Replica;
import tallystick.runrecord.MetricConcept;
import tallystick.scenario.Formatted;
import tallystick.scenario.Target;

/** Lays the engines of a run beside each other: counters by engine, gauges by engine. */
public record ReplicaSummary(EngineReading reading, List<Target> targets, MeasuredWindow window) {
  /** A replica that makes this much more than its share is worth a word. */
  private static final double UNEVEN = 1.25;

  private static final String NO_SHARE = "nothing says which share is its own";

  private static final Figure NOT_EXPOSED = Figure.missing("the engine does not expose it");

  /** The account; without replicas where there is but one engine. */
  public ReplicaAccount account() {
    List<Part> parts = parts();
    if (parts.size() < 2) {
      return new ReplicaAccount(List.of(), Figure.missing("there is one engine"));
    }
    OptionalDouble all = total(parts);
    List<Replica> replicas = parts.stream().map(part -> replica(part, all)).toList();
    OptionalDouble busiest =
        replicas.stream().flatMap(replica -> overShare(replica).stream())
            .mapToDouble(Double::doubleValue)
            .max();
    return new ReplicaAccount(
        replicas,
        busiest.isPresent()
            ? Figure.of(busiest.getAsDouble())
            : Figure.missing(all.orElse(0) > 0 ? NO_SHARE : "no output tokens by engine"));
  }

  /** A word on replicas that did unequal work. */
  public static List<Finding> findings(ReplicaAccount account) {
    if (!(account.busiestOverShare() instanceof Figure.Known busiest)
        || busiest.value() <= UNEVEN) {
      return List.of();
    }
    List<String> lines =
        account.replicas().stream()
            .map(
                replica ->
                    Formatted.of(
                        "%s: %s of the output tokens, share %s", replica.name(),
                        percent(replica.tokenShare()), percent(replica.expectedShare())))
            .toList();
    return List.of(new Finding(Code.REPLICAS_UNEVEN,
        Formatted.of(
            "The load was uneven: one engine made %.2f times its share of the output tokens.",
            busiest.value()),
        lines, "Look at each engine: a latency over all of them hides the busy one."));
  }

  /** One engine of one target. */
  private record Part(
      String name, double expectedShare, List<SeriesTrack> tracks, ScrapeColumns table) {
    OptionalDouble counter(MetricConcept concept) {
      List<SeriesTrack> own =
          tracks.stream()
              .filter(t -> t.kind() == SeriesTrack.Kind.COUNTER && t.means(concept))
              .toList();
      return own.isEmpty()
          ? OptionalDouble.empty()
          : OptionalDouble.of(own.stream().mapToDouble(SeriesTrack::delta).sum());
    }

    Figure mean(MetricConcept concept) {
      double sum = growth(concept, SeriesTrack.Kind.SUM);
      double count = growth(concept, SeriesTrack.Kind.COUNT);
      return count > 0 ? Figure.of(sum / count) : Figure.missing("no observations");
    }

    private double growth(MetricConcept concept, SeriesTrack.Kind kind) {
      return tracks.stream()
          .filter(t -> t.kind() == kind && t.means(concept))
          .mapToDouble(SeriesTrack::delta)
          .sum();
    }
  }

  private List<Part> parts() {
    double weights =
        IntStream.range(0, Math.max(targets.size(), lastIndex() + 1))
            .mapToDouble(this::weight)
            .sum();
    List<Part> parts = new ArrayList<>();
    reading
        .targets()
        .forEach(
            (index, target) -> {
              EngineColumns columns = reading.columns().get(index);
              Map<String, ScrapeColumns> engines = columns.byEngine();
              double share = weight(index) / weights / engines.size();
              engines.forEach(
                  (engine, table) ->
                      parts.add(new Part(
                          columns.nameOf(engine), share, tracks(target, engine), table)));
            });
    return parts;
  }

  /** A damaged record may not tell its targets; then they are taken for equal. */
  private double weight(int index) {
    if (targets.stream().anyMatch(Target::onlyPassesOn)) {
      return Double.NaN;
    }
    return index < targets.size() ? targets.get(index).weight() : 1;
  }

  private int lastIndex() {
    return reading.targets().keySet().stream().mapToInt(Integer::intValue).max().orElse(-1);
  }

  private static List<SeriesTrack> tracks(TargetReading target, String engine) {
    return target.tracks().stream()
        .filter(track -> track.concept().isPresent() && target.uses(track))
        .filter(track -> track.engine().equals(engine))
        .toList();
  }

  private static OptionalDouble total(List<Part> parts) {
    double[] made =
        parts.stream()
            .flatMapToDouble(part -> part.counter(MetricConcept.GENERATION_TOKENS).stream())
            .toArray();
    return made.length == parts.size()
        ? OptionalDouble.of(Arrays.stream(made).sum())
        : OptionalDouble.empty();
  }

  private Replica replica(Part part, OptionalDouble all) {
    OptionalDouble made = part.counter(MetricConcept.GENERATION_TOKENS);
    Figure share =
        all.isPresent() && all.getAsDouble() > 0
            ? Figure.of(made.orElse(0) / all.getAsDouble())
            : Figure.missing("no output tokens by engine");
    return new Replica(
        part.name(),
        Double.isFinite(part.expectedShare())
            ? Figure.of(part.expectedShare())
            : Figure.missing(NO_SHARE),
        share,
        figure(part.counter(MetricConcept.REQUEST_SUCCESS)),
        figure(part.counter(MetricConcept.PROMPT_TOKENS)),
        figure(made),
        figure(part.counter(MetricConcept.PREEMPTIONS)),
        part.mean(MetricConcept.TTFT),
        figure(underLoad(part.table(), EngineColumns.RUNNING).average()),
        figure(underLoad(part.table(), EngineColumns.WAITING).average()),
        figure(underLoad(part.table(), EngineColumns.KV_USAGE).max()));
  }

  private static Optional<Double> overShare(Replica replica) {
    return replica.tokenShare() instanceof Figure.Known made
            && replica.expectedShare() instanceof Figure.Known expected
            && expected.value() > 0
        ? Optional.of(made.value() / expected.value())
        : Optional.empty();
  }

  /** A gauge at the scrapes under load, holes left out. */
  private DoubleStream underLoad(ScrapeColumns table, String column) {
    double[] seconds = table.seconds();
    double[] values = table.values(column);
    double end = window.secondsAfterOrigin(window.drainedNanos());
    return IntStream.range(0, seconds.length)
        .filter(i -> seconds[i] >= 0 && seconds[i] <= end && !Double.isNaN(values[i]))
        .mapToDouble(i -> values[i]);
  }

  private static Figure figure(OptionalDouble value) {
    return value.isPresent() ? Figure.of(value.getAsDouble()) : NOT_EXPOSED;
  }

  private static String percent(Figure share) {
    return share instanceof Figure.Known known
        ? Formatted.of("%.1f %%", known.value() * 100)
        : "n/a";
  }
}
