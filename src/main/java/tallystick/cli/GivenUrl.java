package tallystick.cli;

import java.net.URI;
import java.net.URISyntaxException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** A URL given on the command line, checked before anything is asked of it. */
final class GivenUrl {
  private static final int LAST_PORT = 65_535;

  private GivenUrl() {}

  /**
   * The URL itself.
   *
   * @param name the option or parameter it was given for
   * @throws ParameterException if it is no http or https URL with a host
   */
  static String checked(CommandSpec spec, String name, String text) {
    String fault = fault(text);
    if (!fault.isEmpty()) {
      throw new ParameterException(spec.commandLine(), name + ": " + fault);
    }
    return text;
  }

  private static String fault(String text) {
    if (!text.startsWith("http://") && !text.startsWith("https://")) {
      String instead =
          text.matches("[\\w.-]+(:\\d+)?(/.*)?") ? "http://" + text : "http://127.0.0.1:8000";
      return "\"" + text + "\" does not begin with http:// or https://; write " + instead;
    }
    try {
      URI uri = new URI(text);
      String authority = uri.getRawAuthority();
      if (authority == null) {
        return "\"" + text + "\" names no host; write for example http://127.0.0.1:8000";
      }
      if (authority.contains("@")) {
        return "take the user name and password out of the URL; TALLY_METRICS_USER and"
            + " TALLY_METRICS_PASSWORD carry them";
      }
      // A host with an underscore is none to java.net.URI, but container networks have them.
      String port = authority.replaceFirst("^.*:(?!.*])", "");
      boolean hasPort = !port.equals(authority);
      return hasPort && !isPort(port) ? "\"" + port + "\" is no port; write 1 to " + LAST_PORT : "";
    } catch (URISyntaxException e) {
      return "\"" + text + "\" is no URL (" + e.getReason() + "); write for example"
          + " http://127.0.0.1:8000";
    }
  }

  private static boolean isPort(String text) {
    return text.matches("\\d{1,5}")
        && Integer.parseInt(text) > 0
        && Integer.parseInt(text) <= LAST_PORT;
  }
}
