package tallystick.report.section;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tallystick.analysis.result.ExporterAccount;
import tallystick.analysis.result.ExporterAccount.Gpu;
import tallystick.analysis.result.ExporterAccount.GpuEnergy;
import tallystick.analysis.result.ExporterAccount.Host;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.GaugeRange;
import tallystick.answer.Block;
import tallystick.answer.Fact;
import tallystick.answer.Section;
import tallystick.answer.words.Numbers;

/** The GPUs, their energy, and the hosts, as their exporters saw them under load. */
public final class MachinesSection {
  private static final double MEBI = 1 << 20;

  private MachinesSection() {}

  /** Nothing where no exporter shows a machine. */
  public static Section of(ExporterAccount surroundings) {
    List<Block.Group> machines = new ArrayList<>();
    for (Gpu gpu : surroundings.gpus()) {
      machines.add(Block.Group.of(gpu.device() + ", " + gpu.exporter(), gpu(gpu)));
    }
    if (!surroundings.gpus().isEmpty()) {
      machines.add(Block.Group.of("GPU energy", energy(surroundings.gpuEnergy())));
    }
    for (Host host : surroundings.hosts()) {
      machines.add(Block.Group.of("host, " + host.exporter(), host(host)));
    }
    return Section.of(
        "machines",
        "GPUs and hosts under load",
        machines.isEmpty() ? List.of() : List.of(new Block.Groups(machines)));
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
        (cause, seconds) -> facts.add(new Fact("throttled by " + cause, Numbers.latency(seconds))));
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
      facts.add(new Fact(
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
      facts.add(new Fact(
          name,
          "mean " + Numbers.number(range.mean()) + unit
              + ", max " + Numbers.number(range.maximum()) + unit));
    }
  }

  /** A clock is judged by how far it fell. */
  private static void addLow(List<Fact> facts, String name, GaugeRange range, String unit) {
    if (range != null) {
      facts.add(new Fact(
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
