package tallystick.analysis.exporters;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import tallystick.analysis.engine.SeriesTrack;
import tallystick.analysis.result.ExporterAccount.Gpu;
import tallystick.analysis.result.ExporterAccount.GpuEnergy;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.GaugeRange;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.Series;
import tallystick.scenario.Counted;
import tallystick.scenario.Formatted;

/** The GPUs that the exporters show, and the energy they used. */
final class GpuAccounts {
  /**
   * An exporter reads its energy counter at its own pace, so each end of the load is known to one
   * reading only; with ten of them the error is at most a tenth.
   */
  private static final int FEWEST_MOVES = 10;

  /** The same for the longest time without a reading. */
  private static final double LONGEST_STILL_SHARE = 0.1;

  private static final double MILLIJOULES = 1e-3;
  private static final double NANOSECONDS = 1e-9;

  private static final Map<String, MetricConcept> GAUGES = new LinkedHashMap<>();
  private static final Map<String, MetricConcept> THROTTLES = new LinkedHashMap<>();

  static {
    GAUGES.put("utilisation_percent", MetricConcept.GPU_UTILISATION);
    GAUGES.put("memory_copy_utilisation_percent", MetricConcept.GPU_MEMORY_COPY_UTILISATION);
    GAUGES.put("memory_used_mib", MetricConcept.GPU_MEMORY_USED);
    GAUGES.put("memory_free_mib", MetricConcept.GPU_MEMORY_FREE);
    GAUGES.put("power_watts", MetricConcept.GPU_POWER);
    GAUGES.put("sm_clock_mhz", MetricConcept.GPU_SM_CLOCK);
    GAUGES.put("memory_clock_mhz", MetricConcept.GPU_MEMORY_CLOCK);
    GAUGES.put("temperature_celsius", MetricConcept.GPU_TEMPERATURE);
    GAUGES.put("memory_temperature_celsius", MetricConcept.GPU_MEMORY_TEMPERATURE);
    GAUGES.put("engine_active_ratio", MetricConcept.GPU_ENGINE_ACTIVE);
    GAUGES.put("tensor_active_ratio", MetricConcept.GPU_TENSOR_ACTIVE);
    GAUGES.put("dram_active_ratio", MetricConcept.GPU_DRAM_ACTIVE);
    THROTTLES.put("power", MetricConcept.GPU_POWER_THROTTLE);
    THROTTLES.put("thermal", MetricConcept.GPU_THERMAL_THROTTLE);
  }

  private GpuAccounts() {}

  /** One account for each GPU, in the order of exporters and devices. */
  static List<Gpu> of(List<ExporterReading> exporters) {
    List<Gpu> gpus = new ArrayList<>();
    for (ExporterReading exporter : exporters) {
      exporter.tracks().stream()
          .filter(track -> track.concept().filter(GpuAccounts::isOfGpu).isPresent())
          .collect(groupingBy(track -> device(track.series()), TreeMap::new, toList()))
          .forEach((device, tracks) -> gpus.add(gpu(exporter, device, tracks)));
    }
    return gpus;
  }

  /**
   * Energy of all GPUs together.
   *
   * @param outputTokens output tokens of the run, by the engine where it tells, or why unknown
   * @param loadSeconds length of the load
   */
  static GpuEnergy energy(List<Gpu> gpus, Figure outputTokens, double loadSeconds) {
    Figure joules = sum(gpus, Gpu::energyJoules);
    Figure watts = sum(gpus, Gpu::meanPowerWatts);
    Figure byPower =
        watts instanceof Figure.Known known
            ? loadSeconds > 0
                ? Figure.of(known.value() * loadSeconds)
                : Figure.missing("the length of the load is not known")
            : watts;
    return new GpuEnergy(
        joules, joules.over(outputTokens, "no output token"),
        byPower.over(outputTokens, "no output token"));
  }

  private static Gpu gpu(ExporterReading exporter, String device, List<SeriesTrack> tracks) {
    Map<String, GaugeRange> gauges = new LinkedHashMap<>();
    GAUGES.forEach(
        (word, concept) ->
            find(tracks, concept)
                .flatMap(exporter::range)
                .ifPresent(range -> gauges.put(word, range)));
    Map<String, Figure> throttled = new LinkedHashMap<>();
    Optional<ReadingPace> pace =
        tracks.stream()
            .flatMap(track -> exporter.pace(track).stream())
            .max(Comparator.comparingInt(ReadingPace::moves));
    THROTTLES.forEach(
        (cause, concept) ->
            find(tracks, concept).ifPresent(
                track -> throttled.put(
                    cause, growth(exporter, track, pace, "GPU's figures", NANOSECONDS))));
    Optional<SeriesTrack> xid = find(tracks, MetricConcept.GPU_XID_ERROR);
    return new Gpu(
        exporter.exporter().name(),
        device,
        tracks.get(0).series().label("modelName"),
        gauges,
        meanPower(exporter, Optional.ofNullable(gauges.get("power_watts")), pace),
        joules(exporter, find(tracks, MetricConcept.GPU_ENERGY)),
        throttled,
        xid.filter(track -> !Double.isNaN(track.value()))
            .map(track -> Figure.of(track.value()))
            .orElseGet(() -> Figure.missing("not exposed")),
        xid.map(track -> List.copyOf(exporter.xidsUnderLoad(track))).orElse(List.of()),
        exporter.hasDelta() && tracks.stream().noneMatch(exporter::reachesLoadEnd));
  }

  private static Figure joules(ExporterReading exporter, Optional<SeriesTrack> counter) {
    return counter
        .map(track -> growth(exporter, track, exporter.pace(track), "energy counter", MILLIJOULES))
        .orElseGet(() -> Figure.missing("no energy counter is exposed"));
  }

  /** Growth over the load of a counter that an exporter reads at the pace of something it shows. */
  private static Figure growth(
      ExporterReading exporter, SeriesTrack track, Optional<ReadingPace> pace, String paced,
      double unit) {
    OptionalDouble growth = exporter.growthUnderLoad(track);
    if (growth.isEmpty() || pace.isEmpty() || !exporter.coversLoad()) {
      return Figure.missing(ExporterReading.NOT_COVERED);
    }
    if (!exporter.reachesLoadEnd(track)) {
      return Figure.missing("it was not shown any more when the load ended");
    }
    if (track.resets() > 0) {
      return Figure.missing("its counter began anew");
    }
    int moves = pace.get().moves();
    if (moves < FEWEST_MOVES) {
      return Figure.missing(
          "the " + paced + " moved " + Counted.of(moves, "time", "times")
              + " in the load, need " + FEWEST_MOVES);
    }
    double still = pace.get().stillSeconds();
    return still > LONGEST_STILL_SHARE * exporter.loadSeconds()
        ? Figure.missing(Formatted.of("the %s stood still for %.1f s of the load", paced, still))
        : Figure.of(growth.getAsDouble() * unit);
  }

  private static Figure meanPower(
      ExporterReading exporter, Optional<GaugeRange> power, Optional<ReadingPace> pace) {
    if (power.isEmpty() || pace.isEmpty()) {
      return Figure.missing("no power was seen under load");
    }
    if (!exporter.coversLoad()) {
      return Figure.missing(ExporterReading.NOT_COVERED);
    }
    double gap = pace.get().gapSeconds();
    return gap > LONGEST_STILL_SHARE * exporter.loadSeconds()
        ? Figure.missing(Formatted.of("nothing new was read for %.1f s of the load", gap))
        : Figure.of(power.get().mean());
  }

  /** A sum over GPUs is one only if every GPU has its part. */
  private static Figure sum(List<Gpu> gpus, Function<Gpu, Figure> reading) {
    double sum = 0;
    for (Gpu gpu : gpus) {
      switch (reading.apply(gpu)) {
        case Figure.Known known -> sum += known.value();
        case Figure.Unavailable missing -> {
          return Figure.missing(gpu.device() + ": " + missing.reason());
        }
      }
    }
    return gpus.isEmpty() ? Figure.missing("no GPU is shown") : Figure.of(sum);
  }

  private static Optional<SeriesTrack> find(List<SeriesTrack> tracks, MetricConcept concept) {
    return tracks.stream().filter(track -> track.means(concept)).findFirst();
  }

  private static boolean isOfGpu(MetricConcept concept) {
    return GAUGES.containsValue(concept)
        || THROTTLES.containsValue(concept)
        || concept == MetricConcept.GPU_ENERGY
        || concept == MetricConcept.GPU_XID_ERROR;
  }

  /** Slices of one GPU share all labels but their own two. */
  private static String device(Series series) {
    String host = Stream.of("hostname", "Hostname", "instance")
        .map(series::label).filter(label -> !label.isEmpty()).findFirst().orElse("");
    String slice = series.label("GPU_I_ID");
    return "GPU " + series.label("gpu")
        + (slice.isEmpty() ? "" : " slice " + slice)
        + (host.isEmpty() ? "" : " of " + host);
  }
}
