package tallystick.cli.run;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import tallystick.experiment.EngineSetting;
import tallystick.plan.Plan;
import tallystick.plan.ShardPlan;
import tallystick.run.LoadHeap;
import tallystick.run.MachineFacts;
import tallystick.run.Preflight;
import tallystick.run.RunOrders;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.PromptForm;
import tallystick.runrecord.Shard;
import tallystick.scenario.Target;
import tallystick.simengine.EngineSettings;

/** Puts together what a run is before it begins: nonce, folder, manifest. */
public record RunSetup(
    Plan plan,
    List<Target> targets,
    Preflight.Findings findings,
    boolean isEmbedded,
    boolean allowForeignTraffic,
    String nonce,
    LoadHeap heap,
    Optional<Shard> shard,
    String command,
    Map<String, String> engineLabels) {

  /** A whole run of a plan against targets that were looked at. */
  public static RunSetup of(
      Plan plan,
      List<Target> targets,
      Preflight.Findings findings,
      boolean isEmbedded,
      boolean allowForeignTraffic) {
    byte[] random = new byte[6];
    new SecureRandom().nextBytes(random);
    String nonce = HexFormat.of().formatHex(random);
    return new RunSetup(plan, targets, findings, isEmbedded, allowForeignTraffic, nonce,
        LoadHeap.of(plan), Optional.empty(), "", Map.of());
  }

  /**
   * The same as somebody typed it.
   *
   * @param part which shard of the run; empty for all of it
   * @param given the heap of the user's choice
   */
  RunSetup typed(Optional<Shard> part, Optional<LoadHeap> given, String words) {
    return new RunSetup(
        plan, targets, findings, isEmbedded, allowForeignTraffic,
        part.map(this::commonNonce).orElse(nonce), given.orElseGet(() -> heap(part)), part, words,
        engineLabels);
  }

  /** All shards find the same nonce, so their prompts and ids are those of one run. */
  private String commonNonce(Shard part) {
    String seed =
        plan.settings().scenario() + "/" + plan.settings().seed() + "/" + part.startUtcNanos();
    String common = UUID.nameUUIDFromBytes(seed.getBytes(StandardCharsets.UTF_8)).toString();
    return common.substring(common.length() - 12);
  }

  private LoadHeap heap(Optional<Shard> part) {
    return part.map(one -> LoadHeap.of(new ShardPlan(plan, one.count()).part(one.index())))
        .orElse(heap);
  }

  /** The same with what the engine was asked for, which its own metrics do not all tell. */
  public RunSetup with(List<EngineSetting> settings) {
    Map<String, String> labels = new TreeMap<>();
    settings.forEach(setting -> labels.put("engine " + setting.name(), setting.words()));
    return new RunSetup(
        plan, targets, findings, isEmbedded, allowForeignTraffic, nonce, heap, shard, command,
        labels);
  }

  Path createFolder(Path parent) throws IOException {
    return shard.isPresent()
        ? RunFolder.createShard(parent, runId(), shard.get())
        : RunFolder.create(parent, plan.settings().scenario(), nonce, Clock.systemUTC());
  }

  /** The run's name, which its shards share. */
  private String runId() {
    long start = shard.orElseThrow().startUtcNanos();
    return RunFolder.name(
        plan.settings().scenario(), nonce, Instant.ofEpochSecond(0, start));
  }

  /** What the load process is told, with the manifest. */
  public RunOrders orders(
      Path folder, Duration quietTimeout, RunOrders.Ports ports, String apiKey) {
    boolean samePrompts = plan.settings().options().samePrompts();
    Map<String, String> versions = new TreeMap<>(findings.versions());
    versions.put("tally", Versions.tally());
    versions.put("gatling", Versions.gatling());
    versions.put("jvm", Runtime.version().toString());
    Map<String, String> labels = new TreeMap<>(plan.settings().labels());
    labels.putAll(engineLabels);
    findings.arguments().forEach((name, value) -> labels.putIfAbsent("engine " + name, value));
    Manifest manifest =
        new Manifest(
            Manifest.CURRENT_FORMAT,
            shard.isPresent() ? runId() : folder.getFileName().toString(),
            plan.settings().scenario(),
            source(),
            plan.settings().seed(),
            samePrompts ? "" : nonce,
            findings.model(),
            targets,
            labels,
            versions,
            host(),
            new Manifest.Clock(0, 0, 0),
            Manifest.Ending.OPEN,
            PromptForm.UNKNOWN);
    return new RunOrders(
        folder, manifest, plan, allowForeignTraffic, quietTimeout, heap, shard, ports, apiKey);
  }

  private Manifest.Source source() {
    if (isEmbedded) {
      return Manifest.Source.EMBEDDED;
    }
    // One simulated engine among several targets taints every figure they are added up in.
    return findings.versions().values().stream().anyMatch(EngineSettings::isSimulated)
        ? Manifest.Source.SIMULATED
        : Manifest.Source.REAL;
  }

  private Map<String, String> host() {
    Map<String, String> host = new TreeMap<>(MachineFacts.here().all());
    host.put("load_heap", heap.words());
    if (!command.isEmpty()) {
      host.put("command", command);
    }
    host.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
    host.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    host.put("arch", System.getProperty("os.arch"));
    try {
      host.put("name", InetAddress.getLocalHost().getHostName());
    } catch (UnknownHostException e) {
      host.put("name", "unknown");
    }
    return host;
  }
}
