package tallystick.experiment.engine;

import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import tallystick.experiment.EngineFailure;
import tallystick.experiment.EngineFailure.Moment;
import tallystick.experiment.EngineSetting;
import tallystick.experiment.Listener;
import tallystick.scenario.Formatted;

/**
 * An engine in a deployment of Kubernetes. Values of its container's args are changed and put
 * back; nothing else of the cluster is, but the mark of a restart.
 */
public final class Deployment implements RunningEngine, AutoCloseable {
  private static final Duration CALL = Duration.ofSeconds(30);
  private static final long POLL_MILLIS = 100;
  private static final double NANOS = 1e9;

  private final Order order;
  private final Kubectl kubectl;
  private final Listener listener;
  private final BooleanSupplier isStopped;
  private final DeploymentArgs first;
  private final Set<List<String>> asked = new HashSet<>();
  private Optional<DeploymentArgs> running = Optional.empty();
  private int starts;
  private double seconds;

  /**
   * Which deployment it is.
   *
   * @param kubectl the program
   * @param container may be empty where the pod has only one
   * @param url where its one pod is reached, whichever pod it is
   * @param patience how long a rollout may take
   */
  public record Order(
      String kubectl, String namespace, String name, Optional<String> container, String url,
      Duration patience) {}

  private Deployment(
      Order order, Listener listener, BooleanSupplier isStopped)
      throws IOException, InterruptedException {
    this.order = order;
    this.kubectl = new Kubectl(order.kubectl(), order.namespace());
    this.listener = listener;
    this.isStopped = isStopped;
    this.first = read();
  }

  /**
   * Reads a deployment, and asks the server whether it could be changed; nothing is.
   *
   * @throws IOException if it could not
   * @throws IllegalArgumentException if it cannot be a bench
   */
  public static Deployment open(Order order, Listener listener, BooleanSupplier isStopped)
      throws IOException, InterruptedException {
    Deployment deployment = new Deployment(order, listener, isStopped);
    deployment.dryRun(deployment.first.patch(deployment.first.args()));
    listener.say(
        "engine   " + deployment.words() + ", container " + deployment.first.container()
            + ", has the args \"" + deployment.first.shown()
            + "\"; they are put back at the end");
    return deployment;
  }

  private DeploymentArgs read() throws IOException, InterruptedException {
    String json = kubectl.ask(CALL, "get", "deployment", order.name(), "--output", "json");
    return DeploymentArgs.of(json, order.namespace(), order.name(), order.container());
  }

  private void dryRun(String patch) throws IOException, InterruptedException {
    kubectl.ask(
        CALL, "patch", "deployment", order.name(), "--type", "json", "--patch", patch,
        "--dry-run=server");
  }

  private void patch(DeploymentArgs now, List<String> args)
      throws IOException, InterruptedException {
    String patch = now.patch(args);
    dryRun(patch);
    asked.add(args);
    kubectl.ask(CALL, "patch", "deployment", order.name(), "--type", "json", "--patch", patch);
  }

  /**
   * The settings by their names in metrics, if its args have each of them.
   *
   * @throws IllegalArgumentException if not; names the setting
   */
  public Map<String, String> requireFits(Map<String, String> settings) {
    Map<String, String> plain = new TreeMap<>();
    settings.forEach((name, value) -> plain.put(name.replace('-', '_'), value));
    first.with(plain);
    return plain;
  }

  /**
   * Rolls these settings out and waits until the engine answers.
   *
   * @param isKept whether an engine that runs with them already need not start anew
   * @return false if somebody asked to stop before
   * @throws EngineFailure if it does not come up with them
   */
  public boolean up(Map<String, String> settings, boolean isKept)
      throws IOException, InterruptedException {
    List<String> wanted = first.with(settings);
    DeploymentArgs now = read();
    requireOurs(now);
    if (isKept && running.filter(now::equals).isPresent() && now.args().equals(wanted)) {
      return true;
    }
    running = Optional.empty();
    long began = System.nanoTime();
    if (now.args().equals(wanted)) {
      kubectl.ask(CALL, "rollout", "restart", "deployment/" + order.name());
    } else {
      patch(now, wanted);
    }
    if (!isRolledOut() || !isAnswering(began)) {
      return false;
    }
    now = read();
    if (!now.args().equals(wanted)) {
      throw new IOException(
          words() + " runs with the args \"" + now.shown() + "\", not with \""
              + DeploymentArgs.shown(wanted) + "\": somebody else changed them");
    }
    running = Optional.of(now);
    starts++;
    seconds += (System.nanoTime() - began) / NANOS;
    return true;
  }

  private void requireOurs(DeploymentArgs now) throws IOException {
    if (!now.args().equals(first.args()) && !asked.contains(now.args())) {
      throw new IOException(
          words() + " has the args \"" + now.shown() + "\": somebody else changed them");
    }
  }

  private boolean isRolledOut() throws IOException, InterruptedException {
    Kubectl.Answer answer =
        kubectl.call(
            order.patience().plus(CALL), isStopped, "rollout", "status",
            "deployment/" + order.name(), "--timeout=" + order.patience().toSeconds() + "s");
    if (!answer.isGood() && !answer.isStopped()) {
      throw new EngineFailure(
          Moment.START, "the rollout of " + words() + " did not end: " + answer.complaint());
    }
    return answer.isGood();
  }

  private boolean isAnswering(long began) throws EngineFailure, InterruptedException {
    Health health = new Health(order.url());
    while (!isStopped.getAsBoolean()) {
      if (health.isGood()) {
        return true;
      }
      if (System.nanoTime() - began > order.patience().toNanos()) {
        throw new EngineFailure(
            Moment.START,
            words() + " is rolled out and does not answer at " + order.url() + "/health within "
                + order.patience().toSeconds() + " s");
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
    return false;
  }

  /** Which one it is. */
  public String words() {
    return "deployment " + order.name() + " in namespace " + order.namespace();
  }

  /** What it was before anything was changed. */
  public String fingerprint() {
    return words() + " " + first.container() + first.args();
  }

  /** Where it answers. */
  public String url() {
    return order.url();
  }

  /** What a start took on average; {@code otherwise} while there was none. */
  public double startSeconds(double otherwise) {
    return starts == 0 ? otherwise : seconds / starts;
  }

  /**
   * What it runs with.
   *
   * @param metrics what its metrics tell of its settings
   */
  public List<EngineSetting> settings(Map<String, String> settings, Map<String, String> metrics) {
    return EngineLog.settings(settings, metrics, "");
  }

  @Override
  public void requireAlive() throws IOException, InterruptedException {
    DeploymentArgs now = read();
    if (running.filter(then -> then.generation() == now.generation()).isEmpty()) {
      throw new IOException(words() + " was changed by somebody else in the middle of a run");
    }
    if (now.available() == 0) {
      throw new EngineFailure(Moment.RUN, words() + " has no pod that is ready after the run");
    }
  }

  /** Puts the first args back, and says so; says what they were if it cannot. */
  @Override
  public void close() {
    if (starts > 0) {
      listener.say(Formatted.of(
          "Rolling the engine out took %.1f s on average, %.0f s in all (starts: %d).",
          seconds / starts, seconds, starts));
    }
    if (asked.isEmpty()) {
      return;
    }
    try {
      DeploymentArgs now = read();
      requireOurs(now);
      if (!now.args().equals(first.args())) {
        patch(now, first.args());
      }
      listener.say("engine   " + words() + " has its first args again; it rolls them out now");
      asked.clear();
    } catch (IOException e) {
      notRestored(e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      notRestored("interrupted");
    }
  }

  private void notRestored(String why) {
    listener.warn(
        "engine   " + words() + " is NOT as it was: " + why + ". Its first args were \""
            + first.shown() + "\": put them back by hand");
  }
}
