package tallystick.run;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tallystick.openai.ServerProbe;
import tallystick.reach.ConnectionFault;
import tallystick.run.TargetException.Fault;
import tallystick.scenario.PlainText;
import tallystick.scrape.MetricsAccess;

/** Asks the server that is to get the load whether it would take it. */
public final class ServerDoor {
  /** A busy server answers late, one that hangs never. */
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private static final String NAMELESS_MODEL = "default";
  private static final String LIST = "/v1/models";
  private static final int FIRST_SERVER_ERROR = 500;

  /** So answers a server that does not have the list at all. */
  private static final int NOT_IMPLEMENTED = 501;

  private static final int TOO_MANY_REQUESTS = 429;

  private final String url;
  private final ServerProbe probe;
  private final boolean hasKey;

  /**
   * The door of one server.
   *
   * @param url its base URL
   * @param access whom to trust, and the key to show
   */
  public ServerDoor(String url, MetricsAccess access) {
    this.url = url;
    this.probe = new ServerProbe(url, access.api(), access.caFile(), TIMEOUT);
    this.hasKey = !access.api().isEmpty();
  }

  /**
   * The model to name in requests.
   *
   * @param wanted the one asked for; empty takes the first that the server lists
   * @param notes where sentences for the user are added
   * @throws TargetException if the server cannot be asked or would refuse; its message says why
   */
  public String model(String wanted, List<String> notes) throws TargetException {
    ServerProbe.Models models = models();
    if (models.status() == 401 || models.status() == 403) {
      throw new TargetException(
          Fault.USER,
          url + (hasKey ? " refuses the API key it was shown" : " wants an API key")
              + " (HTTP " + models.status()
              + "): name the environment variable that holds it with --api-key-env NAME");
    }
    if (wanted.isEmpty()) {
      refuseWhereUnknown(models);
    }
    if (models.models().isEmpty()) {
      String model = wanted.isEmpty() ? NAMELESS_MODEL : wanted;
      notes.add(
          url + " lists no models (HTTP " + models.status()
              + " on /v1/models): requests name the model \"" + model + "\"");
      return model;
    }
    if (!wanted.isEmpty() && !models.models().contains(wanted)) {
      throw new TargetException(
          Fault.USER,
          url + " does not serve the model \"" + wanted + "\": it serves "
              + PlainText.oneLine(String.join(", ", models.models())));
    }
    return wanted.isEmpty() ? models.models().get(0) : wanted;
  }

  /** Only a server that has no list may be asked for a model of no name. */
  private void refuseWhereUnknown(ServerProbe.Models models) throws TargetException {
    int status = models.status();
    boolean isLimited = status == TOO_MANY_REQUESTS;
    boolean isDown = status >= FIRST_SERVER_ERROR && status != NOT_IMPLEMENTED;
    if (isLimited || isDown) {
      throw new TargetException(
          Fault.WORLD,
          url + " answers HTTP " + status + " on " + LIST + ", so its model is not known: wait "
              + (isLimited ? "until it takes requests again" : "until it is up")
              + ", or name the model with --model");
    }
    if (status / 100 == 3) {
      throw new TargetException(Fault.WORLD, redirected(models));
    }
    if (status == 200 && models.models().isEmpty()) {
      throw new TargetException(
          Fault.WORLD,
          url + " names no model on " + LIST + ": what answers there is a router without a ready"
              + " engine, or no such server. Wait until it lists one, correct the target, or name"
              + " the model with --model");
    }
  }

  private String redirected(ServerProbe.Models models) {
    String to = models.redirectedTo();
    String base = to.endsWith(LIST) ? to.substring(0, to.length() - LIST.length()) : "";
    String remedy;
    if (!base.isEmpty() && !base.equals(url)) {
      remedy = "give the target it redirects to, " + base;
    } else if (base.isEmpty() && !to.startsWith(url + LIST)) {
      remedy =
          "it may be a page to sign in, then name the variable that holds a key with"
              + " --api-key-env NAME";
    } else {
      remedy = "correct the route in what stands before the engine";
    }
    return url + " redirects " + LIST + (to.isEmpty() ? "" : " to " + to) + " (HTTP "
        + models.status() + "), and redirects are not followed: " + remedy
        + ", or name the model with --model";
  }

  private ServerProbe.Models models() throws TargetException {
    try {
      return probe.models();
    } catch (IOException e) {
      throw new TargetException(
          Fault.WORLD,
          url + " cannot be asked (" + e.getMessage()
              + "): " + (ConnectionFault.isOfConnecting(e.getMessage()) ? "start" : "look at")
              + " the server, or correct the target");
    }
  }

  /** How it was started; empty where it does not tell. */
  Map<String, String> arguments() {
    return probe.arguments();
  }

  /** The version it tells; empty where it tells none. */
  Optional<String> version() {
    return probe.version();
  }
}
