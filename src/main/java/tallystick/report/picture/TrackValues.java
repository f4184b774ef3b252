package tallystick.report.picture;

import java.util.ArrayList;
import java.util.List;
import tallystick.analysis.result.Timeline.Track;
import tallystick.report.markup.Markup;
import tallystick.scenario.Formatted;
import tallystick.scenario.PlainText;

/**
 * The values behind the timeline, from which the script reads out, zooms and draws anew. All tracks
 * of a page together have a bound, so that a page of many engines still opens at once.
 */
final class TrackValues {
  private static final int MOST_COLUMNS = 1_200; // as a wide screen has
  private static final int FEWEST_COLUMNS = 20; // a shape is seen
  private static final int COLUMNS_OF_ALL = 24_000; // bounds the page's size

  // The picture is as wide as a screen; what a zoom shows comes from the values.
  private static final int MOST_PICTURE_COLUMNS = 450;
  private static final int FEWEST_PICTURE_COLUMNS = 8; // a shape is seen
  private static final int PICTURE_COLUMNS_OF_ALL = 9_000; // bounds the page's size

  private final Scale time;
  private final int count;
  private final List<Track> tracks = new ArrayList<>();

  /**
   * Takes values.
   *
   * @param count how many tracks come
   */
  TrackValues(Scale time, int count) {
    this.time = time;
    this.count = count;
  }

  /** Keeps the line's values; gives its number, by which the page names it. */
  int add(Panel.Line line) {
    int columns = columns(COLUMNS_OF_ALL, FEWEST_COLUMNS, MOST_COLUMNS);
    tracks.add(thin(line, columns));
    return tracks.size() - 1;
  }

  /** The line as the picture shows it. */
  Track pictured(Panel.Line line) {
    int columns = columns(PICTURE_COLUMNS_OF_ALL, FEWEST_PICTURE_COLUMNS, MOST_PICTURE_COLUMNS);
    return thin(line, columns);
  }

  /** Dots are few enough, and thinned to extremes they would be none of single requests. */
  private Track thin(Panel.Line line, int columns) {
    return line.isDots() ? line.track() : Thinning.of(line.track(), time, columns);
  }

  private int columns(int ofAll, int fewest, int most) {
    return Math.max(fewest, Math.min(most, ofAll / Math.max(1, count)));
  }

  void write(Markup html) {
    html.raw("<script type=\"application/json\" id=\"tracks\">[");
    for (int i = 0; i < tracks.size(); i++) {
      html.raw(i == 0 ? "" : ",").raw("{\"owner\":").raw(quoted(tracks.get(i).owner()));
      html.raw(",\"x\":").raw(numbers(tracks.get(i).seconds(), 6));
      html.raw(",\"y\":").raw(numbers(tracks.get(i).values(), 5)).raw("}");
    }
    html.raw("]</script>\n");
  }

  // As JSON inside a script: neither a quote nor the end of the script may stand in it.
  private static String quoted(String text) {
    String plain = PlainText.printable(text).replace("\\", "\\\\").replace("\"", "\\\"");
    return "\"" + plain.replace("<", "\\u003c") + "\"";
  }

  private static String numbers(double[] values, int digits) {
    StringBuilder json = new StringBuilder("[");
    for (double value : values) {
      json.append(json.length() == 1 ? "" : ",");
      json.append(Double.isFinite(value) ? number(value, digits) : "null");
    }
    return json.append(']').toString();
  }

  private static String number(double value, int digits) {
    if (value == Math.rint(value) && Math.abs(value) < 1e7) {
      return String.valueOf((long) value);
    }
    if (value >= 0.001 && value < 10_000) {
      return Formatted.decimals(value, digits - 1 - (int) Math.floor(Math.log10(value)));
    }
    String text = Formatted.of("%." + digits + "g", value);
    return text.contains("e") ? text : text.replaceAll("\\.?0+$", "");
  }
}
