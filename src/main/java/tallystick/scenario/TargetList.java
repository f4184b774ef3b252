package tallystick.scenario;

/**
 * Where the engines behind the load's target are listed, for as long as a run lasts: a file or SRV
 * records of DNS. They come and go; they are scraped and get no request from this client.
 *
 * @param file a file in Prometheus' {@code file_sd} form; empty where there is none
 * @param srv name whose SRV records tell host and port of each engine; empty where there is none
 * @param dns {@code host:port} of the server that is asked; empty for the system's
 */
public record TargetList(String file, String srv, String dns) {
  /** Nothing is listed: the targets stay as they are. */
  public static final TargetList NONE = new TargetList("", "", "");

  /** Whether there is a list. */
  public boolean exists() {
    return !file.isEmpty() || !srv.isEmpty();
  }

  /** What is read, for a message. */
  public String words() {
    return file.isEmpty() ? "SRV records of " + srv : file;
  }
}
