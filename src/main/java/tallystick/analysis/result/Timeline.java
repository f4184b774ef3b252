package tallystick.analysis.result;

import java.util.List;

/**
 * Both sides on one time axis, seconds after the window's origin. Missing values are NaN: a hole
 * stays a hole.
 *
 * @param binSeconds width of the client's bins
 * @param client client figures per bin, and TTFT request by request
 * @param engine engine figures per scrape, one track for each target and engine
 */
public record Timeline(double binSeconds, List<Track> client, List<Track> engine) {
  /** The client's track of TTFT request by request: of all, or of a random part of many. */
  public static final String TTFT_EACH = "ttft_each";

  /** The client's track of the time of each session that ended well, at its end. */
  public static final String SESSION_EACH = "session_time_each";

  /**
   * One line of a chart.
   *
   * @param name stable word, for example {@code ttft_p50}, {@code num_requests_waiting}
   * @param unit {@code seconds}, {@code requests}, {@code ratio}, {@code tokens/s}, {@code count}
   * @param owner whose: empty for the client, otherwise target and engine, e.g. {@code engine 0}
   * @param seconds x values, ascending
   * @param values y values, as many as x
   */
  public record Track(String name, String unit, String owner, double[] seconds, double[] values) {
    public Track {
      if (seconds.length != values.length) {
        throw new IllegalArgumentException(
            seconds.length + " times but " + values.length + " values in " + name);
      }
    }
  }

  public Timeline {
    client = List.copyOf(client);
    engine = List.copyOf(engine);
  }
}
