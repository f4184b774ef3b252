package tallystick.analysis.result;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tallystick.scenario.Exporter.Quantity;

/**
 * What else was measured while the load ran: the points a request passes between client and
 * engine, and the machines the engine works on.
 *
 * @param points from the client to the engine, in the order a request meets them
 * @param orders whether each time shrinks on the way from the client to the engine
 * @param gpus one for each GPU an exporter shows
 * @param gpuEnergy energy of all of them together
 * @param hosts one for each exporter that shows a host
 * @param exporters the scraped endpoints themselves
 */
public record ExporterAccount(
    List<MeasuringPoint> points,
    List<PointOrder> orders,
    List<Gpu> gpus,
    GpuEnergy gpuEnergy,
    List<Host> hosts,
    List<ExporterScrapes> exporters) {

  /** The word for requests that got no answer. */
  public static final String NO_ANSWER = "none";

  /**
   * One place where requests are counted and timed.
   *
   * @param name client, an exporter's name, API server or engine
   * @param counts requests, errors, prompt tokens and output tokens, as far as the point counts
   *     them
   * @param byStatus requests by class of HTTP status, or by the point's own word
   * @param latencies the mean of each time, and of how many
   * @param distributions the histograms behind them; none for the client
   */
  public record MeasuringPoint(
      String name,
      Map<Quantity, Figure> counts,
      Map<String, Double> byStatus,
      Map<Quantity, Observed> latencies,
      Map<Quantity, EngineDistribution> distributions) {
    /** This harness. */
    public static final String CLIENT = "client";

    /** The API server, as its process counts its own requests. */
    public static final String SERVER = "server";

    public MeasuringPoint {
      counts = inOrder(counts);
      byStatus = inOrder(byStatus);
      latencies = inOrder(latencies);
      distributions = inOrder(distributions);
    }
  }

  /**
   * A mean.
   *
   * @param count observations
   * @param mean their mean, in seconds
   */
  public record Observed(double count, Figure mean) {}

  /**
   * One time along the way of a request: each point holds the next inside it, so means over the
   * same requests cannot grow towards the engine, but by a millisecond for the end of an answer.
   *
   * @param quantity TTFT or E2E
   * @param points names of the points that time it, the client first
   * @param seconds their means
   * @param verdict whether they shrink
   * @param detail why it is broken or not compared; empty when it holds
   */
  public record PointOrder(
      Quantity quantity, List<String> points, List<Double> seconds, Verdict verdict,
      String detail) {

    /** Whether times shrink towards the engine. */
    public enum Verdict implements Choice {
      HOLDS,
      BROKEN,
      NOT_COMPARED
    }

    public PointOrder {
      points = List.copyOf(points);
      seconds = List.copyOf(seconds);
    }
  }

  /**
   * One GPU under load.
   *
   * @param exporter name of the exporter that shows it
   * @param device which one: its index and its host
   * @param model for example {@code NVIDIA H200}
   * @param gauges by word with unit, for example {@code power_watts}; only those with a value
   * @param meanPowerWatts mean power, as far as its readings are spread over the whole load
   * @param energyJoules growth of its energy counter over the load
   * @param throttledSeconds growth of its throttling counters by cause; absent where not exported
   * @param lastXid number of the last XID error, 0 for none
   * @param xidsUnderLoad numbers that it came to show under load
   * @param vanished whether it was not shown any more when the load ended
   */
  public record Gpu(
      String exporter,
      String device,
      String model,
      Map<String, GaugeRange> gauges,
      Figure meanPowerWatts,
      Figure energyJoules,
      Map<String, Figure> throttledSeconds,
      Figure lastXid,
      List<Double> xidsUnderLoad,
      boolean vanished) {
    public Gpu {
      xidsUnderLoad = List.copyOf(xidsUnderLoad);
      gauges = inOrder(gauges);
      throttledSeconds = inOrder(throttledSeconds);
    }
  }

  /**
   * Energy of all GPUs over the load; idle power is part of it.
   *
   * @param joules sum of the counters' growth
   * @param joulesPerOutputToken the same over the engine's output tokens
   * @param joulesPerOutputTokenByPower mean power times the length of the load, over the same
   *     tokens
   */
  public record GpuEnergy(
      Figure joules, Figure joulesPerOutputToken, Figure joulesPerOutputTokenByPower) {}

  /**
   * A host under load.
   *
   * @param exporter name of the exporter that shows it
   * @param cores processors it has
   * @param busyRatio share of their time neither idle nor waiting for a disk
   * @param gauges {@code load1}, {@code memory_available_bytes}, {@code memory_total_bytes}
   * @param receivedBytesPerSecond over all devices but loopback
   * @param sentBytesPerSecond over the same
   */
  public record Host(
      String exporter,
      long cores,
      Figure busyRatio,
      Map<String, GaugeRange> gauges,
      Figure receivedBytesPerSecond,
      Figure sentBytesPerSecond) {
    public Host {
      gauges = inOrder(gauges);
    }
  }

  /**
   * One scraped endpoint.
   *
   * @param series series it showed
   * @param understood those of them whose meaning is known
   * @param goodScrapes scrapes that succeeded, over the whole run
   * @param failedScrapes scrapes that failed
   * @param longestHoleSeconds longest time under load without a good scrape
   */
  public record ExporterScrapes(
      String name, String url, long series, long understood, long goodScrapes,
      long failedScrapes, double longestHoleSeconds) {}

  public ExporterAccount {
    points = List.copyOf(points);
    orders = List.copyOf(orders);
    gpus = List.copyOf(gpus);
    hosts = List.copyOf(hosts);
    exporters = List.copyOf(exporters);
  }

  private static <K, V> Map<K, V> inOrder(Map<K, V> map) {
    return Collections.unmodifiableMap(new LinkedHashMap<>(map));
  }
}
