package tallystick.report;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import tallystick.analysis.result.ExporterAccount;
import tallystick.analysis.result.ExporterAccount.Gpu;
import tallystick.analysis.result.ExporterAccount.GpuEnergy;
import tallystick.analysis.result.ExporterAccount.Host;
import tallystick.analysis.result.ExporterAccount.MeasuringPoint;
import tallystick.analysis.result.ExporterAccount.Observed;
import tallystick.analysis.result.ExporterAccount.PointOrder;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.GaugeRange;
import tallystick.scenario.Exporter.Quantity;

/** The points between client and engine, and the machines, in words and cells. */
final class SurroundingsText {
  static final String POINTS_TITLE = "From the client to the engine, point by point";
  static final String MACHINES_TITLE = "GPUs and hosts under load";

  private static final Map<Quantity, String> COUNTS = new EnumMap<>(Quantity.class);
  private static final Map<Quantity, String> LATENCIES = new EnumMap<>(Quantity.class);
  private static final double MEBI = 1 << 20;

  static {
    COUNTS.put(Quantity.REQUESTS, "requests");
    COUNTS.put(Quantity.ERRORS, "errors");
    COUNTS.put(Quantity.PROMPT_TOKENS, "prompt tokens");
    COUNTS.put(Quantity.OUTPUT_TOKENS, "output tokens");
    LATENCIES.put(Quantity.TTFT, "TTFT mean");
    LATENCIES.put(Quantity.ITL, "ITL mean");
    LATENCIES.put(Quantity.E2E, "E2E mean");
  }

  private SurroundingsText() {}

  /** The head of the points' table. */
  static List<String> heads(ExporterAccount surroundings) {
    List<String> heads = new ArrayList<>(List.of(""));
    surroundings.points().forEach(point -> heads.add(name(point.name())));
    return heads;
  }

  /** The table's lines: counts, then requests by status, then times. */
  static List<List<String>> rows(ExporterAccount surroundings) {
    List<MeasuringPoint> points = surroundings.points();
    List<List<String>> rows = new ArrayList<>();
    COUNTS.forEach(
        (word, shown) -> {
          if (points.stream().anyMatch(point -> point.counts().containsKey(word))) {
            rows.add(row(shown, points, point -> count(point, word)));
          }
        });
    TreeSet<String> statuses = new TreeSet<>();
    points.forEach(point -> statuses.addAll(point.byStatus().keySet()));
    for (String status : statuses) {
      rows.add(row(statusName(status), points, point -> status(point, status)));
    }
    LATENCIES.forEach(
        (word, shown) -> {
          if (points.stream().anyMatch(point -> point.latencies().containsKey(word))) {
            rows.add(row(shown, points, point -> latency(point, word)));
          }
        });
    return rows;
  }

  /** One sentence for each time that is compared along the way. */
  static List<String> orders(ExporterAccount surroundings) {
    return surroundings.orders().stream().map(SurroundingsText::order).toList();
  }

  /** One list of facts for each GPU, for their energy, and for each host. */
  static Map<String, List<Fact>> machines(ExporterAccount surroundings) {
    Map<String, List<Fact>> machines = new LinkedHashMap<>();
    surroundings.gpus().forEach(
        gpu -> machines.put(gpu.device() + ", " + gpu.exporter(), gpu(gpu)));
    if (!surroundings.gpus().isEmpty()) {
      machines.put("GPU energy", energy(surroundings.gpuEnergy()));
    }
    surroundings.hosts().forEach(host -> machines.put("host, " + host.exporter(), host(host)));
    return machines;
  }

  /** Lines for a terminal; none where there is only the client. */
  static List<String> consolePoints(ExporterAccount surroundings) {
    if (surroundings.points().isEmpty()) {
      return List.of();
    }
    TextTable table = new TextTable(1);
    table.row(heads(surroundings));
    rows(surroundings).forEach(table::row);
    List<String> lines = new ArrayList<>(table.lines());
    orders(surroundings)
        .forEach(order -> lines.addAll(Lines.wrap("  ", order, ConsoleSummary.WIDTH)));
    return lines;
  }

  /** Lines for a terminal; none where no exporter shows a machine. */
  static List<String> consoleMachines(ExporterAccount surroundings) {
    List<String> lines = new ArrayList<>();
    machines(surroundings).forEach(
        (machine, facts) -> {
          lines.add("  " + machine);
          List<String> pieces =
              facts.stream().map(fact -> fact.name() + " " + fact.value()).toList();
          lines.addAll(Lines.join("    ", pieces, ConsoleSummary.WIDTH));
        });
    return lines;
  }

  private interface Cell {
    String of(MeasuringPoint point);
  }

  private static List<String> row(String name, List<MeasuringPoint> points, Cell cell) {
    List<String> cells = new ArrayList<>(List.of(name));
    points.forEach(point -> cells.add(cell.of(point)));
    return cells;
  }

  private static String count(MeasuringPoint point, Quantity word) {
    Figure figure = point.counts().get(word);
    return figure instanceof Figure.Known known ? Numbers.count(known.value()) : "–";
  }

  private static String status(MeasuringPoint point, String status) {
    Double count = point.byStatus().get(status);
    if (count != null) {
      return Numbers.count(count);
    }
    // A point that tells classes of status saw none of this one; other words it does not know.
    boolean tellsClasses = point.byStatus().keySet().stream().anyMatch(SurroundingsText::isClass);
    return tellsClasses && isClass(status) ? "0" : "–";
  }

  private static boolean isClass(String status) {
    return status.matches("[1-5]xx");
  }

  private static String latency(MeasuringPoint point, Quantity word) {
    Observed observed = point.latencies().get(word);
    return observed != null && observed.mean() instanceof Figure.Known
        ? Numbers.latency(observed.mean()) + " of " + Numbers.count(observed.count())
        : "–";
  }

  private static String name(String point) {
    return point.equals("server") ? "API server" : point;
  }

  private static String statusName(String status) {
    return status.equals(ExporterAccount.NO_ANSWER) ? "no answer" : "status " + status;
  }

  private static String order(PointOrder order) {
    String head = order.quantity() + ": ";
    String chain = String.join(" ≥ ", order.points().stream().map(SurroundingsText::name).toList());
    return switch (order.verdict()) {
      case HOLDS -> head + chain + " holds.";
      case BROKEN -> head + chain + " does NOT hold: " + order.detail() + ".";
      case NOT_COMPARED ->
          head + chain + " not compared: not the same requests (" + order.detail() + ").";
    };
  }

  private static List<Fact> gpu(Gpu gpu) {
    List<Fact> facts = new ArrayList<>();
    if (!gpu.model().isEmpty()) {
      facts.add(new Fact("model", gpu.model()));
    }
    Map<String, GaugeRange> gauges = gpu.gauges();
    add(facts, "utilisation", gauges.get("utilisation_percent"), " %");
    add(facts, "power", gauges.get("power_watts"), " W");
    addMemory(facts, gauges.get("memory_used_mib"), gauges.get("memory_free_mib"));
    addLow(facts, "SM clock", gauges.get("sm_clock_mhz"), " MHz");
    addLow(facts, "memory clock", gauges.get("memory_clock_mhz"), " MHz");
    add(facts, "temperature", gauges.get("temperature_celsius"), " °C");
    add(facts, "memory temperature", gauges.get("memory_temperature_celsius"), " °C");
    addRatio(facts, "engine active", gauges.get("engine_active_ratio"));
    addRatio(facts, "tensor active", gauges.get("tensor_active_ratio"));
    addRatio(facts, "DRAM active", gauges.get("dram_active_ratio"));
    gpu.throttledSeconds().forEach(
        (cause, seconds) ->
            facts.add(new Fact("throttled by " + cause, Numbers.latency(seconds))));
    if (gpu.throttledSeconds().isEmpty()) {
      facts.add(new Fact("throttling", "n/a (not exposed)"));
    }
    facts.add(new Fact("last XID", Numbers.count(gpu.lastXid())));
    facts.add(new Fact("energy", energy(gpu.energyJoules())));
    return facts;
  }

  private static List<Fact> energy(GpuEnergy energy) {
    return List.of(
        new Fact("all GPUs", energy(energy.joules())),
        new Fact("for each output token", energy(energy.joulesPerOutputToken())),
        new Fact("the same by mean power", energy(energy.joulesPerOutputTokenByPower())));
  }

  private static String energy(Figure joules) {
    return switch (joules) {
      case Figure.Known known -> Numbers.number(known.value()) + " J";
      case Figure.Unavailable missing -> Numbers.notAvailable(missing);
    };
  }

  private static List<Fact> host(Host host) {
    List<Fact> facts = new ArrayList<>();
    facts.add(new Fact("cores", Numbers.count(host.cores())));
    facts.add(new Fact("busy", Numbers.percent(host.busyRatio())));
    add(facts, "load", host.gauges().get("load1"), "");
    GaugeRange available = host.gauges().get("memory_available_bytes");
    GaugeRange total = host.gauges().get("memory_total_bytes");
    if (available != null && total != null) {
      facts.add(
          new Fact(
              "memory available",
              "min " + mebibytes(available.minimum()) + " of " + mebibytes(total.maximum())));
    }
    facts.add(new Fact("network received", rate(host.receivedBytesPerSecond())));
    facts.add(new Fact("sent", rate(host.sentBytesPerSecond())));
    return facts;
  }

  private static String rate(Figure bytesPerSecond) {
    return switch (bytesPerSecond) {
      case Figure.Known known -> Numbers.number(known.value() / 1e6) + " MB/s";
      case Figure.Unavailable missing -> Numbers.notAvailable(missing);
    };
  }

  private static String mebibytes(double bytes) {
    return Numbers.count(Math.rint(bytes / MEBI)) + " MiB";
  }

  private static void add(List<Fact> facts, String name, GaugeRange range, String unit) {
    if (range != null) {
      facts.add(
          new Fact(
              name,
              "mean " + Numbers.number(range.mean()) + unit
                  + ", max " + Numbers.number(range.maximum()) + unit));
    }
  }

  /** A clock is judged by how far it fell. */
  private static void addLow(List<Fact> facts, String name, GaugeRange range, String unit) {
    if (range != null) {
      facts.add(
          new Fact(
              name,
              "min " + Numbers.number(range.minimum())
                  + ", max " + Numbers.number(range.maximum()) + unit));
    }
  }

  private static void addMemory(List<Fact> facts, GaugeRange used, GaugeRange free) {
    if (used != null) {
      String of = free == null ? "" : ", free min " + Numbers.count(free.minimum()) + " MiB";
      facts.add(new Fact("memory used", "max " + Numbers.count(used.maximum()) + " MiB" + of));
    }
  }

  private static void addRatio(List<Fact> facts, String name, GaugeRange range) {
    if (range != null) {
      facts.add(new Fact(name, "mean " + Numbers.percent(range.mean())));
    }
  }
}
