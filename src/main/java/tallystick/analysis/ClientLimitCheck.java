package tallystick.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import tallystick.analysis.client.HarnessAccount;
import tallystick.analysis.client.MeasuredWindow;
import tallystick.analysis.result.ClientLimit;
import tallystick.analysis.result.ClientLimit.Verdict;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Finding;
import tallystick.analysis.statistics.OrderStatistics;
import tallystick.analysis.statistics.SampleSet;
import tallystick.runrecord.HarnessRow;
import tallystick.runrecord.Manifest;
import tallystick.scenario.Formatted;

/**
 * Whether the client could have sent more. What is not known never becomes a yes: where others use
 * the rest of its cores, or nothing was noted, that is said.
 */
final class ClientLimitCheck {
  /** A process that stands still for more of the window than this spoils a P99 by itself. */
  static final double STILL_SHARE = 0.01;

  /** Of the allowed delay, and of the cores: from here on as much again does not fit. */
  private static final double HALF = 0.5;

  /** At 80 % work takes five times its own length on a core (M/M/1). */
  private static final double MOST_OF_CORES = 0.8;

  /** The busiest twentieth of the samples: one busy second is none of a run's business. */
  private static final double BUSIEST = 0.95;

  /** From so much of the cores on, a thread that wakes often finds its core taken. */
  private static final double OTHERS = 0.25;

  private final double cores;
  private final double used;
  private final double everything;
  private final double others;
  private final String unknown;
  private final Figure mostInFlight;
  private double allowed;
  private Delay worst = new Delay("", Double.NaN, 1);

  /** A delay of the client's own, and how much of it is allowed. */
  private record Delay(String name, double seconds, double allowed) {
    double share() {
      return Double.isNaN(seconds) ? 0 : seconds / allowed;
    }

    String words() {
      return Formatted.of("its %s was %.1f ms of %.1f allowed", name, seconds * 1e3, allowed * 1e3);
    }
  }

  ClientLimitCheck(Manifest manifest, HarnessAccount harness, MeasuredWindow window) {
    List<HarnessRow.Cpu> notes = harness.seconds(window);
    boolean isSharded = manifest.host().containsKey("shards");
    String told = manifest.host().getOrDefault("cores", "");
    cores = !isSharded && told.matches("[1-9]\\d{0,4}") ? Integer.parseInt(told) : Double.NaN;
    used = busiest(notes.stream().mapToDouble(HarnessRow.Cpu::processCores));
    everything = Math.max(used, busiest(notes.stream().mapToDouble(HarnessRow.Cpu::machineCores)));
    others = busiest(notes.stream().mapToDouble(note -> note.machineCores() - note.processCores()));
    unknown = unknown(manifest, isSharded);
    mostInFlight = harness.mostInFlight();
  }

  private String unknown(Manifest manifest, boolean isSharded) {
    if (manifest.source() == Manifest.Source.VIRTUAL) {
      return "in virtual time no client ran";
    }
    if (isSharded) {
      return "several load processes sent this load; analyze each shard's own record";
    }
    if (Double.isNaN(cores) || Double.isNaN(used)) {
      return "the cores that it used and may use were not noted";
    }
    return Double.isNaN(everything) ? "what else ran on its machine was not noted" : "";
  }

  /** Notes samples of a delay: at this level if that exists, else at P95, else the largest. */
  void note(String name, SampleSet samples, double level, double allowedSeconds) {
    if (samples.quantile(level) instanceof Figure.Known known) {
      note("P" + Math.round(100 * level) + " " + name, known.value(), allowedSeconds);
    } else if (samples.quantile(BUSIEST) instanceof Figure.Known known) {
      note("P95 " + name, known.value(), allowedSeconds);
    } else {
      note("largest " + name, samples.plainQuantileSeconds(1), allowedSeconds);
    }
  }

  /** Notes a delay; NaN where there is none. */
  void note(String name, double seconds, double allowedSeconds) {
    allowed = allowedSeconds;
    if (!Double.isNaN(seconds) && !(seconds <= worst.seconds())) {
      worst = new Delay(name, seconds, allowedSeconds);
    }
  }

  /** The account, once every delay was noted. */
  ClientLimit limit(boolean isSaturated, double stillShare) {
    List<String> near = near(stillShare);
    Verdict verdict = verdict(isSaturated, !near.isEmpty());
    return new ClientLimit(
        verdict,
        text(verdict, near),
        figure(cores),
        figure(used),
        figure(everything),
        worst.name(),
        figure(worst.seconds()),
        allowed,
        mostInFlight);
  }

  private List<String> near(double stillShare) {
    List<String> near = new ArrayList<>();
    if (worst.share() > HALF) {
      near.add(worst.words());
    }
    if (stillShare > HALF * STILL_SHARE) {
      near.add(Formatted.of("it stood still for %.1f %% of the window", stillShare * 100));
    }
    if (used > MOST_OF_CORES * cores) {
      near.add(coresUsed());
    }
    return near;
  }

  private Verdict verdict(boolean isSaturated, boolean isNear) {
    if (isSaturated) {
      return Verdict.REACHED;
    }
    if (isNear) {
      return Verdict.NEAR;
    }
    if (!unknown.isEmpty() || worst.name().isEmpty() || isCrowded()) {
      return Verdict.CANNOT_TELL;
    }
    return everything <= HALF * cores ? Verdict.ROOM_FOR_TWICE : Verdict.NOT_THE_LIMIT;
  }

  private boolean isCrowded() {
    return everything > MOST_OF_CORES * cores;
  }

  private String text(Verdict verdict, List<String> near) {
    return switch (verdict) {
      case REACHED -> "The load generator was at its limit: its delays are inside the latencies.";
      case NEAR -> "The client was near its limit: " + String.join("; ", near) + ".";
      case CANNOT_TELL ->
          "The client kept up, but whether it could send more cannot be told: "
              + whyNot()
              + ".";
      case ROOM_FOR_TWICE -> notTheLimit() + " Its cores leave room for twice this load.";
      case NOT_THE_LIMIT ->
          notTheLimit()
              + " Twice this load is not shown to fit: all on its machine together used "
              + of(everything)
              + ".";
    };
  }

  private String whyNot() {
    if (!unknown.isEmpty()) {
      return unknown;
    }
    return worst.name().isEmpty()
        ? "no delay of its own was noted"
        : "all on its machine together used " + of(everything);
  }

  private String notTheLimit() {
    return "The client was not the limit: " + coresUsed() + ", and " + worst.words() + ".";
  }

  private String coresUsed() {
    return "it used " + of(used);
  }

  private String of(double some) {
    return Formatted.of("%.2f of %.0f cores", some, cores);
  }

  /** A note, because the figures still hold; none where they do not, or nothing is near. */
  static Optional<Finding> finding(ClientLimit limit) {
    return limit.verdict() == Verdict.NEAR
        ? Optional.of(new Finding(Finding.Code.CLIENT_NEAR_ITS_LIMIT, limit.text(),
            "Before a higher load, share it over more processes, or use another machine."))
        : Optional.empty();
  }

  /** What a client that was late needs: the record tells who used its machine. */
  String remedy() {
    if (!unknown.isEmpty()) {
      return "Close other programs on this machine or use another one; or lower the rate, or share"
          + " the load over more processes.";
    }
    if (others > OTHERS * cores) {
      return "Other programs, an engine here too, used " + of(others)
          + ": send the load from a machine of its own.";
    }
    return used > MOST_OF_CORES * cores
        ? "The client alone used " + of(used)
            + ": lower the rate, or share the load over more machines."
        : "Neither the client (" + of(used) + ") nor other programs (" + of(others)
            + ") kept the machine busy, and yet it was late: a virtual machine may have to wait for"
            + " its host. Use another machine, or lower the rate.";
  }

  private static double busiest(DoubleStream seconds) {
    double[] known = seconds.filter(cores -> !Double.isNaN(cores)).sorted().toArray();
    return known.length == 0
        ? Double.NaN
        : known[(int) OrderStatistics.rank(BUSIEST, known.length) - 1];
  }

  private static Figure figure(double value) {
    return Double.isNaN(value) ? Figure.missing("not noted") : Figure.of(value);
  }
}
