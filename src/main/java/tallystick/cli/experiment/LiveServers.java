package tallystick.cli.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.DoubleSupplier;
import java.util.stream.Collectors;
import tallystick.cli.option.EngineFlags;
import tallystick.experiment.EngineSetting;
import tallystick.experiment.Listener;
import tallystick.experiment.engine.CommandTemplate;
import tallystick.experiment.engine.Deployment;
import tallystick.experiment.engine.EngineProcess;
import tallystick.experiment.engine.EngineSlot;
import tallystick.experiment.engine.RunningEngine;
import tallystick.plan.Plan;
import tallystick.run.Preflight;
import tallystick.run.TargetException;
import tallystick.scenario.Target;
import tallystick.simengine.EmbeddedEngine;

/**
 * Where live runs find their servers: up already, or started for each run.
 *
 * @param words what stands there
 * @param fingerprint all that makes their figures what they are; the same means the same servers
 * @param isEmbedded whether they are the embedded engine
 * @param startSeconds what starting them takes, as long as none was started
 * @param start has them ready for a run
 */
record LiveServers(
    String words, String fingerprint, boolean isEmbedded, DoubleSupplier startSeconds,
    Start start) {
  private static final Duration GRACE = Duration.ofSeconds(30);
  private static final double USUAL_START_SECONDS = 30; // of a small model's engine
  private static final double USUAL_ROLLOUT_SECONDS = 60; // a pod is scheduled before it starts

  /** The file in a run's folder that holds what the engine printed. */
  private static final String LOG = "engine.log";

  /** Looks at servers before they are loaded. */
  interface Look {
    Standing at(List<Target> targets) throws TargetException, InterruptedException;
  }

  /** Has servers ready. */
  interface Start {
    /**
     * Servers for one run.
     *
     * @return empty if somebody asked to stop
     * @throws IOException if they are not there
     */
    Optional<Standing> up(Plan plan, Path runFolder) throws IOException, InterruptedException;
  }

  /**
   * Servers that answer.
   *
   * @param settings that were asked for, and what they run with
   * @param engine the one that was started for a run and may end in the middle
   * @param end what there is to do after a run
   */
  record Standing(
      List<Target> targets, Preflight.Findings findings, List<EngineSetting> settings,
      RunningEngine engine, Runnable end)
      implements AutoCloseable {
    /** Those that were up before, and stay. */
    Standing(List<Target> targets, Preflight.Findings findings) {
      this(targets, findings, List.of(), RunningEngine.NONE, () -> {});
    }

    @Override
    public void close() {
      end.run();
    }
  }

  /** Servers that answer as long as somebody else likes. */
  static LiveServers of(Standing up) {
    String engine = up.findings().versions().getOrDefault("engine", "");
    return new LiveServers(
        (engine.isEmpty() ? "" : "vLLM " + engine + " at ")
            + String.join(", ", Target.loaded(up.targets()).map(Target::url).toList()),
        up.targets() + " " + up.findings().versions() + up.findings().model(), false, () -> 0,
        (plan, runFolder) -> Optional.of(up));
  }

  /**
   * The simulated engine of this process, a fresh one for each run; it has another port each time.
   *
   * @param flags by name
   * @param salt makes the noise of one of several engines its own
   */
  static LiveServers embedded(Map<String, String> flags, long salt, Look look) {
    return new LiveServers(
        "the embedded, simulated engine", "embedded " + new TreeMap<>(flags), true, () -> 0,
        (plan, runFolder) -> {
          EmbeddedEngine engine =
              EmbeddedEngine.start(
                  EngineFlags.settings(EngineFlags.seeded(flags, plan.settings().seed() ^ salt)),
                  "127.0.0.1", 0);
          Standing seen = seen(look, engine.url(), engine::close);
          return Optional.of(
              new Standing(
                  seen.targets(), seen.findings(), EngineFlags.declared(flags),
                  RunningEngine.NONE, engine::close));
        });
  }

  /**
   * Engines that a command starts.
   *
   * @param settings what fills its gaps
   * @param patience how long a start may take
   * @param slot holds the one that is up
   */
  static LiveServers started(
      CommandTemplate command, Map<String, String> settings, Duration patience, EngineSlot slot,
      Look look, Listener listener) {
    return new LiveServers(
        "an engine that a command starts", "started " + command + " " + new TreeMap<>(settings),
        false, () -> slot.startSeconds(USUAL_START_SECONDS),
        (plan, runFolder) -> {
          Optional<EngineProcess> up =
              slot.up(
                  new EngineProcess.Order(
                      command, settings, EngineProcess.freePort(), runFolder.resolve(LOG),
                      patience, GRACE));
          if (up.isEmpty()) {
            return Optional.empty();
          }
          EngineProcess engine = up.get();
          Standing seen = seen(look, engine.url(), slot::release);
          List<EngineSetting> read = engine.settings(seen.findings().settings());
          listener.say(told(engine.startSeconds(), read));
          return Optional.of(
              new Standing(seen.targets(), seen.findings(), read, engine, slot::release));
        });
  }

  /**
   * An engine in a deployment of Kubernetes, whose args are changed.
   *
   * @param isKept whether it stays for the next run of the same settings
   */
  static LiveServers deployed(
      Deployment deployment, Map<String, String> settings, boolean isKept, Look look,
      Listener listener) {
    return new LiveServers(
        deployment.words(), deployment.fingerprint() + " " + new TreeMap<>(settings), false,
        () -> deployment.startSeconds(USUAL_ROLLOUT_SECONDS),
        (plan, runFolder) -> {
          if (!deployment.up(settings, isKept)) {
            return Optional.empty();
          }
          Standing seen = seen(look, deployment.url(), () -> {});
          List<EngineSetting> read = deployment.settings(settings, seen.findings().settings());
          listener.say(told(deployment.startSeconds(USUAL_ROLLOUT_SECONDS), read));
          return Optional.of(
              new Standing(seen.targets(), seen.findings(), read, deployment, () -> {}));
        });
  }

  /** Looks at an engine that was started; one that cannot be measured is given up. */
  private static Standing seen(Look look, String url, Runnable end)
      throws IOException, InterruptedException {
    try {
      return look.at(List.of(Target.at(url)));
    } catch (TargetException e) {
      end.run();
      throw new IOException(e.getMessage(), e);
    }
  }

  private static String told(double seconds, List<EngineSetting> settings) {
    String words =
        settings.stream()
            .map(setting -> setting.name() + " " + setting.words())
            .collect(Collectors.joining(", "));
    return String.format(
        Locale.ROOT, "engine   up after %.1f s%s", seconds,
        words.isEmpty() ? "" : ": " + words);
  }
}
