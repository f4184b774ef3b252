package tallystick.gatling;

import io.gatling.app.Gatling$;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import java.util.prefs.Preferences;

/**
 * Runs one simulation inside this JVM. Gatling makes its simulations itself, from a class name, so
 * the load is handed to them through {@link #load}: the one static of the project, see
 * docs/decisions/openai-start-gate.md.
 */
public final class GatlingRun {
  private static final AtomicReference<Load> CURRENT = new AtomicReference<>();

  private GatlingRun() {}

  /**
   * The load of the run that is being started.
   *
   * @throws IllegalStateException if no run is being started
   */
  public static Load load() {
    Load load = CURRENT.get();
    if (load == null) {
      throw new IllegalStateException("a simulation of tally is started by tally run");
    }
    return load;
  }

  /**
   * Runs a simulation to its end.
   *
   * @param simulation class of the simulation
   * @param load what it sends
   * @param results folder for Gatling's own log
   * @return Gatling's exit status: 0 done, 2 assertions failed
   */
  public static int run(Class<?> simulation, Load load, Path results) {
    silenceVersionCheck();
    // Its own client is not used, and looking for OpenSSL in every jar takes a tenth of its start.
    System.setProperty("gatling.ssl.useOpenSsl", "false");
    if (!CURRENT.compareAndSet(null, load)) {
      throw new IllegalStateException("another simulation is running in this JVM");
    }
    try {
      String[] arguments = {"-s", simulation.getName(), "-rf", results.toString(), "-nr"};
      return Gatling$.MODULE$.fromArgs(arguments);
    } finally {
      CURRENT.set(null);
    }
  }

  /** Gatling asks a registry for its newest version unless the last time it did lies ahead. */
  private static void silenceVersionCheck() {
    InMemoryPreferences.install();
    Preferences node = Preferences.userRoot().node("/io/gatling/latestVersion");
    node.putLong("lastCheckTimestamp", Long.MAX_VALUE);
    node.putBoolean("lastCheckSuccess", false);
  }
}
