package tallystick.cli.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
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

/** Where live runs find their servers: up already, or started for each run. */
interface LiveServers {

  /** Looks at servers before they are loaded. */
  interface Look {
    Standing at(List<Target> targets) throws TargetException, InterruptedException;
  }

  /**
   * Servers for one run.
   *
   * @return empty if somebody asked to stop
   * @throws IOException if they are not there
   */
  Optional<Standing> up(Plan plan, Path runFolder) throws IOException, InterruptedException;

  /** What stands there, in words. */
  String words();

  /** All that makes their figures what they are; the same words mean the same servers. */
  String fingerprint();

  /** Whether they are the embedded engine. */
  default boolean isEmbedded() {
    return false;
  }

  /** What starting them takes, as long as none was started. */
  default double startSeconds() {
    return 0;
  }

  /**
   * Servers that answer as long as somebody else likes.
   *
   * @param engine the one that was started for a run and may end in the middle
   * @param end what there is to do after a run
   */
  record Standing(
      List<Target> targets, Preflight.Findings findings, List<EngineSetting> settings,
      Optional<RunningEngine> engine, Runnable end)
      implements LiveServers, AutoCloseable {
    Standing(List<Target> targets, Preflight.Findings findings) {
      this(targets, findings, List.of(), Optional.empty(), () -> {});
    }

    Standing with(List<EngineSetting> asked, Optional<RunningEngine> started, Runnable atEnd) {
      return new Standing(targets, findings, asked, started, atEnd);
    }

    /** What to do when the engine ends before it is closed, as far as that is noticed. */
    void onEnd(Runnable action) {
      engine.ifPresent(one -> one.onEnd(action));
    }

    /**
     * After a run: whether the engine is there still.
     *
     * @throws IOException if it ended in the middle
     */
    void requireAlive() throws IOException, InterruptedException {
      if (engine.isPresent()) {
        engine.get().requireAlive();
      }
    }

    @Override
    public Optional<Standing> up(Plan plan, Path runFolder) {
      return Optional.of(this);
    }

    @Override
    public String words() {
      String engine = findings.versions().getOrDefault("engine", "");
      String version = engine.isEmpty() ? "" : "vLLM " + engine + " at ";
      return version + String.join(", ", Target.loaded(targets).map(Target::url).toList());
    }

    @Override
    public String fingerprint() {
      return targets + " " + findings.versions() + findings.model();
    }

    @Override
    public void close() {
      end.run();
    }
  }

  /**
   * The simulated engine of this process, a fresh one for each run.
   *
   * @param flags by name
   * @param salt makes the noise of one of several engines its own
   */
  record Embedded(Map<String, String> flags, long salt, Look look) implements LiveServers {
    @Override
    public Optional<Standing> up(Plan plan, Path runFolder)
        throws IOException, InterruptedException {
      EmbeddedEngine engine =
          EmbeddedEngine.start(
              EngineFlags.settings(EngineFlags.seeded(flags, plan.settings().seed() ^ salt)),
              "127.0.0.1", 0);
      try {
        return Optional.of(
            look.at(List.of(Target.at(engine.url())))
                .with(EngineFlags.declared(flags), Optional.empty(), engine::close));
      } catch (TargetException e) {
        engine.close();
        throw new IOException(e.getMessage(), e);
      }
    }

    @Override
    public String words() {
      return "the embedded, simulated engine";
    }

    /** It has another port each time. */
    @Override
    public String fingerprint() {
      return "embedded " + new TreeMap<>(flags);
    }

    @Override
    public boolean isEmbedded() {
      return true;
    }
  }

  /**
   * Engines that a command starts.
   *
   * @param settings what fills its gaps
   * @param patience how long a start may take
   * @param slot holds the one that is up
   */
  record Started(
      CommandTemplate command, Map<String, String> settings, Duration patience, EngineSlot slot,
      Look look, Listener listener)
      implements LiveServers {
    private static final Duration GRACE = Duration.ofSeconds(30);
    private static final double USUAL_START_SECONDS = 30;

    /** The file in a run's folder that holds what the engine printed. */
    static final String LOG = "engine.log";

    @Override
    public Optional<Standing> up(Plan plan, Path runFolder)
        throws IOException, InterruptedException {
      EngineProcess.Order order =
          new EngineProcess.Order(
              command, settings, EngineProcess.freePort(), runFolder.resolve(LOG), patience,
              GRACE);
      Optional<EngineProcess> engine = slot.up(order);
      if (engine.isEmpty()) {
        return Optional.empty();
      }
      try {
        Standing standing = look.at(List.of(Target.at(engine.get().url())));
        List<EngineSetting> read = engine.get().settings(standing.findings().settings());
        listener.say(told(engine.get().startSeconds(), read));
        return Optional.of(standing.with(read, Optional.of(engine.get()), slot::release));
      } catch (TargetException e) {
        slot.release();
        throw new IOException(e.getMessage(), e);
      }
    }

    @Override
    public String words() {
      return "an engine that a command starts";
    }

    @Override
    public String fingerprint() {
      return "started " + command + " " + new TreeMap<>(settings);
    }

    @Override
    public double startSeconds() {
      return slot.startSeconds(USUAL_START_SECONDS);
    }
  }

  /**
   * An engine in a deployment of Kubernetes, whose args are changed.
   *
   * @param isKept whether it stays for the next run of the same settings
   */
  record Deployed(
      Deployment deployment, Map<String, String> settings, boolean isKept, Look look,
      Listener listener)
      implements LiveServers {
    private static final double USUAL_START_SECONDS = 60;

    @Override
    public Optional<Standing> up(Plan plan, Path runFolder)
        throws IOException, InterruptedException {
      if (!deployment.up(settings, isKept)) {
        return Optional.empty();
      }
      try {
        Standing standing = look.at(List.of(Target.at(deployment.url())));
        List<EngineSetting> read =
            deployment.settings(settings, standing.findings().settings());
        listener.say(told(startSeconds(), read));
        return Optional.of(standing.with(read, Optional.of(deployment), () -> {}));
      } catch (TargetException e) {
        throw new IOException(e.getMessage(), e);
      }
    }

    @Override
    public String words() {
      return deployment.words();
    }

    @Override
    public String fingerprint() {
      return deployment.fingerprint() + " " + new TreeMap<>(settings);
    }

    @Override
    public double startSeconds() {
      return deployment.startSeconds(USUAL_START_SECONDS);
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
