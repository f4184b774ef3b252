package tallystick.run;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import tallystick.plan.Plan;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.Shard;

/**
 * What it takes to run a plan.
 *
 * @param runFolder the run's output folder; the record is written below it
 * @param manifest what the run is; its targets are those the plan's indices mean, with an empty
 *     metrics URL where nothing is to be scraped
 * @param plan what to do
 * @param allowForeignTraffic whether to go on although a target is busy
 * @param quietTimeout how long to wait for an idle target before and after the load
 * @param heap what the load process may take
 * @param shard which part of the plan is to be sent, and when; empty for all of it at once
 * @param ports where the load process listens
 * @param apiKey sent to the targets; empty sends none; never recorded
 */
public record RunOrders(
    Path runFolder,
    Manifest manifest,
    Plan plan,
    boolean allowForeignTraffic,
    Duration quietTimeout,
    LoadHeap heap,
    Optional<Shard> shard,
    Ports ports,
    String apiKey) {

  /**
   * Where the load process listens; 0 where it does not.
   *
   * @param traces for the engines' traces, on loopback
   * @param metrics for whoever reads the client's metrics while the run goes on
   */
  public record Ports(int traces, int metrics) {
    /** Nobody asks. */
    public static final Ports NONE = new Ports(0, 0);
  }

  /** The key stays out of logs and messages. */
  @Override
  public String toString() {
    return "RunOrders[" + runFolder + "]";
  }
}
