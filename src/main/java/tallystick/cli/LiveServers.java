package tallystick.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tallystick.experiment.EngineSetting;
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

  /** Servers that answer. */
  interface Up extends AutoCloseable {
    List<Target> targets();

    Preflight.Findings findings();

    /** What they were asked for, and run with. */
    List<EngineSetting> settings();

    /**
     * After a run: whether they are there still.
     *
     * @throws IOException if one ended in the middle
     */
    void requireAlive() throws IOException;

    @Override
    void close() throws IOException;
  }

  /**
   * Servers for one run.
   *
   * @throws IOException if they are not there
   */
  Up up(Plan plan, Path runFolder) throws IOException, InterruptedException;

  /** What stands there, in words. */
  String words();

  /** All that makes their figures what they are; the same words mean the same servers. */
  String fingerprint();

  /** Whether they are the embedded engine. */
  boolean isEmbedded();

  /** What starting them takes, as long as none was started. */
  double startSeconds();

  /**
   * Servers that answer as long as somebody else likes.
   *
   * @param end what there is to do after a run
   */
  record Standing(
      List<Target> targets, Preflight.Findings findings, List<EngineSetting> settings,
      Runnable end)
      implements LiveServers, Up {
    Standing(List<Target> targets, Preflight.Findings findings) {
      this(targets, findings, List.of(), () -> {});
    }

    Standing with(List<EngineSetting> asked, Runnable atEnd) {
      return new Standing(targets, findings, asked, atEnd);
    }

    @Override
    public Up up(Plan plan, Path runFolder) {
      return this;
    }

    @Override
    public String words() {
      String engine = findings.versions().getOrDefault("engine", "");
      String version = engine.isEmpty() ? "" : "vLLM " + engine + " at ";
      return version + String.join(", ", targets.stream().map(Target::url).toList());
    }

    @Override
    public String fingerprint() {
      return targets + " " + findings.versions() + findings.model();
    }

    @Override
    public boolean isEmbedded() {
      return false;
    }

    @Override
    public double startSeconds() {
      return 0;
    }

    @Override
    public void requireAlive() {}

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
    public Up up(Plan plan, Path runFolder) throws IOException, InterruptedException {
      EmbeddedEngine engine =
          EmbeddedEngine.start(
              EngineFlags.settings(EngineFlags.seeded(flags, plan.settings().seed() ^ salt)),
              "127.0.0.1", 0);
      try {
        return look.at(List.of(Target.at(engine.url())))
            .with(EngineFlags.declared(flags), engine::close);
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

    @Override
    public double startSeconds() {
      return 0;
    }
  }
}
